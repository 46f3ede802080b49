/** The passes of a search over the segments: the weights of the terms, then the scores of the chunks. */
import type { ChunkKey } from "../../domain/document.ts";
import type { SearchFilter } from "../../domain/metadata.ts";
import { type Identities, numberOf, ordinalOf, segmentPlaceOf } from "./candidates.ts";
import type { FusionWeights } from "./fusion.ts";
import type { SearchKernels } from "./kernels/search-kernels.ts";
import { createTermStatistics, type WeightedTerms } from "./lexical.ts";
import { likelyChunks } from "./likely-chunks.ts";
import type { Pass } from "./per-document.ts";
import { quantizeVector } from "./quantize.ts";
import type { Segment } from "./segment.ts";
import { createTopList } from "./top-list.ts";
import { allowedChunks, type ChunkMask, visibilityOf, withoutVersions } from "./visible-chunks.ts";

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
  /** How many chunks of one document may be among the best; null or absent = any number. */
  readonly perDocument?: number | null;
  readonly readVectors: VectorReader;
  /** The number of visible chunks up to which every vector is scored; default {@link EXACT_CHUNKS}. */
  readonly exactChunks?: number;
}

/** Scoring all vectors of an index of this size takes about 8 ms. */
const EXACT_CHUNKS = 1 << 18;

export interface WeightedScan {
  readonly scan: SearchScan;
  readonly terms: WeightedTerms;
  readonly weights: FusionWeights;
}

/** The question's vector in the index's int8 form. */
interface QueryVector {
  readonly quantized: Int8Array;
  readonly scale: number;
  /** The quantized vector padded with zeros, by length. */
  readonly padded: Map<number, Int8Array>;
}

export interface SearchScan {
  readonly search: IndexSearch;
  readonly query: QueryVector;
  /** By segment; "none" if no chunk of it may be returned. */
  readonly allowed: (ChunkMask | "none")[];
}

export function quantizeQuery({ vector }: IndexSearch): QueryVector {
  const quantized = new Int8Array(vector.length);
  return { quantized, scale: quantizeVector(vector, quantized), padded: new Map() };
}

/** The first pass over all segments: determines which chunks may be returned, and the term weights. */
export async function weighTerms({ search, allowed }: SearchScan): Promise<WeightedTerms> {
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
  readonly identities: Identities;
  /** How many of the best chunks to return. */
  readonly keepCount: number;
  /** Versions whose chunks are left out; default: none. */
  readonly excluded?: ReadonlySet<number>;
}

/**
 * The second pass: scores the allowed chunks with an estimated cosine; returns the best of them and their
 * BM25 sums.
 */
export async function scoreChunks(
  { scan: { search, query, allowed }, terms, weights }: WeightedScan,
  { identities, keepCount, excluded = new Set() }: ScoringOptions,
): Promise<Pass> {
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
      const included = allowed[place] ?? null;
      if (included === "none") return;
      const mask = withoutVersions(segment, included, excluded);
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
export function paddedQuery(query: QueryVector, { stride }: Segment): Int8Array {
  const known = query.padded.get(stride);
  if (known !== undefined) return known;
  const padded = new Int8Array(stride);
  padded.set(query.quantized);
  query.padded.set(stride, padded);
  return padded;
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
