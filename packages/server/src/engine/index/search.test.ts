import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createMemoryIndex, segmentsOf } from "../../../test/support/memory-index.ts";
import type { Metadata, SearchFilter } from "../../domain/metadata.ts";
import { indexedTerms, queryTerms } from "../text/terms.ts";
import type { IndexableChunk } from "./build.ts";
import { compareIdentities } from "./candidates.ts";
import { fuseScores, fusionWeights } from "./fusion.ts";
import { BM25 } from "./lexical.ts";
import { mergeSegments } from "./merge.ts";
import type { IndexSearch, SearchableIndex, VectorReader } from "./scan.ts";
import { searchIndex } from "./search.ts";
import { openSegment } from "./segment.ts";

const WORDS = ["pump", "valve", "ax-20", "err_404", "rotor", "seal", "bearing", "the", "oil", "東京都"];
const DIMENSIONS = 5;

/** Unit vectors with few distinct components, so that equal scores are common. */
const vectors = fc
  .array(fc.constantFrom(-1, -0.5, 0, 0.25, 1, 0.3), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((components) => unit(components));
const texts = fc.array(fc.constantFrom(...WORDS), { maxLength: 9 }).map((words) => words.join(" "));
const chunkOf = (place: number, indexedText: string, vector: Float32Array): IndexableChunk => {
  const versionId = Math.floor(place / 3) * 2 + 1;
  const metadata: Metadata = versionId % 3 === 0 ? {} : { year: versionId % 5, kind: `k${versionId % 2}` };
  const sourceDocId = `d${(versionId * 7) % 11}`;
  return { versionId, position: place % 3, sourceDocId, indexedText, vector, metadata };
};
const corpora = fc
  .array(fc.tuple(texts, vectors), { maxLength: 60 })
  .map((parts) => parts.map(([text, vector], place) => chunkOf(place, text, vector)));
const filters = fc.constantFrom<SearchFilter | null>(
  null,
  null,
  { sourceDocIds: ["d7", "d10", "d2"], metadata: [] },
  { sourceDocIds: null, metadata: [{ key: "year", range: { gte: 1, lt: 4 } }] },
  {
    sourceDocIds: null,
    metadata: [
      { key: "kind", anyOf: ["k1", 3] },
      { key: "year", anyOf: [3, 4] },
    ],
  },
  { sourceDocIds: ["absent"], metadata: [] },
);

function unit(components: readonly number[]): Float32Array {
  const length = Math.hypot(...components);
  return Float32Array.from(components, (value, at) => (length === 0 ? Number(at === 0) : value / length));
}

function meets({ sourceDocId, metadata }: IndexableChunk, filter: SearchFilter | null): boolean {
  if (filter === null) return true;
  if (filter.sourceDocIds !== null && !filter.sourceDocIds.includes(sourceDocId)) return false;
  return filter.metadata.every((condition) => {
    const value = metadata[condition.key];
    if (value === undefined) return false;
    if ("anyOf" in condition) return condition.anyOf.includes(value);
    const { gte = -Infinity, lt = Infinity } = condition.range;
    return typeof value === "number" && value >= gte && value < lt;
  });
}

const nameOf = ({ versionId, position }: { versionId: number; position: number }) =>
  `${versionId}/${position}`;

/** Deterministic pseudo-random numbers in 0…1 (Numerical Recipes' generator). */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface QueryOptions extends Pick<IndexSearch, "terms" | "vector" | "limit" | "filter" | "perDocument"> {}

/** A reference implementation of the search, as simple as possible. */
function bruteForce(
  live: readonly IndexableChunk[],
  { terms, vector, limit, filter, perDocument = null }: QueryOptions,
) {
  const isAmongFirst =
    (max: number | null) =>
    (
      { chunk }: { chunk: { sourceDocId: string } },
      at: number,
      all: readonly { chunk: { sourceDocId: string } }[],
    ) =>
      max === null ||
      all.slice(0, at).filter((other) => other.chunk.sourceDocId === chunk.sourceDocId).length < max;
  const found = live.map((chunk) => indexedTerms(chunk.indexedText));
  const bags = found.map(({ terms: bag }) => bag);
  const idf = (term: string) => {
    const df = bags.filter((bag) => bag.includes(term)).length;
    return Math.log(1 + (live.length - df + 0.5) / (df + 0.5));
  };
  const questionTerms = [...new Set(terms)]
    .sort((one, other) => (one < other ? -1 : 1))
    .map((term) => ({
      term,
      weight:
        terms.filter((other) => other === term).length * idf(term) * Math.sqrt(idf(term)) * (BM25.k1 + 1),
    }));
  const ceiling = questionTerms.reduce((sum, { weight }) => sum + weight, 0);
  const weights = fusionWeights(live.length === 0 ? 0 : ceiling);
  const denseFactor = weights.dense * Math.fround(Math.max(...vector.map(Math.abs)) / 127);
  const perToken = (BM25.k1 * BM25.b * live.length) / found.reduce((sum, { length }) => sum + length, 0);
  return live
    .map((chunk, index) => {
      const bag = bags[index]!;
      let lexical = 0;
      for (const { term, weight } of questionTerms) {
        const tf = bag.filter((other) => other === term).length;
        if (tf > 0)
          lexical += (weight * tf) / (tf + BM25.k1 * (1 - BM25.b) + perToken * found[index]!.length);
      }
      const rowScale = Math.fround(Math.max(...chunk.vector.map(Math.abs)) / 127);
      const coarse = Math.fround(dot(int8(vector), int8(chunk.vector)) * rowScale);
      return { chunk, lexical, estimate: weights.lexical * lexical + denseFactor * coarse };
    })
    .filter(({ chunk }) => meets(chunk, filter))
    .sort((a, b) => b.estimate - a.estimate || compareIdentities(a.chunk, b.chunk))
    .filter(isAmongFirst(perDocument && 2 * perDocument))
    .slice(0, Math.max(20, 2 * limit))
    .filter(({ estimate }, _at, all) => {
      const least = all.filter(isAmongFirst(perDocument)).slice(0, limit).at(-1)!.estimate;
      return estimate >= least - 2 * weights.dense * 0.005;
    })
    .map(({ chunk: { versionId, position, sourceDocId, vector: stored }, lexical }) => {
      const norms = Math.sqrt(dot([...stored], [...stored]) * dot([...vector], [...vector]));
      const dense = Math.max(-1, Math.min(1, dot([...vector], [...stored]) / norms));
      const score = fuseScores({ lexical, dense }, weights);
      return { versionId, position, sourceDocId, lexical, dense, score };
    })
    .sort((a, b) => b.score - a.score || b.dense - a.dense || compareIdentities(a, b))
    .filter((chunk, at, all) =>
      isAmongFirst(perDocument)(
        { chunk },
        at,
        all.map((each) => ({ chunk: each })),
      ),
    )
    .slice(0, limit);
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const int8 = (vector: Float32Array) => {
  const largest = Math.max(...vector.map(Math.abs));
  return [...vector].map((value) => Math.round((value / largest) * 127));
};

const readerOf = (chunks: readonly IndexableChunk[]): VectorReader => {
  const stored = new Map(chunks.map((chunk) => [`${chunk.versionId}/${chunk.position}`, chunk.vector]));
  return async (keys) =>
    keys.map(({ versionId, position }) => stored.get(`${versionId}/${position}`) ?? null);
};
const split = (chunks: readonly IndexableChunk[], into: readonly number[]) =>
  [0, 1, 2, 3, 4].map((part) => chunks.filter((_, index) => into[index % into.length] === part));

test("results equal those of a brute-force search, however chunks are split, merged, hidden and filtered", async () => {
  const memory = createMemoryIndex();
  const settings = fc.record({
    corpus: corpora,
    parts: fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }),
    hiddenVersions: fc.uniqueArray(fc.nat(50), { maxLength: 10 }),
    question: fc.record({
      text: texts,
      vector: vectors,
      limit: fc.integer({ min: 1, max: 100 }),
      perDocument: fc.constantFrom(null, null, 1, 2, 5),
      filter: filters,
    }),
    merged: fc.nat(5),
    buried: fc.nat(9),
    staysOpen: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      settings,
      async ({ corpus, parts, hiddenVersions, question, merged, buried, staysOpen }) => {
        const hidden = new Set(hiddenVersions);
        const deadVersions = new Set(hiddenVersions.slice(0, buried));
        const segments = segmentsOf(split(corpus, parts));
        const bytes = mergeSegments(
          segments.slice(0, merged).map((segment) => ({ segment: openSegment(segment), deadVersions })),
        );
        const after = [...segments.slice(merged), ...(bytes === null ? [] : [bytes])];
        const { text, ...rest } = question;
        const query = { ...rest, terms: queryTerms(text) };
        const common = { ...query, kernels: memory.kernels, readVectors: readerOf(corpus) };
        const expected = bruteForce(
          corpus.filter(({ versionId }) => !hidden.has(versionId)),
          query,
        );
        for (const each of [segments, after, after.toReversed()]) {
          const got = await searchIndex({ ...common, index: memory.open(each, hidden, staysOpen) });
          assert.deepEqual(got, expected);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test("in an index with more chunks than are re-ranked, the results equal those of a brute-force search", async () => {
  const memory = createMemoryIndex();
  const seeds = fc.infiniteStream(fc.nat(1_000_000));
  await fc.assert(
    fc.asyncProperty(seeds, texts, vectors, async (stream, text, vector) => {
      const next = () => stream.next().value ?? 0;
      const corpus = Array.from({ length: 330 }, (_, place) => {
        const words = Array.from({ length: next() % 7 }, () => WORDS[next() % WORDS.length]);
        const components = Array.from({ length: DIMENSIONS }, () => (next() % 2001) / 1000 - 1);
        return chunkOf(place, words.join(" "), unit(components));
      });
      const query = { terms: queryTerms(text), vector, limit: 100, filter: null };
      const index = memory.open(segmentsOf(split(corpus, [0, 3, 1, 1, 2])), new Set());
      const readVectors = readerOf(corpus);
      const got = await searchIndex({ ...query, index, kernels: memory.kernels, readVectors });
      assert.deepEqual(got, bruteForce(corpus, query));
    }),
    { numRuns: 8 },
  );
});

test("a document of thousands of matching chunks leaves the places behind its first ones to other documents", async () => {
  const memory = createMemoryIndex();
  const near = unit([1, 0, 0, 0, 0]);
  const long = [1, 3].flatMap((versionId) =>
    Array.from({ length: 1_300 }, (_, position) => ({
      ...{ versionId, position, sourceDocId: `long ${versionId}`, metadata: {} },
      ...{ indexedText: "pump seal", vector: near },
    })),
  );
  const short = Array.from({ length: 12 }, (_, at) => ({
    ...{ versionId: 100 + at, position: 0, sourceDocId: `short ${10 + at}`, metadata: {} },
    ...{ indexedText: "pump", vector: unit([1, 1 + at, 0, 0, 0]) },
  }));
  const corpus = [...long, ...short];
  for (const parts of [[0], [0, 1, 2]]) {
    const index = memory.open(segmentsOf(split(corpus, parts)), new Set());
    const found = await searchIndex({
      ...{ index, kernels: memory.kernels, terms: ["pump"], vector: near, filter: null },
      ...{ limit: 10, perDocument: 2, readVectors: readerOf(corpus) },
    });
    assert.deepEqual(
      found.map(({ sourceDocId, position }) => `${sourceDocId}/${position}`),
      [
        "long 1/0",
        "long 1/1",
        "long 3/0",
        "long 3/1",
        ...[10, 11, 12, 13, 14, 15].map((at) => `short ${at}/0`),
      ],
    );
  }
});

const memory = createMemoryIndex();
const pumps = ["pump failed", "pump works", "valve leaks"].map((text, place) =>
  chunkOf(place, text, unit([1, place, 0, 0, -place])),
);
const pumpSearch = {
  kernels: memory.kernels,
  vector: unit([1, 0, 0, 0, 0]),
  filter: null,
  limit: 10,
  readVectors: readerOf(pumps),
};
const openPumps = (hidden: ReadonlySet<number> = new Set()) => memory.open(segmentsOf([pumps]), hidden);

test("a chunk whose vector no longer exists is omitted", async () => {
  const readVectors: VectorReader = async (keys) =>
    (await pumpSearch.readVectors(keys)).map((vector, index) =>
      keys[index]?.position === 0 ? null : vector,
    );
  const found = await searchIndex({ ...pumpSearch, index: openPumps(), terms: ["pump"], readVectors });
  assert.deepEqual(
    found.map(({ position }) => position),
    [1, 2],
  );
});

test("without a lexical hit, results are ordered by cosine", async () => {
  for (const terms of [[], ["absent"]]) {
    const found = await searchIndex({ ...pumpSearch, index: openPumps(), terms });
    assert.deepEqual(
      found.map(({ position, lexical }) => [position, lexical]),
      [0, 1, 2].map((position) => [position, 0]),
    );
  }
});

test("without visible chunks, allowed chunks or segments the result is empty", async () => {
  const terms = ["pump"];
  const filter = { sourceDocIds: ["other"], metadata: [] };
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, index: memory.open([], new Set()) }), []);
  assert.deepEqual(
    await searchIndex({ ...pumpSearch, terms, index: memory.open(segmentsOf([[]]), new Set()) }),
    [],
  );
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, index: openPumps(new Set([1])) }), []);
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, filter, index: openPumps() }), []);
});

