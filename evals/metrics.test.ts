import assert from "node:assert/strict";
import { test } from "node:test";
import { ndcg, recall } from "./metrics.ts";

test("nDCG is 1 for a perfect order, less for a worse one, and 0 without a relevant document", () => {
  const relevant = new Map([
    ["a", 2],
    ["b", 1],
  ]);
  assert.equal(ndcg(["a", "b", "c"], relevant, 10), 1);
  const swapped = ndcg(["b", "a"], relevant, 10);
  assert.ok(Math.abs(swapped - (1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3))) < 1e-12);
  assert.equal(ndcg(["c", "d"], relevant, 10), 0);
});

test("recall counts relevant documents within the depth", () => {
  const relevant = new Map([
    ["a", 1],
    ["b", 1],
    ["z", 0],
  ]);
  assert.equal(recall(["x", "a", "b"], relevant, 2), 0.5);
  assert.equal(recall(["x", "a", "b"], relevant, 3), 1);
});
