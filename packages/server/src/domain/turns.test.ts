import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

/** Work that begins with its name and ends when the test says so. */
function useTurns(limits: Parameters<typeof createTurns>[0]) {
  const turns = createTurns(limits);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    turns,
    begun,
    run(accountId: string, name: string, signal: AbortSignal | null = null) {
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      const work = () => {
        begun.push(name);
        return end.promise;
      };
      return turns.run(work, { accountId, signal });
    },
    async end(...names: string[]) {
      for (const name of names) ends.get(name)?.resolve(name);
      await new Promise((resolve) => setImmediate(resolve));
    },
    fail: (name: string, error: Error) => ends.get(name)?.reject(error),
  };
}

test("no more runs at a time than the limit says, and accounts take turns", async () => {
  const { turns, run, end, begun } = useTurns({ atOnce: 2 });
  const all = [
    run("a", "a1"),
    run("a", "a2"),
    run("a", "a3"),
    run("a", "a4"),
    run("b", "b1"),
    run("c", "c1"),
  ];
  assert.deepEqual(begun, ["a1", "a2"]);
  assert.deepEqual([turns.waiting, turns.waitingOf("a"), turns.waitingOf("b")], [4, 2, 1]);
  await end("a1");
  assert.deepEqual(begun, ["a1", "a2", "a3"]);
  await end("a2", "a3");
  assert.deepEqual(begun, ["a1", "a2", "a3", "b1", "c1"]);
  await end("b1", "c1");
  await end("a4");
  assert.deepEqual(await Promise.all(all), ["a1", "a2", "a3", "a4", "b1", "c1"]);
  assert.equal(turns.waiting, 0);
});

test("an account leaves places to others, the service's own work does not count as an account's", async () => {
  const { run, end, begun } = useTurns({ atOnce: 3, ofAccount: 2 });
  const all = [run("a", "a1"), run("a", "a2"), run("a", "a3"), run("b", "b1"), run("b", "b2")];
  assert.deepEqual(begun, ["a1", "a2", "b1"]);
  await end("b1");
  assert.deepEqual(begun, ["a1", "a2", "b1", "b2"]);
  await end("a2");
  assert.deepEqual(begun, ["a1", "a2", "b1", "b2", "a3"]);
  await end("a1", "a3", "b2");
  await Promise.all(all);

  const own = useTurns({ atOnce: 3, ofAccount: 1 });
  const works = ["s1", "s2", "s3"].map((name) => own.run("", name));
  assert.deepEqual(own.begun, ["s1", "s2", "s3"]);
  await own.end("s1", "s2", "s3");
  await Promise.all(works);
});

test("without a limit of all accounts together, none waits for another", async () => {
  const { run, end, begun } = useTurns({ ofAccount: 1 });
  const all = [run("a", "a1"), run("a", "a2"), run("b", "b1"), run("c", "c1")];
  assert.deepEqual(begun, ["a1", "b1", "c1"]);
  await end("a1");
  assert.deepEqual(begun, ["a1", "b1", "c1", "a2"]);
  await end("a2", "b1", "c1");
  await Promise.all(all);
});

test("the place of work that fails is free again", async () => {
  const { run, end, fail, begun } = useTurns({ atOnce: 1 });
  const first = run("a", "a1");
  const second = run("a", "a2");
  fail("a1", new Error("unreadable"));
  await assert.rejects(first, /unreadable/);
  assert.deepEqual(begun, ["a1", "a2"]);
  await end("a2");
  assert.equal(await second, "a2");
});

test("work that nobody waits for any more does not begin, and takes no place", async () => {
  const { turns, run, end, begun } = useTurns({ atOnce: 1 });
  const gone = new AbortController();
  const first = run("a", "a1", gone.signal);
  const second = run("a", "a2", gone.signal);
  const third = run("a", "a3");
  gone.abort(new Error("gone"));
  await assert.rejects(second, /gone/);
  await assert.rejects(run("b", "late", gone.signal), /gone/);
  assert.equal(turns.waiting, 1);
  await end("a1");
  assert.equal(await first, "a1", "Work that has begun ends.");
  await end("a3");
  await third;
  assert.deepEqual(begun, ["a1", "a3"]);
});
