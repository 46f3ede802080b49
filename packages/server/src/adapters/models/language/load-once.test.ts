import assert from "node:assert/strict";
import { test } from "node:test";
import { loadOnce } from "./load-once.ts";

test("a failed load is repeated by the next call, and a successful load is shared by all calls", async () => {
  const outcomes = [new Error("no such file"), "library"];
  let loads = 0;
  const get = loadOnce(async () => {
    const outcome = outcomes[loads++];
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  const failed = [get(), get()];
  for (const call of failed) await assert.rejects(call, /no such file/);
  assert.deepEqual(await Promise.all([get(), get()]), ["library", "library"]);
  assert.equal(await get(), "library");
  assert.equal(loads, 2);
});