test("a segment that is missing in the first pass gives no results in the second, hidden chunks included", async () => {
  const other = pumps.map((pump) => ({ ...pump, versionId: 2, sourceDocId: "late" }));
  const complete = memory.open(segmentsOf([pumps, other]), new Set([2]));
  let passCount = 0;
  const index: SearchableIndex = {
    ...complete,
    visit(visitor, isIncluded = () => true) {
      const isFirst = passCount++ === 0;
      return complete.visit(visitor, (place) => isIncluded(place) && !(isFirst && place === 1));
    },
  };
  const found = await searchIndex({
    ...pumpSearch,
    index,
    terms: ["pump"],
    readVectors: readerOf([...pumps, ...other]),
  });
  assert.deepEqual(
    found.map(({ versionId, position }) => [versionId, position]),
    [0, 1, 2].map((position) => [1, position]),
  );
});

test("a filter does not change the inverse document frequencies", async () => {
  const terms = ["pump"];
  const all = await searchIndex({ ...pumpSearch, terms, index: openPumps() });
  const filter = { sourceDocIds: pumps.map(({ sourceDocId }) => sourceDocId), metadata: [] };
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, filter, index: openPumps() }), all);
});

test("a vector with other dimensions or a non-finite component is rejected", async () => {
  for (const vector of [Float32Array.of(1), Float32Array.of(1, 0, 0, 0, Number.NaN)]) {
    await assert.rejects(searchIndex({ ...pumpSearch, index: openPumps(), terms: [], vector }), RangeError);
  }
});

