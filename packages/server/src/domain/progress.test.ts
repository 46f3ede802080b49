import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { estimateChunks, guessChunks } from "./progress.ts";

test("an estimate is proportional to the part of the text that the chunks so far cover", () => {
  assert.equal(estimateChunks(10_000, { count: 10, end: 1_000 }), 100);
  assert.equal(estimateChunks(10_000, { count: 10, end: 9_999 }), 11);
});

test("an estimate is larger than the count so far, and a guess is at least one", () => {
  fc.assert(
    fc.property(
      fc.nat(1e7),
      fc.nat(1e5),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (length, count, share) => {
        assert.ok(estimateChunks(length, { count, end: Math.floor(length * share) }) > count);
        assert.ok(guessChunks(length, { chunkTokens: 128 }) >= 1);
      },
    ),
  );
});
