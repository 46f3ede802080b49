import assert from "node:assert/strict";
import { test } from "node:test";
import { isOverBounds } from "./request-keys.ts";

const MIB = 2 ** 20;
const HOUR_MS = 60 * 60_000;

test("of an account's keys 10,000, 64 MiB of answers and a day are kept, and always the newest", () => {
  const key = (seq: number, mebibytes = 0, hours = 0) => ({
    seq,
    bytes_before: mebibytes * MIB,
    created_at: hours * HOUR_MS,
  });
  assert.equal(isOverBounds(key(1), key(10_000), 0), false);
  assert.equal(isOverBounds(key(1), key(10_001), 0), true);
  assert.equal(isOverBounds(key(1, 1), key(2, 64), 0), false);
  assert.equal(isOverBounds(key(1, 1), key(2, 65), 0), true);
  assert.equal(isOverBounds(key(1, 0, 1), key(2, 0, 24), 25 * HOUR_MS - 1), false);
  assert.equal(isOverBounds(key(1, 0, 1), key(2, 0, 25), 25 * HOUR_MS), true);
  assert.equal(isOverBounds(key(2), key(2), 99 * HOUR_MS), false);
});
