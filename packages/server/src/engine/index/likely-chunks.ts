/** Candidates of a segment without scoring all of its vectors: for projects so large that the exact scan is no longer cheap. */
import type { SearchKernels } from "./kernels/search-kernels.ts";
import type { Segment } from "./segment.ts";
import { createTopList } from "./top-list.ts";
import type { ChunkMask } from "./visible-chunks.ts";

/** Of each kind, in a segment of at most 32,768 chunks: recall is measured with it in `bench/scale.ts`. */
const MOST_SIMILAR_SIGNS = 512;
const BEST_BY_TERMS = 128;

/**
 * The chunks of the last `setQuery` and `accumulate` that are likely to have the best fused scores: those with the highest
 * BM25 sums, and those whose vectors' signs agree with the question's in most places (Charikar, "Similarity
 * Estimation Techniques from Rounding Algorithms", 2002: the share of differing signs grows with the angle). An eighth of
 * the bytes of the int8 rows is read.
 */
export function likelyChunks(
  segment: Segment,
  allowed: ChunkMask,
  kernels: SearchKernels,
): readonly number[] {
  const ascending = (one: number, other: number) => one < other;
  const similar = createTopList(MOST_SIMILAR_SIGNS, ascending);
  kernels.nearestSigns(segment, allowed, {
    ceiling: Number.POSITIVE_INFINITY,
    offer: (ordinal, distance) => -similar.offer(ordinal, -distance),
  });
  const matching = createTopList(BEST_BY_TERMS, ascending);
  kernels.best(segment.chunkCount, allowed, { floor: Number.NEGATIVE_INFINITY, offer: matching.offer });
  return [...new Set([...similar.ids, ...matching.ids])];
}
