import assert from "node:assert/strict";
import { test } from "node:test";
import { canReturn, mergeChunks, mergeGraphs } from "./merge-steps.ts";
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

const quoteOf = (versionId: number, sourceDocId = String(versionId)) => ({
  start: 0,
  versionId,
  position: 0,
  sourceDocId,
});

test("quoted chunks are among those that are returned, in the place of the last ones", () => {
  const steps = [stepOf(1, { 1: 0.9, 2: 0.8, 3: 0.7 }), stepOf(0.5, { 4: 0.6, 5: 0.5 })];
  const merged = (quotes: readonly number[], depth = 5) =>
    mergeChunks(steps, { limit: 5, depth, returned: 2, quotes: quotes.map((id) => quoteOf(id)) }).map(
      ({ versionId }) => versionId,
    );
  assert.deepEqual(merged([]), [1, 2, 3, 4, 5]);
  assert.deepEqual(merged([3]), [1, 3, 2, 4, 5]);
  assert.deepEqual(merged([5, 4]), [4, 5, 1, 2, 3]);
  // The second step's chunk 5 does not count, but is quoted.
  assert.deepEqual(merged([5], 1), [1, 5, 2, 3, 4]);
});

test("a quoted chunk takes the place of a better one of its document", () => {
  const step = stepOf(1, { 1: 0.9, 2: 0.8, 3: 0.7 });
  const chunks = step.answer.chunks.map((chunk, at) => ({ ...chunk, sourceDocId: at < 2 ? "a" : "b" }));
  const steps = [{ ...step, answer: { ...step.answer, chunks } }];
  const options = { limit: 5, depth: 5, returned: 2, perDocument: 1 };
  const ids = (quotes: ReturnType<typeof quoteOf>[]) =>
    mergeChunks(steps, { ...options, quotes }).map(({ versionId }) => versionId);
  assert.deepEqual(ids([]), [1, 3]);
  assert.deepEqual(ids([quoteOf(2, "a")]), [2, 3]);
});

test("no more can be quoted than can be returned, of all documents and of one", () => {
  const [one, other] = [quoteOf(1, "a"), quoteOf(2, "a")];
  assert.equal(canReturn([one, one, other], { returned: 2, perDocument: 2 }), true);
  assert.equal(canReturn([one, other], { returned: 2, perDocument: 1 }), false);
  assert.equal(canReturn([one, other], { returned: 1, perDocument: null }), false);
});

test("relationships connect two of the entities, however many the steps found", () => {
  const step = stepOf(1, {});
  const entity = (name: string) => ({ type: "Thing", name, properties: {} });
  const first = Array.from({ length: 18 }, (_, at) => entity(`First ${at}`));
  const later = Array.from({ length: 9 }, (_, at) => entity(`Later ${at}`));
  const relationships = later.map(({ name }) => ({ source: "First 0", type: "HAS", target: name }));
  const merged = mergeGraphs([
    { ...step, answer: { ...step.answer, entities: first } },
    { ...step, answer: { ...step.answer, entities: later, relationships } },
  ]);
  assert.equal(merged.entities.length, 20);
  assert.deepEqual(
    merged.relationships.map(({ target }) => target),
    ["Later 0", "Later 1"],
  );
});
