import assert from "node:assert/strict";
import { test } from "node:test";
import { competeForPairs } from "./score.ts";
import { type Scored, selectRelations } from "./select.ts";

type Range = readonly [from: number, to: number];

function scored(edge: number, source: Range, target: Range, confidence: number): Scored {
  const fit = { fit: 1, share: 1 };
  return {
    candidate: {
      source: {
        mention: 0,
        range: { from: source[0], to: source[1] },
        kind: "proper",
        isVariant: false,
        isOpening: false,
        typeScores: new Float32Array(0),
        distant: null,
      },
      edge,
      target: 0,
      sourceFit: fit,
      targetFit: fit,
    },
    target: { from: target[0], to: target[1] },
    confidence,
  };
}

const confidences = (list: readonly Scored[]) => selectRelations(list).map(({ confidence }) => confidence);

test("Of two cuts of one target the surer is kept.", () => {
  assert.deepEqual(confidences([scored(0, [0, 2], [5, 7], 0.4), scored(0, [0, 2], [5, 8], 0.6)]), [0.6]);
});

test("Of a relation both ways round the surer is kept.", () => {
  assert.deepEqual(confidences([scored(0, [0, 2], [5, 7], 0.4), scored(0, [5, 7], [0, 2], 0.6)]), [0.6]);
});

test("Other edge types, other targets and other sources stay.", () => {
  const list = [
    scored(0, [0, 2], [5, 7], 0.9),
    scored(1, [0, 2], [5, 7], 0.8),
    scored(0, [0, 2], [9, 10], 0.7),
    scored(0, [12, 13], [5, 7], 0.6),
  ];
  assert.deepEqual(confidences(list), [0.9, 0.8, 0.7, 0.6]);
});

test("Between the same two ends a less likely edge type loses to a likelier one; other ends are untouched.", () => {
  const scores = competeForPairs(Float64Array.of(0.8, 0.4, 0.4), (index) => (index < 2 ? 0 : 1));
  assert.deepEqual(
    [...scores].map((score) => Math.round(score * 100)),
    [80, 20, 40],
  );
});
