/** Hybrid search over the segments of one project. */
import type { ChunkKey } from "../../domain/document.ts";
import type { SearchFilter } from "../../domain/metadata.ts";
import {
  type ChunkIdentity,
  compareIdentities,
  createIdentities,
  type Identities,
  identityIn,
  numberOf,
  ordinalOf,
  segmentPlaceOf,
} from "./candidates.ts";
import { cosine } from "./cosine.ts";
import { type FusionWeights, fuseScores, fusionWeights } from "./fusion.ts";
import type { SearchKernels } from "./kernels/search-kernels.ts";
import { createTermStatistics, type WeightedTerms } from "./lexical.ts";
import { likelyChunks } from "./likely-chunks.ts";
import { quantizeVector } from "./quantize.ts";
import type { Segment } from "./segment.ts";
import { createTopList, type Ranked } from "./top-list.ts";
import { allowedChunks, type ChunkMask, visibilityOf } from "./visible-chunks.ts";

/** A chunk that was found. */
export interface Candidate extends ChunkIdentity {
  /** BM25; 0 if no term of the question occurs in the chunk. */
  readonly lexical: number;
  /** The cosine of the f32 vectors, −1…1. */
  readonly dense: number;
  /** What the list is ordered by, 0…1: see {@link fuseScores}. */
  readonly score: number;
}

/** Segments of one state of an index. */
export interface SearchableIndex {
  /** Versions that must not show, by segment; no chunk visible in two segments. */
  readonly hidden: readonly ReadonlySet<number>[];
  /** Whether the segments that `visit` shows stay in memory until the search is over. */
  readonly staysOpen: boolean;
  /** Shows the segments that are wanted in any order, named by their place in `hidden`; after `look` has returned one may be gone. */
  visit(
    look: (segment: Segment, segmentPlace: number) => void,
    isWanted?: (segmentPlace: number) => boolean,
  ): Promise<void>;
}

/** Reads stored f32 vectors: one entry for each key, in their order; null if the chunk is gone meanwhile. */
export type VectorReader = (keys: readonly ChunkKey[]) => Promise<readonly (Float32Array | null)[]>;

export interface IndexSearch {
  readonly index: SearchableIndex;
  readonly kernels: SearchKernels;
  /** The question's terms; empty if it has none: then the vectors answer alone. */
  readonly terms: readonly string[];
  /** Unit length, like those in the index. */
  readonly vector: Float32Array;
  readonly filter: SearchFilter | null;
  /** From 1 to 100. */
  readonly limit: number;
  readonly readVectors: VectorReader;
  /** Visible chunks up to which every vector is scored; {@link EXACT_CHUNKS} if it is left out. */
  readonly exactChunks?: number;
}

/** Twice the limit, or so many if that is more, are remembered with their estimated scores. */
const REMEMBERED = 20;
/** How far the cosine of int8 vectors may be off; 0.002 was the most in 15,000 pairs of the bundled model's. */
const ESTIMATE_ERROR = 0.005;
/** Up to here scoring everything takes some 8 ms. */
export const EXACT_CHUNKS = 1 << 18;

/** A chunk with the cosine of its int8 vector; the same chunks give the same numbers, like those of a {@link Candidate}. */
export interface EstimatedChunk extends ChunkIdentity {
  /** BM25 as a share of what the question's terms could give at most, 0…1. */
  readonly lexical: number;
  /** Cosine of the int8 vectors. */
  readonly dense: number;
  /** 0…1: see {@link fuseScores}. */
  readonly score: number;
}

