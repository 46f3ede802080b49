import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeChunks } from "./merge-steps.ts";
import type { Step } from "./steps.ts";

/** A step with one chunk per similarity; the version is that of the chunk's text. */
function stepOf(weight: number, similarities: Readonly<Record<number, number>>): Step {
  const chunks = Object.entries(similarities).map(([versionId, similarity]) => {
    const place = { versionId: Number(versionId), position: 0, sourceDocId: versionId, start: 0, end: 1 };
    return { ...place, text: "A", similarity };
  });
  const answer = { strategyUsed: "hybrid", summary: "", entities: [], relationships: [], chunks } as const;
  return { query: "", weight, about: null, answer };
}

const merge = (steps: readonly Step[]) =>
  mergeChunks(steps, { limit: 5, depth: 5 }).map(({ versionId, similarity }) => [versionId, similarity]);

test("a chunk gains the step's weight times its score there, of what is missing to 1", () => {
  assert.deepEqual(merge([stepOf(1, { 1: 0.5, 2: 0.25 }), stepOf(0.5, { 2: 1, 3: 0.5 })]), [
    [2, 0.25 + 0.75 * 0.5],
    [1, 0.5],
    [3, 0.5 * 0.5 ** 4 * 0.5],
  ]);
});

test("a step whose chunks have nothing of its question adds nothing", () => {
  assert.deepEqual(merge([stepOf(1, { 1: 0.5 }), stepOf(1, { 2: 0 })]), [
    [1, 0.5],
    [2, 0],
  ]);
});
