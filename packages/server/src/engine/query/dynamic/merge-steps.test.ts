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

test("a chunk moves up by the step's weight times its score there, and has the most that the question or a step gave it", () => {
  // Chunk 2 comes first with .25 + .75 × .5.
  assert.deepEqual(merge([stepOf(1, { 1: 0.5, 2: 0.25 }), stepOf(0.5, { 2: 1, 3: 0.5 })]), [
    [2, 0.5],
    [1, 0.5],
    [3, 0.25],
  ]);
});

test("no chunk of the list has more than the one before it", () => {
  // Chunk 2 comes first with .3 + .7 × .5 × .8, and earned .4.
  assert.deepEqual(merge([stepOf(1, { 1: 0.5, 2: 0.3 }), stepOf(0.5, { 2: 0.8 })]), [
    [2, 0.4],
    [1, 0.4],
  ]);
});

test("a chunk keeps how near it is to the question itself", () => {
  const [first, later] = [stepOf(1, { 1: 0.5 }), stepOf(1, { 1: 0.9, 2: 0.4 })];
  const near = (step: Step, fused: number): Step => {
    const chunks = step.answer.chunks.map((chunk) => ({ ...chunk, fused }));
    return { ...step, answer: { ...step.answer, chunks } };
  };
  const merged = mergeChunks([near(first, 0.3), near(later, 0.8)], { limit: 5, depth: 5 });
  assert.deepEqual(
    merged.map(({ fused }) => fused),
    [0.3, 0],
  );
});

test("a step whose chunks have nothing of its question adds nothing", () => {
  assert.deepEqual(merge([stepOf(1, { 1: 0.5 }), stepOf(1, { 2: 0 })]), [
    [1, 0.5],
    [2, 0],
  ]);
});
