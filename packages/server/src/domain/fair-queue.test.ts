import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createFairQueue } from "./fair-queue.ts";

function fill(items: readonly (readonly [name: string, accountId: string, isUrgent?: boolean])[]) {
  const queue = createFairQueue<string>();
  for (const [name, accountId, isUrgent = false] of items) queue.push(name, { accountId, isUrgent });
  return queue;
}

function drain(queue: ReturnType<typeof fill>): readonly string[] {
  const taken: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) taken.push(next);
  return taken;
}

test("accounts take turns, however much one of them has waiting, each in its own order", () => {
  const queue = fill([..."12345"].map((at) => [`a${at}`, "a"] as const));
  for (const at of "12") queue.push(`b${at}`, { accountId: "b", isUrgent: false });
  assert.deepEqual(drain(queue), ["a1", "b1", "a2", "b2", "a3", "a4", "a5"]);
});

test("an account that comes back waits for its turn", () => {
  const queue = fill([
    ["a1", "a"],
    ["a2", "a"],
    ["b1", "b"],
  ]);
  assert.equal(queue.shift(), "a1");
  queue.push("c1", { accountId: "c", isUrgent: false });
  queue.push("a3", { accountId: "a", isUrgent: false });
  assert.deepEqual(drain(queue), ["b1", "a2", "c1", "a3"]);
});

test("what somebody waits for goes before all else", () => {
  const queue = fill([
    ["slow", "a"],
    ["asked", "b", true],
    ["asked too", "a", true],
    ["slow too", "b"],
  ]);
  assert.deepEqual(drain(queue), ["asked", "asked too", "slow", "slow too"]);
});

test("whatever comes and is given up, each of the others is taken once, and none waits for more than a round", () => {
  const step = fc.record({
    account: fc.constantFrom("a", "b", "c"),
    isUrgent: fc.boolean(),
    isGivenUp: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const queue = createFairQueue<number>();
      for (const [at, { account, isUrgent }] of steps.entries())
        queue.push(at, { accountId: account, isUrgent });
      const left = new Set(steps.keys());
      for (const [at, { isGivenUp }] of steps.entries()) {
        if (!isGivenUp) continue;
        assert.equal(queue.remove(at), true);
        assert.equal(queue.remove(at), false);
        left.delete(at);
      }
      assert.equal(queue.size, left.size);
      const served: string[] = [];
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { account, isUrgent } = steps[next] ?? assert.fail();
        assert.ok(left.delete(next));
        const waiting = [...left].filter((at) => steps[at]?.isUrgent === isUrgent);
        // Between two turns of an account, each account that waits has one.
        const since = served.slice(served.lastIndexOf(`${account}${isUrgent}`) + 1);
        if (since.length < served.length)
          for (const at of waiting) {
            const other = steps[at]?.account ?? "";
            assert.ok(other === account || since.includes(`${other}${isUrgent}`));
          }
        served.push(`${account}${isUrgent}`);
      }
      assert.equal(left.size, 0);
      assert.equal(queue.size, 0);
    }),
  );
});
