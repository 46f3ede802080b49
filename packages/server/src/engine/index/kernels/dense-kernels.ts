/** The kernels that compare a query vector with the rows of a segment. */
import { MAX_DIMENSIONS } from "../format.ts";
import { packSigns, signStrideOf } from "../quantize.ts";
import {
  type KernelContext,
  type KernelSegment,
  type Mask,
  type Offers,
  requireRows,
} from "./kernel-context.ts";
import { BLOCK_CHUNKS } from "./scratch.ts";

/** Every stride is a multiple of this. */
const ROW_STEP = 32;

export interface SignOffers {
  readonly ceiling: number;
  /** Called for distances that do not exceed the ceiling it last returned. */
  offer(ordinal: number, distance: number): number;
}

export interface DenseKernels {
  /**
   * Sets the int8 query vector for all following scans, padded with zeros to the segments' stride. The array
   * must not change afterwards.
   */
  setQuery(query: Int8Array): void;
  /**
   * Offers each allowed chunk with its score, f32(dot product) · scale in f32. A scan without lexical sums,
   * used as a baseline in benchmarks.
   */
  nearest(segment: KernelSegment, allowed: Mask, offers: Offers): void;
  /** The scores of `nearest` for the given chunks. Throws a RangeError for an ordinal out of range. */
  scoreRows(segment: KernelSegment, ordinals: readonly number[]): number[];
  /**
   * Offers each allowed chunk with the number of sign bits (`packSigns`) that differ from those of the query.
   */
  nearestSigns(segment: KernelSegment, allowed: Mask, offers: SignOffers): void;
}

export function denseKernels(kernels: KernelContext): DenseKernels {
  const { module, scratch, state, copyMask } = kernels;
  const { at } = scratch;
  return {
    setQuery(query) {
      if (query.length % ROW_STEP !== 0 || query.length > MAX_DIMENSIONS) {
        throw new RangeError(`a query vector of ${query.length} components is not supported`);
      }
      if (state.query === query) return;
      state.query = query;
      scratch.query.set(query);
    },
    nearest(segment, allowed, { floor, offer }) {
      requireRows(kernels, segment);
      const { chunkCount, stride } = segment;
      const rows = segment.rows.byteOffset;
      const scales = segment.scales.byteOffset;
      const mask = copyMask(allowed, chunkCount);
      let reached = floor;
      for (let first = 0; first < chunkCount; first += BLOCK_CHUNKS) {
        const end = Math.min(first + BLOCK_CHUNKS, chunkCount);
        const count = module.scanRows(
          rows,
          scales,
          mask,
          first,
          end,
          stride,
          at.query,
          reached,
          at.hits,
          at.values,
        );
        for (let hit = 0; hit < count; hit++) {
          const score = scratch.scores[hit] ?? 0;
          if (score >= reached) reached = offer(scratch.hits[hit] ?? 0, score);
        }
      }
    },
    scoreRows(segment, ordinals) {
      requireRows(kernels, segment);
      const rows = segment.rows.byteOffset;
      const scales = segment.scales.byteOffset;
      const scores: number[] = [];
      for (let first = 0; first < ordinals.length; first += BLOCK_CHUNKS) {
        const block = ordinals.slice(first, first + BLOCK_CHUNKS);
        for (const [place, ordinal] of block.entries()) {
          if (!(ordinal >= 0 && ordinal < segment.chunkCount))
            throw new RangeError(`chunk ${ordinal} is not in the segment`);
          scratch.hits[place] = ordinal;
        }
        module.scoreListed(rows, scales, at.hits, block.length, segment.stride, at.query, at.values);
        for (let place = 0; place < block.length; place++) scores.push(scratch.scores[place] ?? 0);
      }
      return scores;
    },
    nearestSigns(segment, allowed, offers) {
      requireRows(kernels, segment);
      packSigns(state.query.subarray(0, segment.dimensions), scratch.querySigns);
      scanSigns(kernels, segment, allowed, offers);
    },
  };
}

function scanSigns(
  { module, scratch, copyMask, requireView }: KernelContext,
  ...[segment, allowed, { ceiling, offer }]: Parameters<DenseKernels["nearestSigns"]>
): void {
  const { chunkCount, dimensions, signs, signStride } = segment;
  if (signStride !== signStrideOf(dimensions))
    throw new RangeError(`a sign stride of ${signStride} bytes does not match ${dimensions} dimensions`);
  requireView(signs, chunkCount * signStride);
  const { at } = scratch;
  const mask = copyMask(allowed, chunkCount);
  let limit = ceiling;
  for (let first = 0; first < chunkCount; first += BLOCK_CHUNKS) {
    const end = Math.min(first + BLOCK_CHUNKS, chunkCount);
    // Clamped, because the kernel compares with an i32.
    const maxDistance = Math.floor(Math.max(-1, Math.min(limit, MAX_DIMENSIONS)));
    const count = module.scanSigns(
      signs.byteOffset,
      signStride,
      mask,
      first,
      end,
      at.querySigns,
      maxDistance,
      at.hits,
      at.values,
    );
    for (let hit = 0; hit < count; hit++) {
      const distance = scratch.distances[hit] ?? 0;
      if (distance <= limit) limit = offer(scratch.hits[hit] ?? 0, distance);
    }
  }
}
