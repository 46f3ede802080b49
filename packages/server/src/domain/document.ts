/** A document's place among the versions of its project; assigned in order, never reused. */
export type VersionId = number;

/** Names one chunk: the version of the document that it belongs to and its place in that text. */
export interface ChunkKey {
  readonly versionId: VersionId;
  /** Zero-based place of the chunk in its document. */
  readonly position: number;
}

/** What a chunk is called outside: "7.0". */
export function formatChunkId({ versionId, position }: ChunkKey): string {
  return `${versionId}.${position}`;
}

/** The key of a chunk from outside; null for what is none. */
export function parseChunkId(text: string): ChunkKey | null {
  const [, versionId, position] = /^([1-9]\d{0,14})\.(0|[1-9]\d{0,8})$/.exec(text) ?? [];
  return versionId === undefined || position === undefined
    ? null
    : { versionId: Number(versionId), position: Number(position) };
}

/** A piece of a document as the chunker cuts it. */
export interface Chunk {
  readonly position: number;
  /** The document's text from `start` to `end`, verbatim. */
  readonly text: string;
  /**
   * Title and section that the chunk stands under ("Title > Section"), and on a second line the columns of a table that it begins in the
   * middle of; embedded and indexed with it, never returned.
   */
  readonly header: string;
  /** Offsets into the document in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Length in tokens of the embedding model, header included. */
  readonly tokenCount: number;
}

/** A chunk that is ready to be stored and indexed. */
export interface EmbeddedChunk extends Chunk {
  /** Identifies what was embedded (header and text); equal hashes may share a vector. */
  readonly contentHash: string;
  /** Unit length, f32. */
  readonly vector: Float32Array;
}

/** What is embedded and indexed for a chunk. */
export function indexedText(chunk: Pick<Chunk, "header" | "text">): string {
  return chunk.header === "" ? chunk.text : `${chunk.header}\n${chunk.text}`;
}
