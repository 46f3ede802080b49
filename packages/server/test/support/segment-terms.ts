/** All that a segment says of its terms, decoded: for tests. */
import { createUtf8Decoder } from "../../src/engine/index/document-table.ts";
import { createPostingBuffer, decodePostings } from "../../src/engine/index/postings.ts";
import type { Segment, SegmentTerm } from "../../src/engine/index/segment.ts";

export interface ReadTerm {
  readonly term: string;
  /** Ordinals, ascending, each with how often the term stands in that chunk. */
  readonly postings: readonly (readonly [ordinal: number, frequency: number])[];
}

/** Ascending by UTF-8 bytes. Throws a DamagedSegmentError as the segment's readers do. */
export function* readTerms({ termDictionary }: Segment): Generator<ReadTerm> {
  const decode = createUtf8Decoder();
  const { postings: bytes, ordinalCount } = termDictionary.stored;
  const cursor = termDictionary.walk();
  while (cursor.next()) {
    const { count, start, end } = cursor;
    const buffer = createPostingBuffer(count);
    decodePostings({ bytes, start, end, count, ordinalCount }, buffer, 0);
    yield {
      term: decode(cursor.bytes, 0, cursor.length),
      postings: Array.from(buffer.ordinals, (ordinal, index) => [ordinal, buffer.frequencies[index] ?? 0]),
    };
  }
}

export function findTerm(segment: Segment, term: string): SegmentTerm | null {
  return segment.findTermBytes(new TextEncoder().encode(term));
}
