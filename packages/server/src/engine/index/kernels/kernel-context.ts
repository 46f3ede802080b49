/** What all kernels of one thread share, and what they demand of a segment. */
import { DamagedSegmentError, MAX_SEGMENT_CHUNKS } from "../format.ts";
import { type KernelModule, openKernelModule } from "./kernel-module.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import type { SharedMemory } from "./web-assembly.ts";

/** What the kernels read of a segment; all arrays are views on the shared memory. */
export interface KernelSegment {
  readonly chunkCount: number;
  readonly dimensions: number;
  /** Bytes from one row to the next: the dimensions, padded with zeros to a multiple of 32. */
  readonly stride: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
  /** Index terms of each chunk. */
  readonly lengths: Uint32Array;
  readonly postings: Uint8Array;
  readonly signs: Uint8Array;
  readonly signStride: number;
}

/** Where in `postings` a term's list lies, and how many chunks it names. */
export interface KernelTerm {
  readonly chunkCount: number;
  readonly start: number;
  readonly end: number;
}

/** One byte a chunk, not 0 for those that count; null = all of them. */
export type Mask = Uint8Array | null;

/** Takes chunks in ascending order; must not call the kernels meanwhile. */
export interface Offers {
  readonly floor: number;
  /** Gets what reaches the floor that it returned last. */
  offer(ordinal: number, score: number): number;
}

/** `state` is what one call leaves for the next: the question, and the sums. */
export interface KernelContext {
  readonly module: KernelModule;
  readonly scratch: Scratch;
  /** The address of a copy of the mask, or of the one that allows all. */
  placeMask(mask: Mask, chunkCount: number): number;
  /** Throws unless the view has `length` elements and lies in the shared memory. */
  requireView(view: View, length: number): void;
  readonly state: {
    question: Int8Array;
    /** Chunks that the last `accumulate` left sums of. */
    summedCount: number;
  };
}

interface View {
  readonly buffer: ArrayBufferLike;
  readonly length: number;
}

/** As `openSearchKernels`. */
export function openKernelContext(options: {
  readonly memory: SharedMemory;
  readonly scratch: number;
}): KernelContext {
  const { memory } = options;
  const scratch = openScratch(memory, options.scratch);
  return {
    module: openKernelModule(memory),
    scratch,
    placeMask(mask, chunkCount) {
      if (mask === null) return scratch.at.everyChunk;
      if (mask.length !== chunkCount) {
        throw new RangeError(`a mask of ${mask.length} chunks does not fit a segment of ${chunkCount}`);
      }
      scratch.mask.set(mask);
      return scratch.at.mask;
    },
    state: { question: new Int8Array(0), summedCount: 0 },
    requireView(view, length) {
      if (view.length !== length || view.buffer !== memory.buffer) {
        throw new RangeError("a segment to search is not of its size or not in the shared memory");
      }
    },
  };
}

/** @throws RangeError unless the rows are of the size that they say and fit the question */
export function requireRows(
  { state, requireView }: KernelContext,
  { chunkCount, dimensions, stride, rows, scales }: KernelSegment,
): void {
  requireChunkCount(chunkCount);
  const { length } = state.question;
  if (stride !== length || dimensions > stride) {
    throw new RangeError(`a question of ${length} components does not fit rows of ${stride}`);
  }
  requireView(rows, chunkCount * stride);
  requireView(scales, chunkCount);
}

/** @throws RangeError unless the last `accumulate` was of a segment of so many chunks */
export function requireSums({ state }: KernelContext, chunkCount: number): void {
  if (chunkCount !== state.summedCount)
    throw new RangeError(`there are sums of ${state.summedCount} chunks, not ${chunkCount}`);
}

/** @throws RangeError for a segment that the scratch memory has no room for */
export function requireChunkCount(chunkCount: number): void {
  if (!(chunkCount >= 0 && chunkCount <= MAX_SEGMENT_CHUNKS)) {
    throw new RangeError(`a segment of ${chunkCount} chunks cannot be searched`);
  }
}

/** A fault that only the postings show. */
export function damaged(): DamagedSegmentError {
  return new DamagedSegmentError("its postings do not fit");
}
