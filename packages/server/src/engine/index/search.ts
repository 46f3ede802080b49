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
import { createTopList, type ScoredId } from "./top-list.ts";
import { allowedChunks, type ChunkMask, visibilityOf } from "./visible-chunks.ts";

/** A search result with its exact scores. */
export interface Candidate extends ChunkIdentity {
  /** BM25; 0 if no term of the question occurs in the chunk. */
  readonly lexical: number;
  /** The cosine of the f32 vectors, −1…1. */
  readonly dense: number;
  /** The ranking score, 0…1: see {@link fuseScores}. */
  readonly score: number;
}

/** The segments of one consistent state of an index. */
export interface SearchableIndex {
  /** Hidden versions, by segment. No chunk is visible in two segments. */
  readonly hidden: readonly ReadonlySet<number>[];
  /** Whether the segments passed to `visitor` stay in memory until the search ends. */
  readonly staysOpen: boolean;
  /**
   * Calls `visitor` for the included segments in any order, with their index in `hidden`. Unless `staysOpen`, a
   * segment must not be used after `visitor` has returned.
   */
  visit(
    visitor: (segment: Segment, segmentPlace: number) => void,
    isIncluded?: (segmentPlace: number) => boolean,
  ): Promise<void>;
}

/**
 * Reads stored f32 vectors: one entry per key, in the same order; null if the chunk was deleted in the
 * meantime.
 */
export type VectorReader = (keys: readonly ChunkKey[]) => Promise<readonly (Float32Array | null)[]>;

export interface IndexSearch {
  readonly index: SearchableIndex;
  readonly kernels: SearchKernels;
  /** The question's terms. If empty, only the vectors are scored. */
  readonly terms: readonly string[];
  /** The question's vector; unit length, like those in the index. */
  readonly vector: Float32Array;
  readonly filter: SearchFilter | null;
  /** From 1 to 100. */
  readonly limit: number;
  readonly readVectors: VectorReader;
  /** The number of visible chunks up to which every vector is scored; default {@link EXACT_CHUNKS}. */
  readonly exactChunks?: number;
}

/** A search keeps this many chunks by estimated score for exact re-ranking, or twice the limit if that is more. */
const MIN_KEPT_CHUNKS = 20;
/**
 * Assumed maximum error of a cosine of int8 vectors; the largest in 15,000 pairs of the bundled model's
 * vectors was 0.002.
 */
const ESTIMATE_ERROR = 0.005;
/** Scoring all vectors of an index of this size takes about 8 ms. */
export const EXACT_CHUNKS = 1 << 18;

/**
 * A chunk scored by its int8 vector. Like those of a {@link Candidate}, its scores are reproducible: the same
 * chunks give the same numbers.
 */
export interface EstimatedChunk extends ChunkIdentity {
  /** BM25 divided by its upper bound for the question's terms, 0…1. */
  readonly lexical: number;
  /** Cosine of the int8 vectors. */
  readonly dense: number;
  /** 0…1: see {@link fuseScores}. */
  readonly score: number;
}

/** A search whose term weights are computed. */
export interface PreparedSearch {
  /** See {@link searchIndex}. */
  best(): Promise<readonly Candidate[]>;
  /** The best `limit` (1…1,000) chunks by estimated cosine; ties by sourceDocId, position, versionId. */
  estimate(limit: number): Promise<readonly EstimatedChunk[]>;
  /**
   * The results of one retriever, with its own score: BM25 divided by its upper bound, or the cosine.
   * `limit` is 1…1,000.
   */
  candidatesOf(
    retriever: "lexical" | "dense",
    limit: number,
  ): Promise<readonly (ChunkIdentity & { readonly score: number })[]>;
  /** In the order of the keys; null for chunks that are not visible or that the filter excludes. */
  scoresOf(keys: readonly ChunkKey[]): Promise<readonly (EstimatedChunk | null)[]>;
}

/**
 * The best `limit` chunks, best first; ties by cosine, then sourceDocId (code units), position, versionId.
 *
 * Every chunk that the filter allows gets its exact BM25 score and the cosine of the int8 vectors; those that
 * may be among the best are then re-ranked by the cosine of the f32 vectors. The same visible chunks give the
 * same list with bit-identical scores, however they are distributed over segments and whatever else is
 * hidden. Above `exactChunks` visible chunks, only likely chunks are scored (see {@link likelyChunks}); then
 * only recall is promised, not the identical list.
 *
 * Throws a RangeError if the vector does not match the index or is not finite, a DamagedSegmentError if
 * postings cannot be read, and whatever `visit` and `readVectors` throw.
 */
export async function searchIndex(search: IndexSearch): Promise<readonly Candidate[]> {
  return (await prepareSearch(search)).best();
}

/**
 * Computes the weights of the question's terms, which visits every segment once; each method of the result
 * visits the segments once more.
 */
