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

test("accounts take turns, however many items one of them has, and each account's items keep their order", () => {
  const queue = fill([..."12345"].map((number) => [`a${number}`, "a"] as const));
  for (const number of "12") queue.push(`b${number}`, { accountId: "b", isUrgent: false });
  assert.deepEqual(drain(queue), ["a1", "b1", "a2", "b2", "a3", "a4", "a5"]);
});

test("an account that pushes again waits for its next turn", () => {
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

test("urgent items come before all others", () => {
  const queue = fill([
    ["first", "a"],
    ["urgent first", "b", true],
    ["urgent second", "a", true],
    ["second", "b"],
  ]);
  assert.deepEqual(drain(queue), ["urgent first", "urgent second", "first", "second"]);
});

test("each item that is not removed is taken once, and no account waits for more than one round", () => {
  const step = fc.record({
    account: fc.constantFrom("a", "b", "c"),
    isUrgent: fc.boolean(),
    isRemoved: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const queue = createFairQueue<number>();
      const removals = steps.map(({ account, isUrgent }, index) =>
        queue.push(index, { accountId: account, isUrgent }),
      );
      const left = new Set(steps.keys());
      for (const [index, { isRemoved }] of steps.entries()) {
        if (!isRemoved) continue;
        removals[index]?.();
        removals[index]?.();
        left.delete(index);
      }
      assert.equal(queue.size, left.size);
      const served: string[] = [];
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { account, isUrgent } = steps[next] ?? assert.fail();
        assert.ok(left.delete(next));
        const waiting = [...left].filter((index) => steps[index]?.isUrgent === isUrgent);
        // Between two turns of one account, each waiting account has a turn.
        const servedSince = served.slice(served.lastIndexOf(`${account}${isUrgent}`) + 1);
        if (servedSince.length < served.length)
          for (const index of waiting) {
            const other = steps[index]?.account ?? "";
            assert.ok(other === account || servedSince.includes(`${other}${isUrgent}`));
          }
        served.push(`${account}${isUrgent}`);
      }
      assert.equal(left.size, 0);
      assert.equal(queue.size, 0);
    }),
  );
});

test("an account that may not begin keeps its turn", () => {
  const queue = fill([
    ["a1", "a"],
    ["b1", "b"],
    ["b2", "b"],
  ]);
  assert.equal(
    queue.shift((accountId) => accountId !== "a"),
    "b1",
  );
  assert.equal(
    queue.shift(() => false),
    undefined,
  );
  assert.deepEqual(drain(queue), ["a1", "b2"]);
});
