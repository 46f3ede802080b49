/**
 * The binary layout of a segment: header, sections and their offsets, as described in docs/segment-format.md.
 */
import { crc32 } from "node:zlib";
import { SEGMENT_VERSION } from "../../domain/segment-version.ts";
import { signStrideOf } from "./quantize.ts";

/** The bytes are not a complete, unaltered segment of a known version. */
export class DamagedSegmentError extends Error {
  constructor(fault: string) {
    super(`search index segment is damaged: ${fault}; rebuild the index of this project from its chunks`);
    this.name = "DamagedSegmentError";
  }
}

/** Terms per dictionary block: the first is stored in full, the others as differences. */
export const BLOCK_TERMS = 16;
/** The kernels keep one sum per chunk of a segment; the limit keeps these sums within a core's cache. */
export const MAX_SEGMENT_CHUNKS = 1 << 15;
export const MAX_DIMENSIONS = 1 << 14;

const MAGIC = 0x5353_434b; // "KCSS"
const HEADER_BYTES = 64;
const VERSION_AT = 4;
const CHECKSUM_AT = 8;
const LENGTH_AT = 12;
/** Vectors are padded with zeros to a multiple of the SIMD kernel's step. */
const STRIDE_STEP = 32;
/** The alignment at which SIMD loads are fastest; segments in shared memory start at multiples of it. */
export const SECTION_ALIGNMENT = 16;

export interface SegmentCounts {
  readonly chunkCount: number;
  readonly documentCount: number;
  readonly dimensions: number;
  readonly termCount: number;
  /** Total number of index terms in all chunks. */
  readonly tokenCount: number;
  readonly sourceDocIdBytes: number;
  readonly dictionaryBytes: number;
  readonly postingBytes: number;
  readonly metadataTermCount: number;
  readonly metadataDictionaryBytes: number;
  readonly metadataPostingBytes: number;
}

/** Byte offsets from the start of the segment; `end` is its length. */
export interface SegmentLayout {
  readonly versionIds: number;
  readonly versionOrder: number;
  readonly firstOrdinals: number;
  readonly sourceDocIdEnds: number;
  readonly sourceDocIds: number;
  readonly metadata: DictionaryLayout;
  readonly terms: DictionaryLayout;
  readonly positions: number;
  readonly lengths: number;
  readonly scales: number;
  readonly signs: number;
  readonly rows: number;
  readonly end: number;
}

export interface DictionaryLayout {
  readonly blockStarts: number;
  readonly blockPostings: number;
  readonly dictionary: number;
  readonly postings: number;
}

/** The data of each chunk, by ordinal. */
export interface ChunkColumns {
  /** The chunk's position in its document, its number of index terms, the scale of its int8 row. */
  readonly positions: Uint32Array;
  readonly lengths: Uint32Array;
  readonly scales: Float32Array;
  /** Per chunk: `signStrideOf(dimensions)` bytes of signs, and `strideOf(dimensions)` int8 components. */
  readonly signs: Uint8Array;
  readonly rows: Int8Array;
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
  const allocate = (bytes: number): number => {
    const start = end;
    end = Math.ceil((end + bytes) / SECTION_ALIGNMENT) * SECTION_ALIGNMENT;
    return start;
  };
  const { documentCount, chunkCount } = counts;
  const allocateDictionary = (termCount: number, dictionaryBytes: number, postingBytes: number) => ({
    blockStarts: allocate(4 * blockCountOf(termCount)),
    blockPostings: allocate(4 * blockCountOf(termCount)),
    dictionary: allocate(dictionaryBytes),
    postings: allocate(postingBytes),
  });
  const sections = {
    versionIds: allocate(8 * documentCount),
    versionOrder: allocate(4 * documentCount),
    firstOrdinals: allocate(4 * (documentCount + 1)),
    sourceDocIdEnds: allocate(4 * documentCount),
    sourceDocIds: allocate(counts.sourceDocIdBytes),
    metadata: allocateDictionary(
      counts.metadataTermCount,
      counts.metadataDictionaryBytes,
      counts.metadataPostingBytes,
    ),
    terms: allocateDictionary(counts.termCount, counts.dictionaryBytes, counts.postingBytes),
    positions: allocate(4 * chunkCount),
    lengths: allocate(4 * chunkCount),
    scales: allocate(4 * chunkCount),
    signs: allocate(signStrideOf(counts.dimensions) * chunkCount),
    rows: allocate(strideOf(counts.dimensions) * chunkCount),
  };
  return { ...sections, end };
}

