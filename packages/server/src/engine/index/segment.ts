/** Reads a segment in place: sections are decoded only on access. */
import type { MetadataCondition } from "../../domain/metadata.ts";
import { type Dictionary, openDictionary, type TermEntry } from "./dictionary.ts";
import { type DocumentTable, documentTable, type Sections } from "./document-table.ts";
import {
  blockCountOf,
  type ChunkColumns,
  checkSegment,
  columnsOf,
  type DictionaryLayout,
  layoutOf,
  SECTION_ALIGNMENT,
  type SegmentCounts,
  strideOf,
} from "./format.ts";
import { metadataTerm, termRange } from "./metadata-terms.ts";
import { markPostings } from "./postings.ts";
import { signStrideOf } from "./quantize.ts";

/** A term of a segment. `chunkCount` is the number of chunks that contain it, hidden ones included. */
export interface SegmentTerm {
  readonly chunkCount: number;
  /** Offsets of its postings in the segment's `postings`. */
  readonly start: number;
  readonly end: number;
}

/**
 * An opened segment. A document here is one version, with those of its chunks that the segment holds.
 * Documents are identified by place, 0…documentCount − 1, in ascending order of (sourceDocId by UTF-16 code
 * units, versionId). Chunks are identified by ordinal, 0…chunkCount − 1: document by document, and by
 * position within each.
 */
export interface Segment extends ChunkColumns, DocumentTable {
  readonly chunkCount: number;
  readonly byteLength: number;
  readonly documentCount: number;
  /** Dimensions of the vectors; 0 in an empty segment. */
  readonly dimensions: number;
  /**
   * `stride`: bytes from one row to the next. `signStride`: bytes from the sign bits of one chunk to those of
   * the next.
   */
  readonly stride: number;
  readonly signStride: number;
  /** Total number of index terms in all chunks. */
  readonly tokenCount: number;
  /** The postings of all terms; a SegmentTerm holds offsets into it. */
  readonly postings: Uint8Array;
  /** `termDictionary` has chunk ordinals as postings, `metadataDictionary` has places of documents. */
  readonly termDictionary: Dictionary;
  readonly metadataDictionary: Dictionary;
  /**
   * Sets the byte of every document whose metadata matches the condition to 1; the other bytes are left
   * unchanged.
   */
  markDocuments(condition: MetadataCondition, marked: Uint8Array): void;
  findTermBytes(utf8: Uint8Array): SegmentTerm | null;
}

/**
 * Opens a segment over the given bytes, which must not change afterwards; in shared memory they must start at
 * a multiple of 16. Throws a DamagedSegmentError if they are not exactly the bytes that were written. The
 * checksum reads all bytes once; pass `isChecked` to skip it if these very bytes were verified before. The
 * small sections are always checked, so that later reads stay in bounds even in a forged segment.
 */
export function openSegment(
  given: Uint8Array,
  { isChecked = false }: { readonly isChecked?: boolean } = {},
): Segment {
  const counts = checkSegment(given, { isChecked });
  const bytes = aligned(given);
  const columns = columnsOf(bytes, counts);
  const sections = sectionsOf(bytes, counts);
  const { chunkCount, dimensions, documentCount, tokenCount } = counts;
  return {
    chunkCount,
    byteLength: bytes.byteLength,
    documentCount,
    dimensions,
    stride: strideOf(dimensions),
    signStride: signStrideOf(dimensions),
    tokenCount,
    ...columns,
    ...documentTable(sections, columns),
    ...termTable(sections),
    ...metadataTable(sections),
  };
}

/**
 * Typed arrays must start at multiples of their element size, which a database driver's pooled buffer does
 * not guarantee.
 */
function aligned(given: Uint8Array): Uint8Array {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) {
    throw new Error("search index segments are little endian; this machine is not");
  }
  if (!(given.buffer instanceof ArrayBuffer) && given.byteOffset % SECTION_ALIGNMENT !== 0) {
    throw new RangeError(`a segment in shared memory must start at a multiple of ${SECTION_ALIGNMENT}`);
  }
  return given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
}

function sectionsOf({ buffer, byteOffset }: Uint8Array, counts: SegmentCounts): Sections {
  return {
    counts,
    layout: layoutOf(counts),
    bytes: (at, length) => new Uint8Array(buffer, byteOffset + at, length),
    words: (at, length) => new Uint32Array(buffer, byteOffset + at, length),
  };
}

function dictionaryOf(
  { bytes, words }: Sections,
  layout: DictionaryLayout,
  size: {
    readonly termCount: number;
    readonly dictionaryBytes: number;
    readonly postingBytes: number;
    readonly ordinalCount: number;
  },
): Dictionary {
  const blockCount = blockCountOf(size.termCount);
  return openDictionary({
    termCount: size.termCount,
    ordinalCount: size.ordinalCount,
    dictionary: bytes(layout.dictionary, size.dictionaryBytes),
    blockStarts: words(layout.blockStarts, blockCount),
    blockPostings: words(layout.blockPostings, blockCount),
    postings: bytes(layout.postings, size.postingBytes),
  });
}

function termTable(sections: Sections): Pick<Segment, "postings" | "termDictionary" | "findTermBytes"> {
  const { counts, layout } = sections;
  const { termCount, dictionaryBytes, postingBytes, chunkCount: ordinalCount } = counts;
  const dictionary = dictionaryOf(sections, layout.terms, {
    termCount,
    dictionaryBytes,
    postingBytes,
    ordinalCount,
  });
  return {
    postings: dictionary.stored.postings,
    termDictionary: dictionary,
    findTermBytes(utf8) {
      const entry = dictionary.find(utf8);
      return entry === null ? null : { chunkCount: entry.count, start: entry.start, end: entry.end };
    },
  };
}

function metadataTable(sections: Sections): Pick<Segment, "metadataDictionary" | "markDocuments"> {
  const { counts, layout } = sections;
  const dictionary = dictionaryOf(sections, layout.metadata, {
    termCount: counts.metadataTermCount,
    dictionaryBytes: counts.metadataDictionaryBytes,
    postingBytes: counts.metadataPostingBytes,
    ordinalCount: counts.documentCount,
  });
  return {
    metadataDictionary: dictionary,
    markDocuments(condition, marked) {
      if ("range" in condition) markRange(dictionary, condition, marked);
      else markAnyOf(dictionary, condition, marked);
    },
  };
}

function mark({ stored }: Dictionary, { count, start, end }: TermEntry, marked: Uint8Array): void {
  markPostings({ bytes: stored.postings, start, end, count, ordinalCount: stored.ordinalCount }, marked);
}

function markAnyOf(
  dictionary: Dictionary,
  { key, anyOf }: Extract<MetadataCondition, { anyOf: unknown }>,
  marked: Uint8Array,
): void {
  const encoder = new TextEncoder();
  for (const value of anyOf) {
    const term = metadataTerm(key, value);
    const entry = term === null ? null : dictionary.find(encoder.encode(term));
    if (entry !== null) mark(dictionary, entry, marked);
  }
}

function markRange(
  dictionary: Dictionary,
  { key, range }: Extract<MetadataCondition, { range: unknown }>,
  marked: Uint8Array,
): void {
  const terms = termRange(key, range);
  if (terms === null) return;
  const first = Buffer.from(terms.first);
  const last = Buffer.from(terms.last);
  const cursor = dictionary.walk(first);
  while (cursor.next()) {
    if (last.compare(cursor.bytes, 0, cursor.length) <= 0) return;
    if (first.compare(cursor.bytes, 0, cursor.length) <= 0) mark(dictionary, cursor, marked);
  }
}
