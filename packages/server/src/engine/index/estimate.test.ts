import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createMemoryIndex, segmentsOf } from "../../../test/support/memory-index.ts";
import { queryTerms } from "../text/terms.ts";
import type { IndexableChunk } from "./build.ts";
import { fuseScores } from "./fusion.ts";
import { prepareSearch, searchIndex } from "./search.ts";

const WORDS = ["pump", "valve", "rotor", "seal", "bearing", "oil", "leak"];
const DIMENSIONS = 16;
/** For the cosine of int8 vectors with only 16 components. */
const TOLERANCE = 0.02;

const numbers = fc.array(fc.integer({ min: -100, max: 100 }), {
  minLength: DIMENSIONS,
  maxLength: DIMENSIONS,
});
const vectors = numbers.map((components) => {
  const length = Math.hypot(...components);
  return Float32Array.from(components, (value, at) => (length === 0 ? Number(at === 0) : value / length));
});
const corpora = fc
  .array(fc.tuple(fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }), vectors), {
    minLength: 1,
    maxLength: 60,
  })
  .map((parts) =>
    parts.map(
      ([words, vector], place): IndexableChunk => ({
        versionId: Math.floor(place / 4) + 1,
        position: place % 4,
        sourceDocId: `d${Math.floor(place / 4)}`,
        metadata: {},
        indexedText: words.join(" "),
        vector,
      }),
    ),
  );

test("scores of given chunks equal those of the estimated list, in any segments, and are close to the exact ones", async () => {
  const memory = createMemoryIndex();
  const settings = fc.record({
    corpus: corpora,
    hiddenVersion: fc.integer({ min: 1, max: 20 }),
    words: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }),
    vector: vectors,
    only: fc.constantFrom(null, "d0", "d2"),
  });
  await fc.assert(
    fc.asyncProperty(settings, async ({ corpus, hiddenVersion, words, vector, only }) => {
      const parts = [0, 1].map((rest) => corpus.filter((_, at) => at % 2 === rest));
      const search = {
        vector,
        kernels: memory.kernels,
        terms: queryTerms(words.join(" ")),
        index: memory.open(segmentsOf(parts), new Set([hiddenVersion])),
        filter: only === null ? null : { sourceDocIds: [only], metadata: [] },
        limit: 100,
        readVectors: async (keys: readonly { versionId: number; position: number }[]) =>
          keys.map((key) => corpus.find((chunk) => nameOf(chunk) === nameOf(key))?.vector ?? null),
      };
      const prepared = await prepareSearch(search);
      const estimated = await prepared.estimate(100);
      const scores = await prepared.scoresOf([...corpus, { versionId: 999, position: 0 }]);
      const known = new Map(estimated.map((chunk) => [nameOf(chunk), chunk]));
      for (const [at, chunk] of corpus.entries()) {
        const listed = known.get(nameOf(chunk)) ?? null;
        assert.equal(scores[at] === null, listed === null);
        assert.ok(Math.abs((scores[at]?.score ?? 0) - (listed?.score ?? 0)) < 1e-6);
        assert.ok(Math.abs((scores[at]?.lexical ?? 0) - (listed?.lexical ?? 0)) < 1e-6);
      }
      assert.equal(scores.at(-1), null);
      for (const exact of await searchIndex(search)) {
        const near = known.get(nameOf(exact));
        assert.ok(near !== undefined);
        assert.ok(Math.abs(near.dense - exact.dense) < TOLERANCE);
        assert.ok(Math.abs(near.score - exact.score) < TOLERANCE);
      }
      const sorted = estimated.toSorted((one, other) => other.score - one.score);
      assert.deepEqual(
        estimated.map(({ score }) => score),
        sorted.map(({ score }) => score),
      );
      const isTermless = search.terms.length === 0;
      for (const chunk of estimated) {
        assert.ok(chunk.lexical >= 0 && chunk.lexical <= 1);
        const weights = isTermless ? { lexical: 0, dense: 1 } : { lexical: 0.59, dense: 0.41 };
        assert.ok(Math.abs(fuseScores(chunk, weights) - chunk.score) < 1e-6);
      }
    }),
    { numRuns: 100 },
  );
});

test("a position that only the next document of the segment has gives no score", async () => {
  const memory = createMemoryIndex();
  const chunkOf = (versionId: number, position: number): IndexableChunk => ({
    versionId,
    position,
    sourceDocId: `d${versionId}`,
    metadata: {},
    indexedText: "oil",
    vector: Float32Array.of(1, 0),
  });
  const chunks = [chunkOf(1, 0), chunkOf(2, 5)];
  const { scoresOf } = await prepareSearch({
    index: memory.open(segmentsOf([chunks]), new Set()),
    kernels: memory.kernels,
    terms: ["oil"],
    vector: Float32Array.of(1, 0),
    filter: null,
    limit: 1,
    readVectors: async (keys) => keys.map(() => null),
  });
  const keys = [
    { versionId: 1, position: 5 },
    { versionId: 2, position: 0 },
    { versionId: 2, position: 5 },
  ];
  const scores = await scoresOf(keys);
  assert.deepEqual(
    scores.map((score) => score?.versionId),
    [undefined, undefined, 2],
  );
});

function nameOf({ versionId, position }: { readonly versionId: number; readonly position: number }): string {
  return `${versionId}/${position}`;
}