export function columnsOf(bytes: Uint8Array, counts: SegmentCounts): ChunkColumns {
  const { buffer, byteOffset } = bytes;
  const { chunkCount, dimensions } = counts;
  const layout = layoutOf(counts);
  return {
    positions: new Uint32Array(buffer, byteOffset + layout.positions, chunkCount),
    lengths: new Uint32Array(buffer, byteOffset + layout.lengths, chunkCount),
    scales: new Float32Array(buffer, byteOffset + layout.scales, chunkCount),
    signs: new Uint8Array(buffer, byteOffset + layout.signs, chunkCount * signStrideOf(dimensions)),
    rows: new Int8Array(buffer, byteOffset + layout.rows, chunkCount * strideOf(dimensions)),
  };
}

/** Writes the header. Must be called last, because the checksum covers all other bytes. */
export function sealSegment(bytes: Uint8Array, counts: SegmentCounts): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(0, MAGIC, true);
  view.setUint32(VERSION_AT, SEGMENT_VERSION, true);
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
    counts.metadataTermCount,
    counts.metadataDictionaryBytes,
    counts.metadataPostingBytes,
  ];
  for (const [index, field] of fields.entries()) view.setUint32(LENGTH_AT + 4 * index, field, true);
  view.setUint32(CHECKSUM_AT, checksumOf(bytes, SEGMENT_VERSION), true);
}

/**
 * Of all bytes behind the checksum. The version is the initial value, so that a segment whose version number is
 * altered does not pass for one of another readable version; version 2, which was the only readable one, starts at 0.
 */
export function checksumOf(bytes: Uint8Array, version: number): number {
  return crc32(bytes.subarray(LENGTH_AT), version === 2 ? 0 : version);
}

/**
 * Checks what is the same in every format version: magic, length and, unless `isChecked`, the checksum, which
 * reads every byte once, at about 4 GB/s. Returns the version. Throws a DamagedSegmentError.
 */
export function checkEnvelope(bytes: Uint8Array, { isChecked }: { readonly isChecked: boolean }): number {
  if (bytes.byteLength < HEADER_BYTES) throw new DamagedSegmentError("it is shorter than its header");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== MAGIC)
    throw new DamagedSegmentError("it does not start with the magic number");
  const version = view.getUint32(VERSION_AT, true);
  if (!isChecked && view.getUint32(CHECKSUM_AT, true) !== checksumOf(bytes, version)) {
    throw new DamagedSegmentError("its checksum does not match");
  }
  if (view.getUint32(LENGTH_AT, true) !== bytes.byteLength) {
    throw new DamagedSegmentError("its length does not match");
  }
  return version;
}

/**
 * Checks envelope, version and limits of a segment of the current version, and throws a DamagedSegmentError on
 * a mismatch. With `isChecked` it skips the checksum and reads only the header.
 */
export function checkSegment(
  bytes: Uint8Array,
  { isChecked }: { readonly isChecked: boolean },
): SegmentCounts {
  const version = checkEnvelope(bytes, { isChecked });
  if (version !== SEGMENT_VERSION) {
    throw new DamagedSegmentError(`its version is ${version}, not ${SEGMENT_VERSION}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const field = (index: number) => view.getUint32(LENGTH_AT + 4 * index, true);
  const counts: SegmentCounts = {
    chunkCount: field(1),
    documentCount: field(2),
    dimensions: field(3),
    termCount: field(4),
    tokenCount: field(5) + field(6) * 2 ** 32,
    sourceDocIdBytes: field(7),
    dictionaryBytes: field(8),
    postingBytes: field(9),
    metadataTermCount: field(10),
    metadataDictionaryBytes: field(11),
    metadataPostingBytes: field(12),
  };
  const { chunkCount, documentCount, dimensions } = counts;
  if (chunkCount > MAX_SEGMENT_CHUNKS || documentCount > chunkCount || dimensions > MAX_DIMENSIONS) {
    throw new DamagedSegmentError("its counts exceed the limits of a segment");
  }
  if (layoutOf(counts).end !== bytes.byteLength) {
    throw new DamagedSegmentError("its length does not match");
  }
  return counts;
}
