import assert from "node:assert/strict";
import { test } from "node:test";
import { choosePairs, PAIR_FEATURES } from "./column-pairs.ts";
import { TYPE_FEATURES } from "./column-types.ts";
import { scoreColumnPair, scoreColumnType } from "./column-weights.ts";

test("each feature that is evidence raises the score or leaves it", () => {
  const unit = (size: number, at: number) => Array.from({ length: size }, (_, k) => Number(k === at));
  const rises = (features: readonly string[], score: (of: readonly number[]) => number, until: string) => {
    const none = score(unit(features.length, -1));
    const evidence = features.slice(0, features.indexOf(until));
    assert.ok(evidence.length > 0);
    for (const [at, name] of evidence.entries()) assert.ok(score(unit(features.length, at)) >= none, name);
    // Every feature has a weight: one that lacks its own would count as 0, the last one is not 0.
    assert.notEqual(score(unit(features.length, features.length - 1)), none);
  };
  rises(TYPE_FEATURES, scoreColumnType, "neutral");
  rises(PAIR_FEATURES, scoreColumnPair, "rivals");
});

test("two columns tell one edge type, an edge type is told once, and a column is of one type", () => {
  const pair = (source: number, target: number, edge: number, score: number, targetType = 1) => {
    return { source, target, edge, score, sourceType: 0, targetType, features: [] };
  };
  const best = pair(0, 1, 0, 0.9);
  const other = pair(0, 2, 1, 0.7);
  const pairs = [pair(0, 1, 1, 0.8), pair(0, 3, 0, 0.75), other, best, pair(3, 1, 3, 0.6, 2)];
  assert.deepEqual(choosePairs(pairs), [best, other]);
});
