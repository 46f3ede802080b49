/** Number of a document version, counted over its project; assigned in ascending order, never reused. */
export type VersionId = number;

/** Of the id of a document, in code points. */
export const MAX_SOURCE_DOC_ID = 512;

/** Measured on both databases: of a document of one word, with an id of a few bytes. */
const ROWS_BYTES = 4_096;
/** In how many rows and entries of indexes the id of a document may be, which have more room than they fill. */
const COPIES_OF_ID = 16;

/** What a document counts towards the storage of its account beside texts and files, for its rows and those of its versions and jobs. */
export function documentBytes(sourceDocId: string): number {
  return ROWS_BYTES + COPIES_OF_ID * Buffer.byteLength(sourceDocId);
}

/** Whether a path or an address that a file names can be the id of a document. */
export function isSourceDocId(text: string): boolean {
  const isText = text !== "" && text.isWellFormed() && !text.includes("\0");
  return isText && [...text].length <= MAX_SOURCE_DOC_ID;
}

/** Identifies one chunk by its document version and its position in that version's text. */
export interface ChunkKey {
  readonly versionId: VersionId;
  /** Zero-based index of the chunk in its document. */
  readonly position: number;
}

/** The public id of a chunk: version and position, "7.0". */
export function formatChunkId({ versionId, position }: ChunkKey): string {
  return `${versionId}.${position}`;
}

/** The inverse of `formatChunkId`; null for a text that is no chunk id. */
export function parseChunkId(text: string): ChunkKey | null {
  const [, versionId, position] = /^([1-9]\d{0,14})\.(0|[1-9]\d{0,8})$/.exec(text) ?? [];
  return versionId === undefined || position === undefined
    ? null
    : { versionId: Number(versionId), position: Number(position) };
}

/** What of a table is outside the chunk, verbatim. */
export interface TableAround {
  /** The row with the column names, where the chunk begins in the middle of the table; else "". */
  readonly columns: string;
  /** Some other rows: the first ones of the table that the chunk begins in, else those behind the chunk. */
  readonly rows: string;
}

/** A piece of a document, as the chunker makes it. */
export interface Chunk {
  readonly position: number;
  /** The document's text from `start` to `end`, verbatim. */
  readonly text: string;
  /**
   * Title and section of the chunk ("Title > Section"). When the chunk begins in the middle of a table, a
   * second line has the table's column names. Embedded and indexed with the chunk, never returned.
   */
  readonly header: string;
  /** Of a table that goes beyond the chunk. Not stored. */
  readonly table?: TableAround;
  /** Offsets into the document in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Length in tokens of the embedding model, header included. */
  readonly tokenCount: number;
}

/** A chunk with everything that is needed to store and index it. */
export interface EmbeddedChunk extends Chunk {
  /** Hash of the embedded text (header and text); chunks with equal hashes may share a vector. */
  readonly contentHash: string;
  /** Unit length, f32. */
  readonly vector: Float32Array;
}

/** The text of a chunk that is embedded and indexed. */
export function indexedText(chunk: Pick<Chunk, "header" | "text">): string {
  return chunk.header === "" ? chunk.text : `${chunk.header}\n${chunk.text}`;
}
