import type { Chunk, ChunkKey } from "../domain/document.ts";
import type { JobStatus } from "../domain/job.ts";
import type { Metadata } from "../domain/metadata.ts";

/** The version of a document that queries can find. */
export interface SeenVersion {
  /** False while the first version of the document is only partly indexed. */
  readonly isComplete: boolean;
  readonly chunkCount: number;
  /** UTF-8 bytes of text and metadata. */
  readonly byteLength: number;
  readonly metadata: Metadata;
}

export interface StoredDocument {
  readonly sourceDocId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The document's last job; null when it has been deleted. */
  readonly job: {
    readonly jobId: string;
    readonly status: JobStatus;
    readonly errorMessage: string | null;
  } | null;
  /** null when queries cannot find the document. */
  readonly seen: SeenVersion | null;
  /** The input of the document's last job; null when it is no longer stored. */
  readonly sent: Pick<SeenVersion, "byteLength" | "metadata"> | null;
}

export interface DocumentContent {
  readonly document: StoredDocument;
  /** Text of the visible version, else of the last job; null when neither is stored. */
  readonly text: string | null;
  /** Chunks of the visible version, by position. */
  readonly chunks: readonly (ChunkKey & Pick<Chunk, "start" | "end">)[];
}

export interface ChunkContext extends ChunkKey, Pick<Chunk, "start" | "end" | "text"> {
  readonly sourceDocId: string;
  /** Texts of the neighbouring chunks; null at the ends of the document. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface DocumentStore {
  /**
   * Ordered by id (code points), with the total count. `search`: a substring of the id; ASCII letters match
   * in either case.
   */
  listDocuments(input: {
    projectId: string;
    search: string | null;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;
  readDocument(input: { projectId: string; sourceDocId: string }): Promise<DocumentContent | null>;
  /**
   * Deletes in one transaction the document, all its versions with their chunks, and the part of the graph
   * that only they support. Its unfinished jobs fail with `errorMessage`; a worker that holds one loses its
   * lease. False when the document does not exist.
   */
  deleteDocument(input: {
    projectId: string;
    sourceDocId: string;
    now: number;
    errorMessage: string;
  }): Promise<boolean>;
  /** null unless queries can find the chunk. */
  readChunkContext(input: { projectId: string } & ChunkKey): Promise<ChunkContext | null>;
}
