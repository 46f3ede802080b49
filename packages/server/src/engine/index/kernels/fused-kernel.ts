/** The kernel that combines a chunk's lexical sum and its dense score. */
import {
  type KernelContext,
  type KernelSegment,
  type Mask,
  type Offers,
  requireRows,
  requireSums,
} from "./kernel-context.ts";
import { BLOCK_CHUNKS } from "./scratch.ts";

export interface FusedKernel {
  /**
   * Offers each allowed chunk with lexical · sum + dense · score (f64, evaluated in this order). The sums are
   * those of the last `accumulate`, which must have been called for this segment; the scores are those of
   * `nearest`.
   */
  fused(
    segment: KernelSegment,
    allowed: Mask,
    factors: { readonly lexical: number; readonly dense: number },
    offers: Offers,
  ): void;
}

export function fusedKernel(kernels: KernelContext): FusedKernel["fused"] {
  const { module, scratch } = kernels;
  const { at } = scratch;
  return (segment, allowed, factors, { floor, offer }) => {
    requireRows(kernels, segment);
    const { chunkCount, stride } = segment;
    requireSums(kernels, chunkCount);
    const mask = kernels.copyMask(allowed, chunkCount);
    let reached = floor;
    for (let first = 0; first < chunkCount; first += BLOCK_CHUNKS) {
      const count = module.scanFused(
        segment.rows.byteOffset,
        segment.scales.byteOffset,
        mask,
        first,
        Math.min(first + BLOCK_CHUNKS, chunkCount),
        stride,
        at.query,
        at.sums,
        factors.lexical,
        factors.dense,
        reached,
        at.hits,
        at.rowScores,
        at.values,
      );
      for (let hit = 0; hit < count; hit++) {
        const score = scratch.hitSums[hit] ?? 0;
        if (score >= reached) reached = offer(scratch.hits[hit] ?? 0, score);
      }
    }
  };
}
