/**
 * Encodes the occurrences of a term: ascending ordinals of chunks (or places of documents), each with a
 * frequency.
 */
import { DamagedSegmentError } from "./format.ts";
import { type ByteWriter, createVarintReader, MAX_VARINT_BYTES } from "./varint.ts";

/** A buffer for decoded postings; both arrays have the same length, and the ordinals of a list ascend. */
export interface PostingBuffer {
  readonly ordinals: Uint32Array;
  readonly frequencies: Uint32Array;
}

export interface PostingSource {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** The number of postings. */
  readonly count: number;
  /** All ordinals are below this. */
  readonly ordinalCount: number;
}

export function createPostingBuffer(size: number): PostingBuffer {
  return { ordinals: new Uint32Array(size), frequencies: new Uint32Array(size) };
}

/**
 * Appends the first `count` postings of a buffer. A posting is the number of ordinals skipped since the
 * previous one, doubled, plus 1 if the term occurs once there; if it is even, the frequency follows. (As in
 * Lucene: most terms occur once in a chunk.) Throws a RangeError if the ordinals do not ascend.
 */
export function encodePostings(
  { ordinals, frequencies }: PostingBuffer,
  count: number,
  into: ByteWriter,
): void {
  const bytes = into.room(2 * MAX_VARINT_BYTES * count);
  let at = into.length;
  let previous = -1;
  // Inlined instead of calling a function per number, because a merge encodes millions.
  for (let index = 0; index < count; index++) {
    const ordinal = ordinals[index] ?? 0;
    const frequency = frequencies[index] ?? 1;
    if (ordinal <= previous) throw new RangeError("ordinals of postings must ascend");
    let rest = (ordinal - previous - 1) * 2 + (frequency === 1 ? 1 : 0);
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
    if (frequency !== 1) {
      for (rest = frequency; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
      bytes[at++] = rest;
    }
    previous = ordinal;
  }
  into.advance(at);
}

/**
 * Decodes postings into `into` from index `at` on and returns the index after them. Throws a
 * DamagedSegmentError if the postings do not end exactly at `end` or contain ordinals out of range.
 */
export function decodePostings(source: PostingSource, into: PostingBuffer, at: number): number {
  const { bytes, end, count, ordinalCount } = source;
  const { ordinals, frequencies } = into;
  let place = at;
  let offset = source.start;
  let ordinal = -1;
  // Inlined: a call per number would halve the speed of this loop.
  for (let index = 0; index < count; index++) {
    let code = bytes[offset++] ?? 0;
    if (code > 0x7f) {
      code &= 0x7f;
      for (let shift = 7, byte = 0x80; byte > 0x7f && shift < 35; shift += 7) {
        byte = bytes[offset++] ?? 0;
        code |= (byte & 0x7f) << shift;
      }
    }
    let frequency = 1;
    if ((code & 1) === 0) {
      frequency = bytes[offset++] ?? 0;
      if (frequency > 0x7f) {
        frequency &= 0x7f;
        for (let shift = 7, byte = 0x80; byte > 0x7f && shift < 35; shift += 7) {
          byte = bytes[offset++] ?? 0;
          frequency |= (byte & 0x7f) << shift;
        }
      }
    }
    ordinal += (code >>> 1) + 1;
    ordinals[place] = ordinal;
    frequencies[place] = frequency;
    place++;
  }
  if (offset !== end || ordinal >= ordinalCount)
    throw new DamagedSegmentError("its postings are inconsistent");
  return place;
}

/**
 * Sets the byte of each posting's ordinal to 1. Throws a DamagedSegmentError as {@link decodePostings} does.
 */
export function markPostings(source: PostingSource, marked: Uint8Array): void {
  const reader = createVarintReader(source.bytes, source.start);
  let ordinal = -1;
  for (let index = 0; index < source.count; index++) {
    const code = reader.next();
    if ((code & 1) === 0) reader.next();
    ordinal += (code >>> 1) + 1;
    marked[ordinal] = 1;
  }
  if (reader.at !== source.end || ordinal >= source.ordinalCount) {
    throw new DamagedSegmentError("its postings are inconsistent");
  }
}
