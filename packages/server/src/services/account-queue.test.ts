import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountQueue } from "./account-queue.ts";

test("an account's work waits in its order, that of others does not wait for it", async () => {
  const queue = createAccountQueue({ what: "reads", atOnce: 2, maxWaiting: 2 });
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const run = (accountId: string, name: string) =>
    queue.run(accountId, () => {
      started.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    });
  const first = run("a", "a1");
  const [second, third, fourth] = [run("a", "a2"), run("a", "a3"), run("a", "a4")];
  await assert.rejects(run("a", "a5"), /^ServiceError: At most 2 reads of an account wait/);
  const other = run("b", "b1");
  assert.deepEqual(started, ["a1", "a2", "b1"]);
  ends.get("a2")?.reject(new Error("unreadable"));
  await assert.rejects(second, /unreadable/);
  assert.deepEqual(started, ["a1", "a2", "b1", "a3"]);
  for (const name of ["a1", "b1"]) ends.get(name)?.resolve(name);
  assert.deepEqual([await first, await other], ["a1", "b1"]);
  assert.deepEqual(started, ["a1", "a2", "b1", "a3", "a4"]);
  for (const name of ["a3", "a4"]) ends.get(name)?.resolve(name);
  assert.deepEqual([await third, await fourth], ["a3", "a4"]);
});
