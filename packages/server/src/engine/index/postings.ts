/** Where a term occurs: ordinals of chunks (or places of documents), ascending, each with a number of times. */
import { DamagedSegmentError } from "./format.ts";
import { type ByteWriter, createVarintReader, MAX_VARINT_BYTES } from "./varint.ts";

/** Room for decoded postings; both arrays have the same length and the ordinals of a list ascend. */
export interface PostingBuffer {
  readonly ordinals: Uint32Array;
  readonly frequencies: Uint32Array;
}

export interface PostingSource {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** How many postings there are. */
  readonly count: number;
  /** All ordinals are below it. */
  readonly ordinalCount: number;
}

export function createPostingBuffer(size: number): PostingBuffer {
  return { ordinals: new Uint32Array(size), frequencies: new Uint32Array(size) };
}

/**
 * Appends the first `count` postings of a buffer. A posting is the number of ordinals skipped since the last one,
 * doubled, plus 1 if the term occurs once there; if it is even, the frequency follows. (After Lucene: most terms
 * occur once in a chunk.) Throws a RangeError if the ordinals do not ascend.
 */
export function encodePostings(
  { ordinals, frequencies }: PostingBuffer,
  count: number,
  into: ByteWriter,
): void {
  const bytes = into.room(2 * MAX_VARINT_BYTES * count);
  let at = into.length;
  let previous = -1;
  // Written without calls for each number: a merge encodes millions.
  for (let index = 0; index < count; index++) {
    const ordinal = ordinals[index] ?? 0;
    const frequency = frequencies[index] ?? 1;
    if (ordinal <= previous) throw new RangeError("postings to encode do not ascend");
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
 * Decodes postings to `into` from place `at` on and returns the place behind them. Throws a DamagedSegmentError if they
 * do not fill their bytes or name ordinals that are not there.
 */
export function decodePostings(source: PostingSource, into: PostingBuffer, at: number): number {
  const { bytes, end, count, ordinalCount } = source;
  const { ordinals, frequencies } = into;
  let place = at;
  let offset = source.start;
  let ordinal = -1;
  // Inlined: a call for each number makes this loop half as fast.
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
  if (offset !== end || ordinal >= ordinalCount) throw new DamagedSegmentError("its postings do not fit");
  return place;
}

/** Sets 1 at the place of each posting. Throws a DamagedSegmentError as {@link decodePostings} does. */
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
    throw new DamagedSegmentError("its postings do not fit");
  }
}
