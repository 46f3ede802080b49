import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fuseScores } from "./fusion.ts";

test("both scores are stretched over the candidates and count half each", () => {
  const scores = fuseScores([
    { lexical: 8, dense: 0.2 },
    { lexical: 0, dense: 0.6 },
    { lexical: 4, dense: 0.4 },
  ]);
  assert.deepEqual(scores, [0.5, 0.5, 0.5 * 0.5 + 0.5 * ((0.4 - 0.2) / (0.6 - 0.2))]);
});

test("where there is nothing to stretch the value itself speaks", () => {
  assert.deepEqual(fuseScores([]), []);
  assert.deepEqual(fuseScores([{ lexical: 3, dense: 0.25 }]), [0.625]);
  assert.deepEqual(
    fuseScores([
      { lexical: 0, dense: -0.25 },
      { lexical: 0, dense: 0.5 },
    ]),
    [0, 0.5],
  );
  assert.deepEqual(
    fuseScores([
      { lexical: 2, dense: -1 },
      { lexical: 2, dense: 1 },
    ]),
    [0.5, 1],
  );
});

test("scores are within 0…1 and better by both means not worse", () => {
  const candidates = fc.record({
    lexical: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 50, noNaN: true })),
    dense: fc.double({ min: -1, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(candidates, { maxLength: 30 }), (all) => {
      const scores = fuseScores(all);
      for (const [one, score] of scores.entries()) {
        assert.ok(score >= 0 && score <= 1);
        for (const [other, otherScore] of scores.entries()) {
          const isBetter = all[one]!.lexical >= all[other]!.lexical && all[one]!.dense >= all[other]!.dense;
          if (isBetter) assert.ok(score >= otherScore);
        }
      }
    }),
  );
});
