import assert from "node:assert/strict";
import { test } from "node:test";
import { endWithin, NoTimeError, TimeLimitError } from "./end-within.ts";

/** Each look is so much later than the last one. */
function clock(stepMs: number) {
  let ms = 0;
  return () => (ms += stepMs);
}

test("work that does not end is ended, in a loop and in a regular expression", () => {
  assert.throws(() => {
    endWithin(
      20,
      () => {
        for (;;);
      },
      clock(20),
    );
  }, TimeLimitError);
  const slow = /^(a+)+$/; // Takes years for this text.
  const match = () => slow.test(`${"a".repeat(60)}b`);
  assert.throws(() => endWithin(20, match, clock(20)), TimeLimitError);
});

test("work that did not have the processor is told from work that takes too long", () => {
  const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  assert.throws(() => endWithin(500, wait), NoTimeError);
  assert.throws(() => endWithin(20, wait, clock(9)), NoTimeError);
  assert.throws(() => endWithin(20, wait, clock(10)), TimeLimitError);
});

test("other work returns and throws what it does", () => {
  const result = { list: [1] };
  assert.equal(
    endWithin(60_000, () => result),
    result,
  );
  const fault = new TypeError("fault");
  assert.throws(
    () =>
      endWithin(60_000, () => {
        throw fault;
      }),
    (error) => error === fault,
  );
});
