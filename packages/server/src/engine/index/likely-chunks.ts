/**
 * Selects candidates of a segment without scoring all of its vectors, for projects so large that an exact
 * scan is too expensive.
 */
import type { SearchKernels } from "./kernels/search-kernels.ts";
import { createNearestSigns } from "./nearest-signs.ts";
import type { Segment } from "./segment.ts";
import { createTopList } from "./top-list.ts";
import type { ChunkMask } from "./visible-chunks.ts";

/**
 * Candidates of each kind per segment of at most 32,768 chunks; `bench/scale.ts` measures the recall with
 * these values.
 */
const MOST_SIMILAR_SIGNS = 512;
const BEST_BY_TERMS = 128;

/**
 * The chunks that are likely to have the best fused scores for the last `setQuery` and `accumulate`: those
 * with the highest BM25 sums, and those whose vector signs agree with the question's in the most components
 * (Charikar, "Similarity Estimation Techniques from Rounding Algorithms", 2002: the share of differing signs
 * grows with the angle). This reads an eighth of the bytes of the int8 rows.
 */
export function likelyChunks(
  segment: Segment,
  allowed: ChunkMask,
  kernels: SearchKernels,
): readonly number[] {
  const similar = createNearestSigns(MOST_SIMILAR_SIGNS, segment.dimensions);
  kernels.nearestSigns(segment, allowed, { ceiling: Number.POSITIVE_INFINITY, offer: similar.offer });
  const matching = createTopList(BEST_BY_TERMS, (one, other) => one < other);
  kernels.best(segment.chunkCount, allowed, { floor: Number.NEGATIVE_INFINITY, offer: matching.offer });
  return [...new Set([...similar.ordinals(), ...matching.ids])];
}
