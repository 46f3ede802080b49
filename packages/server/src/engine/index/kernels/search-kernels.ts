/** The loops of a search over segments in shared memory, in WebAssembly SIMD. */
import { DamagedSegmentError, MAX_DIMENSIONS, MAX_SEGMENT_CHUNKS } from "../format.ts";
import { packSigns, signStrideOf } from "../quantize.ts";
import { type KernelModule, openKernelModule } from "./kernel-module.ts";
import { BLOCK_CHUNKS, openScratch, SCRATCH_SIZE, type Scratch } from "./scratch.ts";
import type { SharedMemory } from "./web-assembly.ts";

/** Bytes that the kernels of one thread need for themselves; a multiple of 64. */
export const SCRATCH_BYTES: number = SCRATCH_SIZE;

/** Strides are multiples of it. */
const ROW_STEP = 32;

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
type Mask = Uint8Array | null;

/** Takes chunks in ascending order; must not call the kernels meanwhile. */
export interface Offers {
  readonly floor: number;
  /** Gets what reaches the floor that it returned last. */
  offer(ordinal: number, score: number): number;
}

export interface SignOffers {
  readonly ceiling: number;
  /** Gets what is not above the ceiling that it returned last. */
  offer(ordinal: number, distance: number): number;
}

/**
 * Of one thread. Every result is that of the plain loop, to the last bit. All throw a RangeError if the segment or a
 * mask is not of the size that it says, or the segment is not in the shared memory.
 */
export interface SearchKernels {
  /** The question of all following scans in int8, padded with zeros to the segments' stride. */
  setQuery(query: Int8Array): void;
  /** Offers chunk and score, f32(dot product) · scale in f32, of every allowed row. */
  nearest(segment: KernelSegment, allowed: Mask, offers: Offers): void;
  /**
   * Offers chunk and lexical · sum + dense · score (f64, in this order) of every allowed row, with the sums of the last
   * `accumulate`, which must have been of this segment, and the scores of `nearest`.
   */
  fused(
    segment: KernelSegment,
    allowed: Mask,
    factors: { readonly lexical: number; readonly dense: number },
    offers: Offers,
  ): void;
  /** The scores of `nearest` for chosen chunks. Throws a RangeError if there is no such chunk. */
  scoreRows(segment: KernelSegment, ordinals: readonly number[]): number[];
  /** How many postings are of visible chunks. Throws a DamagedSegmentError if they do not fit the segment. */
  countVisible(segment: KernelSegment, term: KernelTerm, visible: Mask): number;
  /**
   * BM25 sums of a segment's chunks, anew: each term in turn adds weight · tf / (tf + base + perToken · length), f64
   * and in this order. Throws a DamagedSegmentError if postings do not fit the segment; there are no sums then.
   */
  accumulate(
    segment: KernelSegment,
    terms: readonly { readonly term: KernelTerm; readonly weight: number }[],
    saturation: { readonly base: number; readonly perToken: number },
  ): void;
  /** Of the last `accumulate`. */
  sumOf(ordinal: number): number;
  /** Offers the allowed chunks of the last `accumulate` whose sums are above 0. */
  best(chunkCount: number, allowed: Mask, offers: Offers): void;
  /** Offers the allowed chunks and in how many bits their signs (`packSigns`) differ from the question's. */
  nearestSigns(segment: KernelSegment, allowed: Mask, offers: SignOffers): void;
}

