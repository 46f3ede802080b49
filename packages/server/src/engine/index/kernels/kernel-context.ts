/** State that all kernels of one thread share, and their argument checks. */
import { DamagedSegmentError, MAX_SEGMENT_CHUNKS } from "../format.ts";
import { type KernelModule, openKernelModule } from "./kernel-module.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import type { SharedMemory } from "./web-assembly.ts";

/** The parts of a segment that the kernels read; all arrays are views on the shared memory. */
export interface KernelSegment {
  readonly chunkCount: number;
  readonly dimensions: number;
  /** Bytes from one row to the next: the dimensions, padded with zeros to a multiple of 32. */
  readonly stride: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
  /** The number of index terms of each chunk. */
  readonly lengths: Uint32Array;
  readonly postings: Uint8Array;
  readonly signs: Uint8Array;
  readonly signStride: number;
}

/** The offsets of a term's list in `postings`, and the number of chunks in it. */
export interface KernelTerm {
  readonly chunkCount: number;
  readonly start: number;
  readonly end: number;
}

/** One byte per chunk, nonzero for chunks to include; null includes all. */
export type Mask = Uint8Array | null;

/** Receives chunks in ascending order; `offer` must not call the kernels. */
export interface Offers {
  readonly floor: number;
  /** Called for scores that reach the floor it last returned. */
  offer(ordinal: number, score: number): number;
}

/** `state` persists between calls: the query vector and the number of sums. */
export interface KernelContext {
  readonly module: KernelModule;
  readonly scratch: Scratch;
  /**
   * Copies the mask into the scratch area and returns its address, or that of the mask that allows every
   * chunk.
   */
  copyMask(mask: Mask, chunkCount: number): number;
  /** Throws unless the view has `length` elements and is on the shared memory. */
  requireView(view: View, length: number): void;
  readonly state: {
    query: Int8Array;
    /** The number of chunks that have sums from the last `accumulate`. */
    summedCount: number;
  };
}

interface View {
  readonly buffer: ArrayBufferLike;
  readonly length: number;
}

export function openKernelContext(options: {
  readonly memory: SharedMemory;
  readonly scratch: number;
}): KernelContext {
  const { memory } = options;
  const scratch = openScratch(memory, options.scratch);
  return {
    module: openKernelModule(memory),
    scratch,
    copyMask(mask, chunkCount) {
      if (mask === null) return scratch.at.everyChunk;
      if (mask.length !== chunkCount) {
        throw new RangeError(`a mask of ${mask.length} chunks does not fit a segment of ${chunkCount}`);
      }
      scratch.mask.set(mask);
      return scratch.at.mask;
    },
    state: { query: new Int8Array(0), summedCount: 0 },
    requireView(view, length) {
      if (view.length !== length || view.buffer !== memory.buffer) {
        throw new RangeError("an array of the segment has the wrong length or is not in the shared memory");
      }
    },
  };
}

/** @throws RangeError if the rows do not have the declared size or the query vector's length */
export function requireRows(
  { state, requireView }: KernelContext,
  { chunkCount, dimensions, stride, rows, scales }: KernelSegment,
): void {
  requireChunkCount(chunkCount);
  const { length } = state.query;
  if (stride !== length || dimensions > stride) {
    throw new RangeError(`a query vector of ${length} components does not fit rows of ${stride}`);
  }
  requireView(rows, chunkCount * stride);
  requireView(scales, chunkCount);
}

/** @throws RangeError unless the last `accumulate` was for a segment with `chunkCount` chunks */
export function requireSums({ state }: KernelContext, chunkCount: number): void {
  if (chunkCount !== state.summedCount)
    throw new RangeError(`there are sums of ${state.summedCount} chunks, not ${chunkCount}`);
}

/** @throws RangeError for a segment that is too large for the scratch area */
export function requireChunkCount(chunkCount: number): void {
  if (!(chunkCount >= 0 && chunkCount <= MAX_SEGMENT_CHUNKS)) {
    throw new RangeError(`a segment of ${chunkCount} chunks cannot be searched`);
  }
}

/** Damage that is detected only when the postings are decoded. */
export function damaged(): DamagedSegmentError {
  return new DamagedSegmentError("its postings are inconsistent");
}
