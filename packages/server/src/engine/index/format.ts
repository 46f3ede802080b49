/** The bytes of a segment: header, sections and their places. docs/segment-format.md is the description. */
import { crc32 } from "node:zlib";

/** The bytes are not a whole, unaltered segment of a known version. */
export class DamagedSegmentError extends Error {
  constructor(fault: string) {
    super(`search index segment is damaged: ${fault}; rebuild the index of this project from its chunks`);
    this.name = "DamagedSegmentError";
  }
}

/** Raised by every change of the layout, of the term rules or of the quantisation. */
export const FORMAT_VERSION = 1;
/** Terms of one dictionary block: the first is stored whole, the rest as differences. */
export const BLOCK_TERMS = 16;
export const MAX_SEGMENT_CHUNKS = 1 << 24;
export const MAX_DIMENSIONS = 1 << 14;

const MAGIC = 0x5353_434b; // "KCSS"
const HEADER_BYTES = 56;
const CHECKSUM_AT = 8;
/** Vectors are padded with zeros to whole steps of the SIMD kernel. */
const STRIDE_STEP = 32;
const SECTION_ALIGNMENT = 8;

export interface SegmentCounts {
  readonly chunkCount: number;
  readonly documentCount: number;
  readonly dimensions: number;
  readonly termCount: number;
  /** Index terms of all chunks together. */
  readonly tokenCount: number;
  readonly sourceDocIdBytes: number;
  readonly dictionaryBytes: number;
  readonly postingBytes: number;
}

/** Byte offsets from the start of the segment; `end` is its length. */
export interface SegmentLayout {
  readonly versionIds: number;
  readonly firstOrdinals: number;
  readonly sourceDocIdEnds: number;
  readonly sourceDocIds: number;
  readonly positions: number;
  readonly lengths: number;
  readonly scales: number;
  readonly blockStarts: number;
  readonly blockPostings: number;
  readonly dictionary: number;
  readonly postings: number;
  readonly rows: number;
  readonly end: number;
}

/** Bytes from one int8 vector to the next. */
export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / STRIDE_STEP) * STRIDE_STEP;
}

export function blockCountOf(termCount: number): number {
  return Math.ceil(termCount / BLOCK_TERMS);
}

export function layoutOf(counts: SegmentCounts): SegmentLayout {
  let end = HEADER_BYTES;
  const place = (bytes: number): number => {
    const start = end;
    end = Math.ceil((end + bytes) / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
    return start;
  };
  const blockCount = blockCountOf(counts.termCount);
  const sections = {
    versionIds: place(8 * counts.documentCount),
    firstOrdinals: place(4 * (counts.documentCount + 1)),
    sourceDocIdEnds: place(4 * counts.documentCount),
    sourceDocIds: place(counts.sourceDocIdBytes),
    positions: place(4 * counts.chunkCount),
    lengths: place(4 * counts.chunkCount),
    scales: place(4 * counts.chunkCount),
    blockStarts: place(4 * blockCount),
    blockPostings: place(4 * blockCount),
    dictionary: place(counts.dictionaryBytes),
    postings: place(counts.postingBytes),
    rows: place(strideOf(counts.dimensions) * counts.chunkCount),
  };
  return { ...sections, end };
}

/** Writes the header and, because it covers all the rest, has to come last. */
export function sealSegment(bytes: Uint8Array, counts: SegmentCounts): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT_VERSION, true);
  const fields = [
    bytes.byteLength,
    counts.chunkCount,
    counts.documentCount,
    counts.dimensions,
    counts.termCount,
    counts.tokenCount % 2 ** 32,
    Math.floor(counts.tokenCount / 2 ** 32),
    counts.sourceDocIdBytes,
    counts.dictionaryBytes,
    counts.postingBytes,
  ];
  for (const [index, field] of fields.entries()) view.setUint32(CHECKSUM_AT + 4 + 4 * index, field, true);
  view.setUint32(CHECKSUM_AT, crc32(bytes.subarray(CHECKSUM_AT + 4)), true);
}

/** Checks magic, version, checksum and length. Reads every byte once, at about 4 GB/s. */
export function checkSegment(bytes: Uint8Array): SegmentCounts {
  if (bytes.byteLength < HEADER_BYTES) throw new DamagedSegmentError("it is shorter than its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = (index: number) => view.getUint32(CHECKSUM_AT + 4 + 4 * index, true);
  if (view.getUint32(0, true) !== MAGIC) throw new DamagedSegmentError("it does not begin like one");
  const version = view.getUint32(4, true);
  if (version !== FORMAT_VERSION) {
    throw new DamagedSegmentError(`its version is ${version}, this service reads ${FORMAT_VERSION}`);
  }
  if (view.getUint32(CHECKSUM_AT, true) !== crc32(bytes.subarray(CHECKSUM_AT + 4))) {
    throw new DamagedSegmentError("its checksum does not match");
  }
  const counts: SegmentCounts = {
    chunkCount: field(1),
    documentCount: field(2),
    dimensions: field(3),
    termCount: field(4),
    tokenCount: field(5) + field(6) * 2 ** 32,
    sourceDocIdBytes: field(7),
    dictionaryBytes: field(8),
    postingBytes: field(9),
  };
  if (field(0) !== bytes.byteLength || layoutOf(counts).end !== bytes.byteLength) {
    throw new DamagedSegmentError("its length does not match");
  }
  return counts;
}