/** A search whose terms are weighed. */
export interface PreparedSearch {
  /** See {@link searchIndex}. */
  best(): Promise<readonly Candidate[]>;
  /** The best `limit` by estimated cosines, 1…1,000; equal scores by sourceDocId, position, versionId. */
  estimate(limit: number): Promise<readonly EstimatedChunk[]>;
  /** What one of the retrievers alone finds, with its own score: a share of BM25's ceiling, or a cosine; 1…1,000. */
  candidatesOf(
    retriever: "lexical" | "dense",
    limit: number,
  ): Promise<readonly (ChunkIdentity & { readonly score: number })[]>;
  /** In the order of the keys; null for what is not visible or what the filter excludes. */
  scoresOf(keys: readonly ChunkKey[]): Promise<readonly (EstimatedChunk | null)[]>;
}

/**
 * The best `limit` chunks, best first; equal scores by cosine, then sourceDocId (code units), position, versionId.
 *
 * Every chunk that the filter allows is scored, by its exact BM25 score and the cosine of the int8 vectors; those
 * that may be among the best then by the cosine of the f32 vectors. The same visible chunks give the same list and the same bits of every
 * score, however they are spread over segments and whatever is hidden beside them. Above `exactChunks` only likely chunks
 * are scored (see {@link likelyChunks}): then recall is promised, not the same list.
 *
 * Throws a RangeError if the vector does not fit the index or is not finite, a DamagedSegmentError if postings
 * cannot be read, and whatever `visit` and `readVectors` throw.
 */
export async function searchIndex(search: IndexSearch): Promise<readonly Candidate[]> {
  return (await prepareSearch(search)).best();
}

/** Weighs the question's terms, which looks at every segment once; each of the answers looks at them once more. */
export async function prepareSearch(search: IndexSearch): Promise<PreparedSearch> {
  const { index } = search;
  const question = prepareQuestion(search);
  // A segment that is gone at the first look stays out, even if another thread has it by the second.
  const passes: Passes = { search, question, allowed: index.hidden.map(() => "none") };
  const terms = await weighTerms(passes);
  const weighed: Weighed = { passes, terms, weights: fusionWeights(terms.ceiling) };
  const isEmpty = passes.allowed.every((mask) => mask === "none");
  return {
    best: async () => (isEmpty ? [] : findBest(weighed)),
    estimate: async (limit) => (isEmpty ? [] : estimateBest(weighed, limit)),
    candidatesOf: async (retriever, limit) => (isEmpty ? [] : rankAlone(weighed, retriever, limit)),
    scoresOf: async (keys) => (isEmpty ? keys.map(() => null) : scoreKeys(weighed, keys)),
  };
}

interface Weighed {
  readonly passes: Passes;
  readonly terms: WeightedTerms;
  readonly weights: FusionWeights;
}

async function findBest({ passes, terms, weights }: Weighed): Promise<readonly Candidate[]> {
  const { limit, vector, readVectors } = passes.search;
  const identities = createIdentities(passes.search.index);
  const remembered = Math.max(REMEMBERED, 2 * limit);
  const { best, lexical } = await scoreChunks(passes, { terms, weights, identities, remembered });
  const finalists = finalistsOf(best, { limit, weights }).map((id) => {
    return { ...identities.of(id), lexical: lexical.get(id) ?? 0 };
  });
  const vectors = await readVectors(finalists.map(({ versionId, position }) => ({ versionId, position })));
  return finalists
    .flatMap((finalist, place) => {
      const stored = vectors[place] ?? null;
      if (stored === null) return [];
      const dense = cosine(vector, stored);
      return [{ ...finalist, dense, score: fuseScores({ lexical: finalist.lexical, dense }, weights) }];
    })
    .sort((one, other) => other.score - one.score || other.dense - one.dense || compareIdentities(one, other))
    .slice(0, limit);
}

async function estimateBest(weighed: Weighed, limit: number): Promise<readonly EstimatedChunk[]> {
  const { passes, terms, weights } = weighed;
  const identities = createIdentities(passes.search.index);
  const options = { terms, weights, identities, remembered: limit };
  const { best, lexical } = await scoreChunks(passes, options);
  return best.map(({ id, score }) => {
    const sum = weights.lexical * (lexical.get(id) ?? 0);
    return estimated(identities.of(id), { sum, dense: (score - sum) / weights.dense }, weights);
  });
}

