/** Where a term occurs: ordinals of chunks, ascending, each with the number of times. */
import { DamagedSegmentError } from "./format.ts";
import type { ByteWriter } from "./varint.ts";

/** Of one term; both arrays have the same length and the ordinals ascend. */
export interface PostingList {
  readonly ordinals: number[];
  readonly frequencies: number[];
}

/** Room that postings are decoded into. */
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
  readonly chunkCount: number;
}

/**
 * Appends a list. A posting is the number of chunks skipped since the last one, doubled, plus 1 if the term
 * occurs once there; if it is even, the frequency follows. (After Lucene: most terms occur once in a chunk.)
 */
export function encodePostings({ ordinals, frequencies }: PostingList, into: ByteWriter): void {
  let previous = -1;
  for (const [index, ordinal] of ordinals.entries()) {
    const frequency = frequencies[index] ?? 1;
    const skipped = ordinal - previous - 1;
    into.varint(skipped * 2 + (frequency === 1 ? 1 : 0));
    if (frequency !== 1) into.varint(frequency);
    previous = ordinal;
  }
}

/**
 * Decodes the postings of visible chunks to `into` from place `at` on and returns the place behind them.
 * `visible` has a 1 for each visible chunk; `null` says that all are.
 */
export function decodePostings(
  source: PostingSource,
  { into, at, visible }: { into: PostingBuffer; at: number; visible: Uint8Array | null },
): number {
  const { bytes, end, count, chunkCount } = source;
  const { ordinals, frequencies } = into;
  let place = at;
  let offset = source.start;
  let ordinal = -1;
  // Inlined: a call for each number makes this loop, the hottest of the lexical side, half as fast.
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
    if (visible === null || visible[ordinal] === 1) {
      ordinals[place] = ordinal;
      frequencies[place] = frequency;
      place++;
    }
  }
  if (offset !== end || ordinal >= chunkCount) throw new DamagedSegmentError("its postings do not fit");
  return place;
}