export async function prepareSearch(search: IndexSearch): Promise<PreparedSearch> {
  const { index } = search;
  const query = quantizeQuery(search);
  // A segment that is missing in the first pass stays excluded, even if another thread has loaded it by the
  // second.
  const scan: SearchScan = { search, query, allowed: index.hidden.map(() => "none") };
  const terms = await weighTerms(scan);
  const weighted: WeightedScan = { scan, terms, weights: fusionWeights(terms.ceiling) };
  const isEmpty = scan.allowed.every((mask) => mask === "none");
  return {
    best: async () => (isEmpty ? [] : findBest(weighted)),
    estimate: async (limit) => (isEmpty ? [] : estimateBest(weighted, limit)),
    candidatesOf: async (retriever, limit) => (isEmpty ? [] : rankByRetriever(weighted, retriever, limit)),
    scoresOf: async (keys) => (isEmpty ? keys.map(() => null) : scoreKeys(weighted, keys)),
  };
}

interface WeightedScan {
  readonly scan: SearchScan;
  readonly terms: WeightedTerms;
  readonly weights: FusionWeights;
}

async function findBest({ scan, terms, weights }: WeightedScan): Promise<readonly Candidate[]> {
  const { limit, vector, readVectors } = scan.search;
  const identities = createIdentities(scan.search.index);
  const keepCount = Math.max(MIN_KEPT_CHUNKS, 2 * limit);
  const { best, lexical } = await scoreChunks(scan, { terms, weights, identities, keepCount });
  const toRerank = selectForReranking(best, { limit, weights }).map((id) => {
    return { ...identities.of(id), lexical: lexical.get(id) ?? 0 };
  });
  const vectors = await readVectors(toRerank.map(({ versionId, position }) => ({ versionId, position })));
  return toRerank
    .flatMap((chunk, place) => {
      const stored = vectors[place] ?? null;
      if (stored === null) return [];
      const dense = cosine(vector, stored);
      return [{ ...chunk, dense, score: fuseScores({ lexical: chunk.lexical, dense }, weights) }];
    })
    .sort((one, other) => other.score - one.score || other.dense - one.dense || compareIdentities(one, other))
    .slice(0, limit);
}

async function estimateBest(weighted: WeightedScan, limit: number): Promise<readonly EstimatedChunk[]> {
  const { scan, terms, weights } = weighted;
  const identities = createIdentities(scan.search.index);
  const options = { terms, weights, identities, keepCount: limit };
  const { best, lexical } = await scoreChunks(scan, options);
  return best.map(({ id, score }) => {
    const sum = weights.lexical * (lexical.get(id) ?? 0);
    return estimated(identities.of(id), { sum, dense: (score - sum) / weights.dense }, weights);
  });
}

/** The lexical retriever returns only chunks that contain a term of the question. */
async function rankByRetriever(
  { scan, terms, weights }: WeightedScan,
  retriever: "lexical" | "dense",
  limit: number,
): Promise<readonly (ChunkIdentity & { readonly score: number })[]> {
  if (retriever === "lexical" && weights.lexical === 0) return [];
  const identities = createIdentities(scan.search.index);
  const retrieverWeights =
    retriever === "dense"
      ? { lexical: 0, dense: 1 }
      : { lexical: weights.lexical / (1 - weights.dense), dense: 0 };
  const { best } = await scoreChunks(scan, {
    terms,
    weights: retrieverWeights,
    identities,
    keepCount: limit,
  });
  return best
    .filter(({ score }) => retriever === "dense" || score > 0)
    .map(({ id, score }) => {
      const { versionId, position, sourceDocId } = identities.of(id);
      return { versionId, position, sourceDocId, score };
    });
}

/** `sum` is the terms' contribution to the fused score. */
function estimated(
  { versionId, position, sourceDocId }: ChunkIdentity,
  { sum, dense }: { readonly sum: number; readonly dense: number },
  weights: FusionWeights,
): EstimatedChunk {
  return {
    versionId,
    position,
    sourceDocId,
    dense,
    lexical: weights.lexical === 0 ? 0 : sum / (1 - weights.dense),
    score: Math.min(1, Math.max(0, sum + weights.dense * dense)),
  };
}

async function scoreKeys(
  { scan, terms, weights }: WeightedScan,
  keys: readonly ChunkKey[],
): Promise<readonly (EstimatedChunk | null)[]> {
  const { index, kernels } = scan.search;
  const scored: (EstimatedChunk | null)[] = keys.map(() => null);
  await index.visit(
    (segment, place) => {
      const mask = scan.allowed[place] ?? null;
      if (mask === "none") return;
      const places = findKeys(segment, keys, mask);
      if (places.length === 0) return;
      kernels.setQuery(paddedQuery(scan.query, segment));
      kernels.accumulate(segment, terms.ofSegment(place), terms.saturation);
      const cosines = kernels.scoreRows(
        segment,
        places.map(({ ordinal }) => ordinal),
      );
      for (const [at, { key, ordinal }] of places.entries()) {
        const sum = weights.lexical * kernels.sumOf(ordinal);
        const dense = scan.query.scale * (cosines[at] ?? 0);
        scored[key] = estimated(identityIn(segment, ordinal), { sum, dense }, weights);
      }
    },
    (place) => scan.allowed[place] !== "none",
  );
  return scored;
}

