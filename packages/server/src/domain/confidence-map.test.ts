import assert from "node:assert/strict";
import { test } from "node:test";
import { applyConfidence, fitConfidence } from "./confidence-map.ts";

const judged = (score: number, right: number, wrong: number) => [
  ...Array.from({ length: right }, () => ({ score, isTrue: true })),
  ...Array.from({ length: wrong }, () => ({ score, isTrue: false })),
];

test("the fitted map gives about the share of a score that is true", () => {
  const map = fitConfidence([...judged(0.9, 60, 40), ...judged(0.6, 30, 70), ...judged(0.99, 85, 15)]);
  assert.ok(Math.abs(applyConfidence(map, 0.9) - 0.6) < 0.1);
  assert.ok(Math.abs(applyConfidence(map, 0.6) - 0.3) < 0.1);
  assert.ok(applyConfidence(map, 0.99) > applyConfidence(map, 0.9));
});

test("a map never falls, whatever was judged, and every score has a probability", () => {
  const map = fitConfidence([...judged(0.9, 1, 50), ...judged(0.3, 50, 1)]);
  assert.equal(map.slope, 0);
  for (const score of [0, 1, 0.5]) {
    const confidence = applyConfidence(map, score);
    assert.ok(confidence > 0 && confidence < 1);
  }
});
