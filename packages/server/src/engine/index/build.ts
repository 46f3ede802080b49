import { createCachedStem } from "../text/stem.ts";
import { indexTerms } from "../text/terms.ts";
import { MAX_DIMENSIONS, strideOf } from "./format.ts";
import type { PostingList } from "./postings.ts";
import { quantizeVector } from "./quantize.ts";
import { documentsOf, inSegmentOrder, type OrderedChunk, writeSegment } from "./write-segment.ts";

/** What the index keeps of a chunk. */
export interface IndexableChunk extends OrderedChunk {
  readonly versionId: number;
  readonly sourceDocId: string;
  readonly position: number;
  /** Header and text: what is embedded is what is found. */
  readonly indexedText: string;
  readonly vector: Float32Array;
}

const CACHED_STEMS = 1 << 15;

/**
 * Builds a segment of chunks in any order: the same chunks give the same bytes. Throws a RangeError if the
 * vectors differ in length or hold what is not finite, or if a chunk occurs twice.
 */
export function buildSegment(chunks: readonly IndexableChunk[]): Uint8Array {
  const ordered = inSegmentOrder(chunks);
  const documents = documentsOf(ordered);
  const dimensions = ordered[0]?.vector.length ?? 0;
  if (dimensions > MAX_DIMENSIONS) {
    throw new RangeError(`vectors of ${dimensions} dimensions exceed the index's limit of ${MAX_DIMENSIONS}`);
  }
  const stride = strideOf(dimensions);
  const rows = new Int8Array(stride * ordered.length);
  const scales = Float32Array.from(ordered, ({ vector }, ordinal) => {
    if (vector.length !== dimensions) throw new RangeError("the vectors of a segment must have one length");
    return quantizeVector(vector, rows.subarray(ordinal * stride, (ordinal + 1) * stride));
  });
  const { terms, lengths } = invert(ordered);
  const positions = Uint32Array.from(ordered, ({ position }) => position);
  return writeSegment({ dimensions, documents, positions, lengths, scales, rows, terms });
}

function invert(ordered: readonly IndexableChunk[]): {
  terms: Map<string, PostingList>;
  lengths: Uint32Array;
} {
  const stem = createCachedStem({ maxEntries: CACHED_STEMS });
  const terms = new Map<string, PostingList>();
  const lengths = Uint32Array.from(ordered, ({ indexedText }, ordinal) => {
    const found = indexTerms(indexedText, stem);
    for (const term of found) {
      const list = terms.get(term);
      if (list === undefined) {
        terms.set(term, { ordinals: [ordinal], frequencies: [1] });
      } else if (list.ordinals.at(-1) === ordinal) {
        list.frequencies.push((list.frequencies.pop() ?? 0) + 1);
      } else {
        list.ordinals.push(ordinal);
        list.frequencies.push(1);
      }
    }
    return found.length;
  });
  return { terms, lengths };
}
