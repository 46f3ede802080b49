import assert from "node:assert/strict";
import { test } from "node:test";
import { actOnEach, type Verdict } from "./act-on-each.ts";

const items = Array.from({ length: 10 }, (_, at) => at);

function run(
  act: (batch: readonly number[]) => Promise<unknown>,
  {
    verdict = "one",
    lanes = 1,
    stop = new AbortController(),
  }: { readonly verdict?: Verdict; readonly lanes?: number; readonly stop?: AbortController } = {},
) {
  return actOnEach(
    { items, size: 3, lanes, act },
    { judge: () => verdict, signal: stop.signal, pause: async () => undefined, onProgress: () => undefined },
  );
}

test("all are done in bounded requests, several at a time", async () => {
  const asked: (readonly number[])[] = [];
  const outcome = await run(async (batch) => asked.push(batch), { lanes: 2 });
  assert.deepEqual(outcome, { done: 10, left: [], error: null });
  assert.deepEqual(asked.flat(), items);
  assert.ok(asked.every(({ length }) => length <= 3));
});

test("what fails is left, and the others are done", async () => {
  const failure = new Error("No.");
  const outcome = await run(async (batch) => {
    if (batch.includes(4)) throw failure;
  });
  assert.deepEqual(outcome, { done: 7, left: [3, 4, 5], error: failure });
});

test("where the others would fail as well, they are left", async () => {
  const failure = new Error("No more.");
  let asked = 0;
  const refuse = async (batch: readonly number[]) => {
    asked++;
    if (batch.includes(4)) throw failure;
  };
  const outcome = await run(refuse, { verdict: "all" });
  assert.deepEqual(outcome, { done: 3, left: [3, 4, 5, 6, 7, 8, 9], error: failure });
  assert.equal(asked, 2);
});

test("what can be tried again later is", async () => {
  let refusals = 2;
  const outcome = await run(
    async () => {
      if (refusals-- > 0) throw new Error("Wait.");
    },
    { verdict: 5 },
  );
  assert.deepEqual(outcome, { done: 10, left: [], error: null });
});

test("when somebody stops it, what was not begun is left without an error", async () => {
  const stop = new AbortController();
  const outcome = await run(async (batch) => batch.includes(3) && stop.abort(), { stop });
  assert.deepEqual(outcome, { done: 6, left: [6, 7, 8, 9], error: null });
});