interface Kernels {
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

/**
 * The kernels of one thread. `scratch`: the address, a multiple of 64, of SCRATCH_BYTES that are its own. Throws an
 * Error if the runtime lacks SIMD or the memory is not shared.
 */
export function openSearchKernels(options: {
  readonly memory: SharedMemory;
  readonly scratch: number;
}): SearchKernels {
  const { memory } = options;
  const scratch = openScratch(memory, options.scratch);
  const kernels: Kernels = {
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
  return { ...denseKernels(kernels), ...lexicalKernels(kernels), fused: fusedKernel(kernels) };
}

type DenseKernels = Pick<SearchKernels, "setQuery" | "nearest" | "scoreRows" | "nearestSigns">;

function denseKernels(kernels: Kernels): DenseKernels {
  const { module, scratch, state, placeMask } = kernels;
  const { at } = scratch;
  return {
    setQuery(query) {
      if (query.length % ROW_STEP !== 0 || query.length > MAX_DIMENSIONS) {
        throw new RangeError(`a question of ${query.length} components cannot be scanned for`);
      }
      state.question = Int8Array.from(query);
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
  { module, scratch, placeMask, requireView }: Kernels,
  ...[segment, allowed, { ceiling, offer }]: Parameters<SearchKernels["nearestSigns"]>
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

type LexicalKernels = Pick<SearchKernels, "countVisible" | "accumulate" | "sumOf" | "best">;

function lexicalKernels(kernels: Kernels): LexicalKernels {
  const { module, scratch, placeMask } = kernels;
  const { at } = scratch;
  const { state } = kernels;

  function requireTerm({ chunkCount, postings, lengths }: KernelSegment, term: KernelTerm): void {
    requireChunkCount(chunkCount);
    kernels.requireView(postings, postings.length);
    kernels.requireView(lengths, chunkCount);
    const { start, end } = term;
    if (!(start >= 0 && start <= end && end <= postings.length && term.chunkCount <= chunkCount))
      throw damaged();
  }

  return {
    countVisible(segment, term, visible) {
      requireTerm(segment, term);
      const { start, end } = term;
      const mask = placeMask(visible, segment.chunkCount);
      const from = segment.postings.byteOffset;
      const count = module.countAllowed(
        from + start,
        from + end,
        term.chunkCount,
        segment.chunkCount,
        mask,
        at.ordinals,
        at.frequencies,
      );
      if (count < 0) throw damaged();
      return count;
    },
    accumulate(segment, terms, { base, perToken }) {
      const { chunkCount, postings, lengths } = segment;
      requireChunkCount(chunkCount);
      module.clearSums(at.sums, chunkCount);
      state.summedCount = 0;
      for (const { term, weight } of terms) {
        requireTerm(segment, term);
        const start = postings.byteOffset + term.start;
        const end = postings.byteOffset + term.end;
        const isWhole = module.addTerm(
          start,
          end,
          term.chunkCount,
          chunkCount,
          lengths.byteOffset,
          weight,
          base,
          perToken,
          at.sums,
          at.ordinals,
          at.frequencies,
        );
        if (isWhole === 0) throw damaged();
      }
      state.summedCount = chunkCount;
    },
    sumOf(ordinal) {
      if (!(ordinal >= 0 && ordinal < state.summedCount)) throw new RangeError(`chunk ${ordinal} has no sum`);
      return scratch.sums[ordinal] ?? 0;
    },
    best(chunkCount, allowed, { floor, offer }) {
      requireSums(kernels, chunkCount);
      const mask = placeMask(allowed, chunkCount);
      // Above 0 is the same as to reach the least number above 0.
      let reached = Math.max(floor, Number.MIN_VALUE);
      for (let first = 0; first < chunkCount; first += BLOCK_CHUNKS) {
        const end = Math.min(first + BLOCK_CHUNKS, chunkCount);
        const count = module.listSums(at.sums, mask, first, end, reached, at.hits, at.values);
        for (let hit = 0; hit < count; hit++) {
          const sum = scratch.hitSums[hit] ?? 0;
          if (sum >= reached) reached = Math.max(offer(scratch.hits[hit] ?? 0, sum), Number.MIN_VALUE);
        }
      }
    },
  };
}

function fusedKernel(kernels: Kernels): SearchKernels["fused"] {
  const { module, scratch } = kernels;
  const { at } = scratch;
  return (segment, allowed, factors, { floor, offer }) => {
    requireRows(kernels, segment);
    const { chunkCount, stride } = segment;
    requireSums(kernels, chunkCount);
    const mask = kernels.placeMask(allowed, chunkCount);
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

function requireRows(
  { state, requireView }: Kernels,
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

function requireSums({ state }: Kernels, chunkCount: number): void {
  if (chunkCount !== state.summedCount)
    throw new RangeError(`there are sums of ${state.summedCount} chunks, not ${chunkCount}`);
}

function requireChunkCount(chunkCount: number): void {
  if (!(chunkCount >= 0 && chunkCount <= MAX_SEGMENT_CHUNKS)) {
    throw new RangeError(`a segment of ${chunkCount} chunks cannot be searched`);
  }
}

function damaged(): DamagedSegmentError {
  return new DamagedSegmentError("its postings do not fit");
}
