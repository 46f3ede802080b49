import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DENSE_WEIGHT, fuseScores, fusionWeights } from "./fusion.ts";

test("the fused score is the weighted sum of the normalized BM25 score and the cosine", () => {
  const weights = fusionWeights(8);
  const expected = (1 - DENSE_WEIGHT) * (2 / 8) + DENSE_WEIGHT * 0.5;
  assert.ok(Math.abs(fuseScores({ lexical: 2, dense: 0.5 }, weights) - expected) < 1e-15);
  assert.equal(fuseScores({ lexical: 0, dense: 0.5 }, weights), DENSE_WEIGHT * 0.5);
});

test("without terms the score is the cosine, and a negative sum scores 0", () => {
  assert.equal(fuseScores({ lexical: 0, dense: 0.25 }, fusionWeights(0)), 0.25);
  assert.equal(fuseScores({ lexical: 0, dense: -0.25 }, fusionWeights(0)), 0);
  assert.equal(fuseScores({ lexical: 0, dense: -0.25 }, fusionWeights(3)), 0);
});

test("a chunk's score is within 0…1 and monotonic in both parts", () => {
  const scores = fc.record({
    lexical: fc.double({ min: 0, max: 50, noNaN: true }),
    dense: fc.double({ min: -1, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(scores, scores, fc.double({ min: 50, max: 80, noNaN: true }), (one, other, ceiling) => {
      const weights = fusionWeights(ceiling);
      const [first, second] = [one, other].map((each) => fuseScores(each, weights));
      assert.ok(first! >= 0 && first! <= 1);
      if (one.lexical >= other.lexical && one.dense >= other.dense) assert.ok(first! >= second!);
    }),
  );
});