/** What no term of the question is in, the lexical retriever has not found. */
async function rankAlone(
  { passes, terms, weights }: Weighed,
  retriever: "lexical" | "dense",
  limit: number,
): Promise<readonly (ChunkIdentity & { readonly score: number })[]> {
  if (retriever === "lexical" && weights.lexical === 0) return [];
  const identities = createIdentities(passes.search.index);
  const alone =
    retriever === "dense"
      ? { lexical: 0, dense: 1 }
      : { lexical: weights.lexical / (1 - weights.dense), dense: 0 };
  const { best } = await scoreChunks(passes, { terms, weights: alone, identities, remembered: limit });
  return best
    .filter(({ score }) => retriever === "dense" || score > 0)
    .map(({ id, score }) => {
      const { versionId, position, sourceDocId } = identities.of(id);
      return { versionId, position, sourceDocId, score };
    });
}

/** `sum`: what the terms add to the fused score. */
function estimated(
  { versionId, position, sourceDocId }: ChunkIdentity,
  { sum, dense }: { readonly sum: number; readonly dense: number },
  weights: FusionWeights,
): EstimatedChunk {
  return {
    ...{ versionId, position, sourceDocId, dense },
    lexical: weights.lexical === 0 ? 0 : sum / (1 - weights.dense),
    score: Math.min(1, Math.max(0, sum + weights.dense * dense)),
  };
}

async function scoreKeys(
  { passes, terms, weights }: Weighed,
  keys: readonly ChunkKey[],
): Promise<readonly (EstimatedChunk | null)[]> {
  const { index, kernels } = passes.search;
  const found: (EstimatedChunk | null)[] = keys.map(() => null);
  await index.visit(
    (segment, place) => {
      const mask = passes.allowed[place] ?? null;
      if (mask === "none") return;
      const places = placesOfKeys(segment, keys, mask);
      if (places.length === 0) return;
      kernels.setQuery(paddedQuestion(passes.question, segment));
      kernels.accumulate(segment, terms.ofSegment(place), terms.saturation);
      const cosines = kernels.scoreRows(
        segment,
        places.map(({ ordinal }) => ordinal),
      );
      for (const [at, { key, ordinal }] of places.entries()) {
        const sum = weights.lexical * kernels.sumOf(ordinal);
        const dense = passes.question.scale * (cosines[at] ?? 0);
        found[key] = estimated(identityIn(segment, ordinal), { sum, dense }, weights);
      }
    },
    (place) => passes.allowed[place] !== "none",
  );
  return found;
}

