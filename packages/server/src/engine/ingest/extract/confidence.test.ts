import assert from "node:assert/strict";
import { test } from "node:test";
import { confidenceOf, type Producer } from "./confidence.ts";

const PRODUCERS: readonly Producer[] = [
  "record",
  "table",
  "statement",
  "open statement",
  "open verb",
  "pair",
  "pair like examples",
  "relation",
  "relation like examples",
];

test("a higher score of a producer is never worth less, and every confidence is a probability", () => {
  const scores = [Number.NEGATIVE_INFINITY, -1, 0, 1e-9, 0.1, 0.5, 0.9, 1 - 1e-9, 1, 2];
  for (const producer of PRODUCERS) {
    const confidences = scores.map((score) => confidenceOf(producer, score));
    assert.deepEqual(
      confidences,
      confidences.toSorted((a, b) => a - b),
      producer,
    );
    for (const confidence of confidences) assert.ok(confidence > 0 && confidence < 1, producer);
  }
});

test("equal scores are worth more of a producer of which judges say so", () => {
  assert.ok(confidenceOf("statement", 0.7) > 0.8);
  assert.ok(confidenceOf("pair", 0.7) < 0.8);
});
