/** The kernels that compare a question's vector with the rows of a segment. */
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

/** Strides are multiples of it. */
const ROW_STEP = 32;

export interface SignOffers {
  readonly ceiling: number;
  /** Gets what is not above the ceiling that it returned last. */
  offer(ordinal: number, distance: number): number;
}

export interface DenseKernels {
  /** The question of all following scans in int8, padded with zeros to the segments' stride; it must not change. */
  setQuery(query: Int8Array): void;
  /** Offers chunk and score, f32(dot product) · scale in f32, of every allowed row: the bare scan that benchmarks compare with. */
  nearest(segment: KernelSegment, allowed: Mask, offers: Offers): void;
  /** The scores of `nearest` for chosen chunks. Throws a RangeError if there is no such chunk. */
  scoreRows(segment: KernelSegment, ordinals: readonly number[]): number[];
  /** Offers the allowed chunks and in how many bits their signs (`packSigns`) differ from the question's. */
  nearestSigns(segment: KernelSegment, allowed: Mask, offers: SignOffers): void;
}

export function denseKernels(kernels: KernelContext): DenseKernels {
  const { module, scratch, state, placeMask } = kernels;
  const { at } = scratch;
  return {
    setQuery(query) {
      if (query.length % ROW_STEP !== 0 || query.length > MAX_DIMENSIONS) {
        throw new RangeError(`a question of ${query.length} components cannot be scanned for`);
      }
      if (state.question === query) return;
      state.question = query;
      scratch.query.set(query);
    },
    nearest(segment, allowed, { floor, offer }) {
      requireRows(kernels, segment);
      const { chunkCount, stride } = segment;
      const rows = segment.rows.byteOffset;
      const scales = segment.scales.byteOffset;
      const mask = placeMask(allowed, chunkCount);
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
            throw new RangeError(`there is no chunk ${ordinal}`);
          scratch.hits[place] = ordinal;
        }
        module.scoreListed(rows, scales, at.hits, block.length, segment.stride, at.query, at.values);
        for (let place = 0; place < block.length; place++) scores.push(scratch.scores[place] ?? 0);
      }
      return scores;
    },
    nearestSigns(segment, allowed, offers) {
      requireRows(kernels, segment);
      packSigns(state.question.subarray(0, segment.dimensions), scratch.querySigns);
      scanSigns(kernels, segment, allowed, offers);
    },
  };
}

function scanSigns(
  { module, scratch, placeMask, requireView }: KernelContext,
  ...[segment, allowed, { ceiling, offer }]: Parameters<DenseKernels["nearestSigns"]>
): void {
  const { chunkCount, dimensions, signs, signStride } = segment;
  if (signStride !== signStrideOf(dimensions)) throw new RangeError(`no sign bits take ${signStride} bytes`);
  requireView(signs, chunkCount * signStride);
  const { at } = scratch;
  const mask = placeMask(allowed, chunkCount);
  let limit = ceiling;
  for (let first = 0; first < chunkCount; first += BLOCK_CHUNKS) {
    const end = Math.min(first + BLOCK_CHUNKS, chunkCount);
    // Saturated, for the kernel compares with an i32.
    const most = Math.floor(Math.max(-1, Math.min(limit, MAX_DIMENSIONS)));
    const count = module.scanSigns(
      signs.byteOffset,
      signStride,
      mask,
      first,
      end,
      at.querySigns,
      most,
      at.hits,
      at.values,
    );
    for (let hit = 0; hit < count; hit++) {
      const distance = scratch.distances[hit] ?? 0;
      if (distance <= limit) limit = offer(scratch.hits[hit] ?? 0, distance);
    }
  }
}
