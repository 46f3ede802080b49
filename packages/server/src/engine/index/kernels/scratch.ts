/** The scratch area of one thread's kernels in the shared memory. */
import { MAX_DIMENSIONS, MAX_SEGMENT_CHUNKS } from "../format.ts";
import type { SharedMemory } from "./web-assembly.ts";

/**
 * The number of rows, sums or signs that a kernel call processes before it returns its hits; a multiple of 8.
 */
export const BLOCK_CHUNKS = 1024;

/** Kernels write hits in groups, and therefore past the last hit. */
const SPARE_HITS = 16;
const ALIGNMENT = 64;
const HIT_ROOM = BLOCK_CHUNKS + SPARE_HITS;

const SIZES = {
  /** The query vector, widened to int16. */
  query: 2 * MAX_DIMENSIONS,
  querySigns: MAX_DIMENSIONS / 8,
  hits: 4 * HIT_ROOM,
  values: 8 * HIT_ROOM,
  /** The row scores of a block, before they are combined with the sums. */
  rowScores: 4 * HIT_ROOM,
  /** A block of decoded postings. */
  ordinals: 4 * BLOCK_CHUNKS,
  frequencies: 4 * BLOCK_CHUNKS,
  mask: MAX_SEGMENT_CHUNKS,
  /** A mask that allows every chunk. */
  everyChunk: MAX_SEGMENT_CHUNKS,
  sums: 8 * MAX_SEGMENT_CHUNKS,
} as const;

/** In bytes: about 374 KiB. */
export const SCRATCH_SIZE = Object.values(SIZES).reduce((total, size) => total + align(size), 0);

/** `at` holds the addresses for the kernels; the other properties are views of the same bytes. */
export interface Scratch {
  readonly at: Readonly<Record<keyof typeof SIZES, number>>;
  readonly query: Int16Array;
  readonly querySigns: Uint8Array;
  readonly hits: Uint32Array;
  /** The value of each hit: an f32 score, an f64 sum or an i32 distance, depending on the kernel. */
  readonly scores: Float32Array;
  readonly hitSums: Float64Array;
  readonly distances: Int32Array;
  readonly mask: Uint8Array;
  readonly sums: Float64Array;
}

/**
 * Throws a RangeError if SCRATCH_SIZE bytes from `address` do not fit into the memory, or if the address is
 * not a multiple of 64.
 */
export function openScratch({ buffer }: SharedMemory, address: number): Scratch {
  if (address % ALIGNMENT !== 0 || address < 0 || address + SCRATCH_SIZE > buffer.byteLength) {
    throw new RangeError(`the scratch area of the search kernels does not fit at address ${address}`);
  }
  let end = address;
  const place = (size: number): number => {
    const start = end;
    end += align(size);
    return start;
  };
  const at = {
    query: place(SIZES.query),
    querySigns: place(SIZES.querySigns),
    hits: place(SIZES.hits),
    values: place(SIZES.values),
    rowScores: place(SIZES.rowScores),
    ordinals: place(SIZES.ordinals),
    frequencies: place(SIZES.frequencies),
    mask: place(SIZES.mask),
    everyChunk: place(SIZES.everyChunk),
    sums: place(SIZES.sums),
  };
  new Uint8Array(buffer, at.everyChunk, SIZES.everyChunk).fill(1);
  return {
    at,
    query: new Int16Array(buffer, at.query, MAX_DIMENSIONS),
    querySigns: new Uint8Array(buffer, at.querySigns, SIZES.querySigns),
    hits: new Uint32Array(buffer, at.hits, HIT_ROOM),
    scores: new Float32Array(buffer, at.values, HIT_ROOM),
    hitSums: new Float64Array(buffer, at.values, HIT_ROOM),
    distances: new Int32Array(buffer, at.values, HIT_ROOM),
    mask: new Uint8Array(buffer, at.mask, SIZES.mask),
    sums: new Float64Array(buffer, at.sums, MAX_SEGMENT_CHUNKS),
  };
}

function align(size: number): number {
  return Math.ceil(size / ALIGNMENT) * ALIGNMENT;
}