/** The keys' places in a segment, as far as they are there and allowed. */
function placesOfKeys(
  segment: Segment,
  keys: readonly ChunkKey[],
  mask: ChunkMask,
): readonly { readonly key: number; readonly ordinal: number }[] {
  return keys.flatMap(({ versionId, position }, key) => {
    const document = segment.findDocument(versionId);
    if (document < 0) return [];
    const end = segment.firstOrdinalAt(document + 1);
    let low = segment.firstOrdinalAt(document);
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((segment.positions[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const isThere = low < end && segment.positions[low] === position;
    return isThere && (mask === null || mask[low] === 1) ? [{ key, ordinal: low }] : [];
  });
}

/** The question's vector as the index has them. */
interface Question {
  readonly quantized: Int8Array;
  readonly scale: number;
  /** By length, with zeros at its end. */
  readonly padded: Map<number, Int8Array>;
}

interface Passes {
  readonly search: IndexSearch;
  readonly question: Question;
  /** By segment; "none" where nothing may be found. */
  readonly allowed: (ChunkMask | "none")[];
}

function prepareQuestion({ vector }: IndexSearch): Question {
  const quantized = new Int8Array(vector.length);
  return { quantized, scale: quantizeVector(vector, quantized), padded: new Map() };
}

/** The first look at all segments: which chunks may be found, and what the terms weigh. */
async function weighTerms({ search, allowed }: Passes): Promise<WeightedTerms> {
  const { index, vector, filter } = search;
  const statistics = createTermStatistics(search.terms, search.kernels);
  await index.visit((segment, place) => {
    if (segment.chunkCount > 0 && segment.dimensions !== vector.length) {
      throw new RangeError(`the question has ${vector.length} dimensions, the index ${segment.dimensions}`);
    }
    const visibility = visibilityOf(segment, index.hidden[place] ?? new Set());
    statistics.add(segment, place, visibility);
    allowed[place] =
      visibility.chunkCount === 0 ? "none" : allowedChunks(segment, visibility.visible, filter);
  });
  return statistics.weigh();
}

interface Scoring {
  readonly terms: WeightedTerms;
  readonly weights: FusionWeights;
  readonly identities: Identities;
  /** How many of the best are wanted. */
  readonly remembered: number;
}

/** The second: the scores of allowed chunks, with an estimated cosine; the best of them, and their BM25 sums. */
async function scoreChunks(
  { search, question, allowed }: Passes,
  { terms, weights, identities, remembered }: Scoring,
): Promise<{ readonly best: readonly Ranked[]; readonly lexical: ReadonlyMap<number, number> }> {
  const { index, kernels } = search;
  const best = createTopList(remembered, identities.precedes);
  const lexical = new Map<number, number>();
  const isExact = terms.chunkCount <= (search.exactChunks ?? EXACT_CHUNKS);
  const factors = { lexical: weights.lexical, dense: weights.dense * question.scale };
  await index.visit(
    (segment, place) => {
      identities.enter(segment, place);
      // For each segment anew: other questions may have used the kernels meanwhile.
      kernels.setQuery(paddedQuestion(question, segment));
      kernels.accumulate(segment, terms.ofSegment(place), terms.saturation);
      const mask = allowed[place] ?? null;
      if (mask === "none") return;
      const offer = (ordinal: number, score: number) => best.offer(numberOf(place, ordinal), score);
      if (isExact) kernels.fused(segment, mask, factors, { floor: best.floor, offer });
      else offerLikely({ segment, mask, factors, kernels }, offer);
      for (const number of best.ids) {
        if (segmentPlaceOf(number) === place) lexical.set(number, kernels.sumOf(ordinalOf(number)));
      }
      identities.keep(best.ids);
    },
    (place) => allowed[place] !== "none",
  );
  return { best: best.drain(), lexical };
}

/** The question as long as the segment's rows are; the same array for the same length. */
function paddedQuestion(question: Question, { stride }: Segment): Int8Array {
  const known = question.padded.get(stride);
  if (known !== undefined) return known;
  const padded = new Int8Array(stride);
  padded.set(question.quantized);
  question.padded.set(stride, padded);
  return padded;
}

/** Those whose exact score may be among the best `limit`, best estimate first. */
function finalistsOf(
  ranked: readonly Ranked[],
  { limit, weights }: { readonly limit: number; readonly weights: FusionWeights },
): readonly number[] {
  const least = ranked[Math.min(limit, ranked.length) - 1]?.score ?? 0;
  // One of the best may be estimated too high, and one behind them too low.
  const reach = least - 2 * weights.dense * ESTIMATE_ERROR;
  return ranked.filter(({ score }) => score >= reach).map(({ id }) => id);
}

function offerLikely(
  {
    segment,
    mask,
    factors,
    kernels,
  }: { segment: Segment; mask: ChunkMask; factors: FusionWeights; kernels: SearchKernels },
  offer: (ordinal: number, score: number) => void,
): void {
  const ordinals = likelyChunks(segment, mask, kernels);
  for (const [at, score] of kernels.scoreRows(segment, ordinals).entries()) {
    const ordinal = ordinals[at] ?? 0;
    offer(ordinal, factors.lexical * kernels.sumOf(ordinal) + factors.dense * score);
  }
}