test("above the size of an exact search, the likely chunks include nearly all of the best", async () => {
  const next = createNumbers(5);
  const axis = () => next() * 2 - 1;
  const topics = Array.from({ length: 40 }, () => Array.from({ length: 64 }, axis));
  const around = (topic: readonly number[] = []) => unit(topic.map((value) => value + axis()));
  const corpus = Array.from({ length: 4_000 }, (_, place) => {
    const words = Array.from({ length: 8 }, () => WORDS[Math.floor(next() * WORDS.length)]);
    return chunkOf(place, words.join(" "), around(topics[place % topics.length]));
  });
  const index = memory.open(segmentsOf([corpus.slice(0, 1_500), corpus.slice(1_500)]), new Set());
  let found = 0;
  for (const topic of topics) {
    const query = {
      index,
      kernels: memory.kernels,
      terms: ["rotor"],
      vector: around(topic),
      filter: null,
      limit: 10,
      readVectors: readerOf(corpus),
    };
    const exact = await searchIndex(query);
    const likely = new Set((await searchIndex({ ...query, exactChunks: 3_999 })).map(nameOf));
    found += exact.filter((candidate) => likely.has(nameOf(candidate))).length;
  }
  assert.ok(found >= topics.length * 9.5, `${found} of ${topics.length * 10}`);
});
