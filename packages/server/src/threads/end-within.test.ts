import assert from "node:assert/strict";
import { test } from "node:test";
import { endWithin, TimeLimitError } from "./end-within.ts";

test("work that does not end is ended, in a loop and in a regular expression", () => {
  assert.throws(() => {
    endWithin(20, () => {
      for (;;);
    });
  }, TimeLimitError);
  const slow = /^(a+)+$/; // Takes years for this text.
  assert.throws(() => endWithin(20, () => slow.test(`${"a".repeat(60)}b`)), TimeLimitError);
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