/** The ordinals of those keys that the segment holds and the mask allows. */
function findKeys(
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
    const isFound = low < end && segment.positions[low] === position;
    return isFound && (mask === null || mask[low] === 1) ? [{ key, ordinal: low }] : [];
  });
}

/** The question's vector in the index's int8 form. */
interface QueryVector {
  readonly quantized: Int8Array;
  readonly scale: number;
  /** The quantized vector padded with zeros, by length. */
  readonly padded: Map<number, Int8Array>;
}

interface SearchScan {
  readonly search: IndexSearch;
  readonly query: QueryVector;
  /** By segment; "none" if no chunk of it may be returned. */
  readonly allowed: (ChunkMask | "none")[];
}

function quantizeQuery({ vector }: IndexSearch): QueryVector {
  const quantized = new Int8Array(vector.length);
  return { quantized, scale: quantizeVector(vector, quantized), padded: new Map() };
}

/** The first pass over all segments: determines which chunks may be returned, and the term weights. */
async function weighTerms({ search, allowed }: SearchScan): Promise<WeightedTerms> {
  const { index, vector, filter } = search;
  const statistics = createTermStatistics(search.terms, search.kernels);
  await index.visit((segment, place) => {
    if (segment.chunkCount > 0 && segment.dimensions !== vector.length) {
      throw new RangeError(
        `the question's vector has ${vector.length} dimensions, the index ${segment.dimensions}`,
      );
    }
    const visibility = visibilityOf(segment, index.hidden[place] ?? new Set());
    statistics.add(segment, place, visibility);
    allowed[place] =
      visibility.chunkCount === 0 ? "none" : allowedChunks(segment, visibility.visible, filter);
  });
  return statistics.weigh();
}

interface ScoringOptions {
  readonly terms: WeightedTerms;
  readonly weights: FusionWeights;
  readonly identities: Identities;
  /** How many of the best chunks to return. */
  readonly keepCount: number;
}

/**
 * The second pass: scores the allowed chunks with an estimated cosine; returns the best of them and their
 * BM25 sums.
 */
async function scoreChunks(
  { search, query, allowed }: SearchScan,
  { terms, weights, identities, keepCount }: ScoringOptions,
): Promise<{ readonly best: readonly ScoredId[]; readonly lexical: ReadonlyMap<number, number> }> {
  const { index, kernels } = search;
  const best = createTopList(keepCount, identities.precedes);
  const lexical = new Map<number, number>();
  const isExact = terms.chunkCount <= (search.exactChunks ?? EXACT_CHUNKS);
  const factors = { lexical: weights.lexical, dense: weights.dense * query.scale };
  await index.visit(
    (segment, place) => {
      identities.enter(segment, place);
      // Set again for each segment, because another search may have used the kernels since.
      kernels.setQuery(paddedQuery(query, segment));
      kernels.accumulate(segment, terms.ofSegment(place), terms.saturation);
      const mask = allowed[place] ?? null;
      if (mask === "none") return;
      const offer = (ordinal: number, score: number) => best.offer(numberOf(place, ordinal), score);
      if (isExact) kernels.fused(segment, mask, factors, { floor: best.floor, offer });
      else offerLikelyChunks({ segment, mask, factors, kernels }, offer);
      for (const number of best.ids) {
        if (segmentPlaceOf(number) === place) lexical.set(number, kernels.sumOf(ordinalOf(number)));
      }
      identities.keep(best.ids);
    },
    (place) => allowed[place] !== "none",
  );
  return { best: best.drain(), lexical };
}

/** The query vector padded to the segment's stride; the same array for the same stride. */
function paddedQuery(query: QueryVector, { stride }: Segment): Int8Array {
  const known = query.padded.get(stride);
  if (known !== undefined) return known;
  const padded = new Int8Array(stride);
  padded.set(query.quantized);
  query.padded.set(stride, padded);
  return padded;
}

/** The ids of the chunks whose exact score may be among the best `limit`, best estimate first. */
function selectForReranking(
  ranked: readonly ScoredId[],
  { limit, weights }: { readonly limit: number; readonly weights: FusionWeights },
): readonly number[] {
  const worstScore = ranked[Math.min(limit, ranked.length) - 1]?.score ?? 0;
  // The estimate of a top chunk may be too high, and that of a chunk below it too low.
  const threshold = worstScore - 2 * weights.dense * ESTIMATE_ERROR;
  return ranked.filter(({ score }) => score >= threshold).map(({ id }) => id);
}

function offerLikelyChunks(
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
