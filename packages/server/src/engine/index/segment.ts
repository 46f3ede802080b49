/** Reads a segment in place: nothing is unpacked until it is asked for. */
import { openDictionary } from "./dictionary.ts";
import { dotRows } from "./dot-kernel.ts";
import {
  blockCountOf,
  checkSegment,
  DamagedSegmentError,
  layoutOf,
  type SegmentCounts,
  type SegmentLayout,
  strideOf,
} from "./format.ts";
import { decodePostings, type PostingBuffer } from "./postings.ts";

/** A term of a segment; `chunkCount` of its chunks hold it, hidden ones included. */
export interface SegmentTerm {
  readonly term: string;
  readonly chunkCount: number;
  /** See {@link decodePostings}: decodes the visible postings and returns the place behind the last. */
  read(into: PostingBuffer, at: number, visible: Uint8Array | null): number;
}

/**
 * An opened segment. Chunks are named by their ordinals, 0…chunkCount − 1, in ascending order of (versionId,
 * position). Documents (versions of them, as far as the segment holds their chunks) are named by their places,
 * 0…documentCount − 1, in ascending order of versionId; the chunks of one stand together, by position.
 */
export interface Segment {
  readonly chunkCount: number;
  readonly byteLength: number;
  readonly documentCount: number;
  /** Of the vectors; 0 in an empty segment. */
  readonly dimensions: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** Index terms of all chunks together. */
  readonly tokenCount: number;
  /** By ordinal: position in the document, number of index terms, scale of the int8 row. */
  readonly positions: Uint32Array;
  readonly lengths: Uint32Array;
  readonly scales: Float32Array;
  /** The int8 vectors one after the other, each padded with zeros to `stride`. */
  readonly rows: Int8Array;
  /** Writes the integer dot product of each row with a query of `stride` int8 numbers to `out`. */
  dots(query: Int8Array, out: Int32Array): void;
  versionIdAt(place: number): number;
  /** Decoded once and then remembered: ties are broken by it. */
  sourceDocIdAt(place: number): string;
  /** The ordinal of a document's first chunk; of a place behind the last, the number of chunks. */
  firstOrdinalAt(place: number): number;
  /** The place of a version, or −1. */
  findDocument(versionId: number): number;
  /** The place of the document that a chunk belongs to. */
  documentOf(ordinal: number): number;
  findTerm(term: string): SegmentTerm | null;
  /** All terms, ascending by UTF-8 bytes. */
  terms(): Iterable<SegmentTerm>;
}

interface Sections {
  readonly counts: SegmentCounts;
  readonly layout: SegmentLayout;
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Uint32Array;
  readonly buffer: ArrayBufferLike;
  readonly base: number;
}

/**
 * Opens a segment over the given bytes, which must not change afterwards. Throws a DamagedSegmentError if they
 * are not exactly what was written. Reads all bytes once for the checksum, then only what is asked for.
 */
export function openSegment(bytes: Uint8Array): Segment {
  const counts = checkSegment(bytes);
  const sections = sectionsOf(bytes, counts);
  const { layout, buffer, base } = sections;
  const { chunkCount, dimensions } = counts;
  const stride = strideOf(dimensions);
  const rows = new Int8Array(buffer, base + layout.rows, chunkCount * stride);
  return {
    chunkCount,
    byteLength: bytes.byteLength,
    documentCount: counts.documentCount,
    dimensions,
    stride,
    tokenCount: counts.tokenCount,
    positions: sections.words(layout.positions, chunkCount),
    lengths: sections.words(layout.lengths, chunkCount),
    scales: new Float32Array(buffer, base + layout.scales, chunkCount),
    rows,
    dots: (query, out) => dotRows({ rows, stride, query }, out),
    ...documentTable(sections),
    ...termTable(sections),
  };
}

function sectionsOf(given: Uint8Array, counts: SegmentCounts): Sections {
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] !== 1) {
    throw new Error("search index segments are little endian and so must be the machine");
  }
  // Typed arrays must start at multiples of their elements' size; a driver's pooled buffer need not.
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  const { buffer, byteOffset: base } = bytes;
  return {
    counts,
    layout: layoutOf(counts),
    buffer,
    base,
    bytes: (at, length) => new Uint8Array(buffer, base + at, length),
    words: (at, length) => new Uint32Array(buffer, base + at, length),
  };
}

function documentTable(
  sections: Sections,
): Pick<Segment, "versionIdAt" | "sourceDocIdAt" | "firstOrdinalAt" | "findDocument" | "documentOf"> {
  const { layout, counts } = sections;
  const { documentCount, chunkCount } = counts;
  const halves = sections.words(layout.versionIds, 2 * documentCount);
  const versionIdAt = (place: number) => (halves[2 * place] ?? 0) + (halves[2 * place + 1] ?? 0) * 2 ** 32;
  const firstOrdinals = sections.words(layout.firstOrdinals, documentCount + 1);
  const idEnds = sections.words(layout.sourceDocIdEnds, documentCount);
  const ids = sections.bytes(layout.sourceDocIds, counts.sourceDocIdBytes);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  if (firstOrdinals[documentCount] !== chunkCount) throw new DamagedSegmentError("its chunks are miscounted");
  const decoded = new Array<string | undefined>(documentCount);
  const sourceDocIdAt = (place: number): string => {
    const id = decoded[place] ?? decoder.decode(ids.subarray(idEnds[place - 1] ?? 0, idEnds[place]));
    decoded[place] = id;
    return id;
  };
  return {
    versionIdAt,
    sourceDocIdAt,
    firstOrdinalAt: (place) => firstOrdinals[place] ?? chunkCount,
    findDocument(versionId) {
      const place = lastNotAbove(versionId, documentCount, versionIdAt);
      return place >= 0 && versionIdAt(place) === versionId ? place : -1;
    },
    documentOf: (ordinal) => lastNotAbove(ordinal, documentCount, (place) => firstOrdinals[place] ?? 0),
  };
}

/** The last of `count` ascending values that is not above the wanted one, or −1. */
function lastNotAbove(wanted: number, count: number, valueAt: (place: number) => number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) <= wanted) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function termTable(sections: Sections): Pick<Segment, "findTerm" | "terms"> {
  const { layout, counts } = sections;
  const blockCount = blockCountOf(counts.termCount);
  const postings = sections.bytes(layout.postings, counts.postingBytes);
  const dictionary = openDictionary({
    termCount: counts.termCount,
    dictionary: sections.bytes(layout.dictionary, counts.dictionaryBytes),
    blockStarts: sections.words(layout.blockStarts, blockCount),
    blockPostings: sections.words(layout.blockPostings, blockCount),
  });
  const readable = (
    term: string,
    { chunkCount, start, end }: { chunkCount: number; start: number; end: number },
  ) => {
    if (chunkCount > counts.chunkCount)
      throw new DamagedSegmentError("a term is in more chunks than there are");
    const source = { bytes: postings, start, end, count: chunkCount, chunkCount: counts.chunkCount };
    const read: SegmentTerm["read"] = (into, at, visible) => decodePostings(source, { into, at, visible });
    return { term, chunkCount, read };
  };
  return {
    findTerm(term) {
      const entry = dictionary.find(term);
      return entry === null ? null : readable(term, entry);
    },
    *terms() {
      for (const { term, ...entry } of dictionary.entries()) yield readable(term, entry);
    },
  };
}
