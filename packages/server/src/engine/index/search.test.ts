import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { indexTerms } from "../text/terms.ts";
import { buildSegment, type IndexableChunk } from "./build.ts";
import { createDenseScanner } from "./dense-scanner.ts";
import { mergeSegments } from "./merge.ts";
import { searchIndex, type VectorReader, type VisibleSegment } from "./search.ts";
import { openSegment } from "./segment.ts";
import { createSegmentCache } from "./segment-cache.ts";

const WORDS = ["pump", "valve", "ax-20", "err_404", "rotor", "seal", "bearing", "the", "oil", "東京都"];
const DIMENSIONS = 5;

/** Few different components, so that equal scores are common. */
const vectors = fc
  .array(fc.constantFrom(-1, -0.5, 0, 0.25, 1, 0.3), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((components) => Float32Array.from(components));
const texts = fc.array(fc.constantFrom(...WORDS), { maxLength: 9 }).map((words) => words.join(" "));
const chunkOf = (place: number, indexedText: string, vector: Float32Array): IndexableChunk => {
  const versionId = Math.floor(place / 3) * 2 + 1;
  return { versionId, position: place % 3, sourceDocId: `d${(versionId * 7) % 11}`, indexedText, vector };
};
const corpora = fc
  .array(fc.tuple(texts, vectors), { maxLength: 60 })
  .map((parts) => parts.map(([text, vector], place) => chunkOf(place, text, vector)));

interface Scored {
  readonly chunk: IndexableChunk;
  readonly lexical: number;
  readonly coarse: number;
  readonly dense: number;
}

/** The whole search once more, as plainly as it can be said. */
function bruteForce(
  live: readonly IndexableChunk[],
  terms: readonly string[],
  query: Float32Array,
  limit: number,
) {
  const scored = scoreAll(live, terms, query);
  const lexicalTop = scored
    .filter((each) => each.lexical > 0)
    .sort((a, b) => b.lexical - a.lexical || byKey(a, b));
  const denseTop = scored.toSorted((a, b) => b.coarse - a.coarse || byKey(a, b));
  const union = scored.filter(
    (each) => lexicalTop.slice(0, 100).includes(each) || denseTop.slice(0, 100).includes(each),
  );
  const positive = union.map((each) => Math.max(0, each.dense));
  const lexical = normalised(union.map((each) => each.lexical)) ?? union.map(() => 1);
  const dense = normalised(union.map((each) => each.dense)) ?? positive;
  const noHit = union.every((each) => each.lexical === 0);
  return union
    .map((each, i) => ({ ...each, score: noHit ? positive[i]! : 0.5 * lexical[i]! + 0.5 * dense[i]! }))
    .sort((a, b) => b.score - a.score || b.dense - a.dense || byKey(a, b))
    .slice(0, limit)
    .map(({ chunk: { versionId, position, sourceDocId }, ...rest }) => {
      return {
        versionId,
        position,
        sourceDocId,
        lexical: rest.lexical,
        dense: rest.dense,
        score: rest.score,
      };
    });
}

function scoreAll(live: readonly IndexableChunk[], terms: readonly string[], query: Float32Array): Scored[] {
  const bags = live.map((chunk) => indexTerms(chunk.indexedText));
  const average = bags.flat().length / bags.length;
  return live.map((chunk, index) => {
    const bag = bags[index]!;
    let lexical = 0;
    for (const term of [...new Set(terms)].sort((one, other) => (one < other ? -1 : 1))) {
      const tf = bag.filter((other) => other === term).length;
      const df = bags.filter((other) => other.includes(term)).length;
      const idf = Math.log(1 + (live.length - df + 0.5) / (df + 0.5));
      const weight = terms.filter((other) => other === term).length * idf * 2.2;
      if (tf > 0) lexical += (weight * tf) / (tf + 1.2 * (1 - 0.75 + (0.75 * bag.length) / average));
    }
    const norms = Math.sqrt(dot([...chunk.vector], [...chunk.vector]) * dot([...query], [...query]));
    const dense = norms === 0 ? 0 : Math.max(-1, Math.min(1, dot([...query], [...chunk.vector]) / norms));
    const coarse =
      dot(int8(query), int8(chunk.vector)) * Math.fround(Math.max(...chunk.vector.map(Math.abs)) / 127);
    return { chunk, lexical, coarse, dense };
  });
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const int8 = (vector: Float32Array) => {
  const largest = Math.max(...vector.map(Math.abs));
  return [...vector].map((value) => (largest === 0 ? 0 : Math.round((value / largest) * 127)));
};
const byKey = ({ chunk: a }: Scored, { chunk: b }: Scored) =>
  a.sourceDocId < b.sourceDocId
    ? -1
    : a.sourceDocId > b.sourceDocId
      ? 1
      : a.position - b.position || a.versionId - b.versionId;
const normalised = (values: readonly number[]) => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return high > low ? values.map((value) => (value - low) / (high - low)) : null;
};

const readerOf = (chunks: readonly IndexableChunk[]): VectorReader => {
  const stored = new Map(chunks.map((chunk) => [`${chunk.versionId}/${chunk.position}`, chunk.vector]));
  return async (keys) =>
    keys.map(({ versionId, position }) => stored.get(`${versionId}/${position}`) ?? null);
};
const open = (chunks: readonly IndexableChunk[], hidden: ReadonlySet<number>): VisibleSegment => {
  return { segment: openSegment(buildSegment(chunks)), hidden };
};
const split = (chunks: readonly IndexableChunk[], into: readonly number[]) =>
  [0, 1, 2, 3, 4].map((part) => chunks.filter((_, index) => into[index % into.length] === part));

test("the list equals that of a brute-force search, however chunks are split, merged and hidden", async () => {
  const parts = fc.array(fc.nat(4), { minLength: 1, maxLength: 20 });
  const hiddenVersions = fc.uniqueArray(fc.nat(50), { maxLength: 10 });
  const questions = fc.record({ text: texts, vector: vectors, limit: fc.integer({ min: 1, max: 130 }) });
  const settings = fc.record({
    corpus: corpora,
    parts,
    hiddenVersions,
    question: questions,
    merged: fc.nat(5),
    buried: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(settings, async ({ corpus, parts, hiddenVersions, question, merged, buried }) => {
      const hidden = new Set(hiddenVersions);
      const hiddenForGood = new Set(hiddenVersions.slice(0, buried));
      const segments = split(corpus, parts).map((part) => openSegment(buildSegment(part)));
      const bytes = mergeSegments(segments.slice(0, merged).map((segment) => ({ segment, hiddenForGood })));
      const after = [...segments.slice(merged), ...(bytes === null ? [] : [openSegment(bytes)])];
      const { text, vector, limit } = question;
      const common = { terms: indexTerms(text), vector, limit, readVectors: readerOf(corpus) };
      const live = corpus.filter(({ versionId }) => !hidden.has(versionId));
      const wanted = bruteForce(live, common.terms, vector, limit);
      for (const each of [segments, after, after.toReversed()]) {
        const got = await searchIndex({ ...common, segments: each.map((segment) => ({ segment, hidden })) });
        assert.deepEqual(got, wanted);
      }
    }),
    { numRuns: 150 },
  );
});

test("among more chunks than the retrievers pass on, the candidates are those of the whole index", async () => {
  const seeds = fc.infiniteStream(fc.nat(1_000_000));
  await fc.assert(
    fc.asyncProperty(seeds, texts, vectors, async (stream, text, vector) => {
      const next = () => stream.next().value ?? 0;
      const corpus = Array.from({ length: 330 }, (_, place) => {
        const words = Array.from({ length: next() % 7 }, () => WORDS[next() % WORDS.length]);
        const components = Array.from({ length: DIMENSIONS }, () => (next() % 2001) / 1000 - 1);
        return chunkOf(place, words.join(" "), Float32Array.from(components));
      });
      const wanted = bruteForce(corpus, indexTerms(text), vector, 200);
      const common = { terms: indexTerms(text), vector, limit: 200, readVectors: readerOf(corpus) };
      const segments = split(corpus, [0, 3, 1, 1, 2]).map((part) => open(part, new Set()));
      const got = await searchIndex({ ...common, limit: 100, segments });
      assert.deepEqual(got, wanted.slice(0, 100));
    }),
    { numRuns: 8 },
  );
});

test("a cached segment in WebAssembly memory gives the same bits as one that is scanned in TypeScript", async () => {
  await fc.assert(
    fc.asyncProperty(corpora, texts, vectors, async (corpus, text, vector) => {
      const cache = createSegmentCache({ maxBytes: 1e6, scanner: createDenseScanner({ maxBytes: 1e6 }) });
      const leases = split(corpus, [0, 1, 2]).map((part, segmentId) =>
        cache.add({ projectId: "p", segmentId }, buildSegment(part)),
      );
      const common = { terms: indexTerms(text), vector, limit: 20, readVectors: readerOf(corpus) };
      const hidden = new Set<number>();
      const fast = await searchIndex({
        ...common,
        segments: leases.map(({ segment }) => ({ segment, hidden })),
      });
      const plain = await searchIndex({ ...common, segments: [open(corpus, hidden)] });
      assert.deepEqual(fast, plain);
    }),
    { numRuns: 40 },
  );
});

const pumps = ["pump failed", "pump works", "valve leaks"].map((text, place) =>
  chunkOf(place, text, Float32Array.of(1, place, 0, 0, -place)),
);
const pumpSearch = { vector: Float32Array.of(1, 0, 0, 0, 0), limit: 10, readVectors: readerOf(pumps) };

test("a chunk that vanished since is left out, also of the scale of scores", async () => {
  const readVectors: VectorReader = async (keys) =>
    (await pumpSearch.readVectors(keys)).map((vector, index) =>
      keys[index]?.position === 0 ? null : vector,
    );
  const segments = [open(pumps, new Set())];
  const found = await searchIndex({ ...pumpSearch, segments, terms: ["pump"], readVectors });
  assert.deepEqual(
    found.map(({ position, score }) => [position, score]),
    [
      [1, 1],
      [2, 0],
    ],
  );
});

test("without a lexical hit the scores are the cosines", async () => {
  const segments = [open(pumps, new Set())];
  for (const terms of [[], ["absent"]]) {
    const found = await searchIndex({ ...pumpSearch, segments, terms });
    assert.deepEqual(
      found.map(({ score }) => score),
      found.map(({ dense }) => dense),
    );
    assert.deepEqual(
      found.map(({ position }) => position),
      [0, 1, 2],
    );
  }
});

test("nothing visible, nothing asked for and no segment give nothing", async () => {
  const terms = ["pump"];
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, segments: [] }), []);
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, segments: [open([], new Set())] }), []);
  assert.deepEqual(await searchIndex({ ...pumpSearch, terms, segments: [open(pumps, new Set([1]))] }), []);
  assert.deepEqual(
    await searchIndex({ ...pumpSearch, terms, segments: [open(pumps, new Set())], limit: 0 }),
    [],
  );
});

test("a vector of other dimensions or with a component that is not finite is refused", async () => {
  const segments = [open(pumps, new Set())];
  for (const vector of [Float32Array.of(1), Float32Array.of(1, 0, 0, 0, Number.NaN)]) {
    await assert.rejects(searchIndex({ ...pumpSearch, segments, terms: [], vector }), RangeError);
  }
});
