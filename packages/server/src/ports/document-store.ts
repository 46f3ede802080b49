import type { Chunk, ChunkKey } from "../domain/document.ts";
import type { JobStatus } from "../domain/job.ts";
import type { Metadata } from "../domain/metadata.ts";

/** What queries see of a document. */
export interface SeenVersion {
  /** False while its first version is only partly there. */
  readonly isComplete: boolean;
  readonly chunkCount: number;
  /** Of text and metadata, in UTF-8. */
  readonly byteLength: number;
  readonly metadata: Metadata;
}

export interface StoredDocument {
  readonly sourceDocId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Its last one; null when that is gone. */
  readonly job: {
    readonly jobId: string;
    readonly status: JobStatus;
    readonly errorMessage: string | null;
  } | null;
  /** null: queries see nothing of it. */
  readonly seen: SeenVersion | null;
  /** What its last job was sent, as far as it is kept. */
  readonly sent: Pick<SeenVersion, "byteLength" | "metadata"> | null;
}

export interface DocumentContent {
  readonly document: StoredDocument;
  /** What is seen, else what was sent last; null when nothing is kept of it. */
  readonly text: string | null;
  /** Of what is seen, by position. */
  readonly chunks: readonly (ChunkKey & Pick<Chunk, "start" | "end">)[];
}

export interface ChunkContext extends ChunkKey, Pick<Chunk, "start" | "end" | "text"> {
  readonly sourceDocId: string;
  /** Texts of the chunks beside it; null at the ends of the document. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface DocumentStore {
  /** By id (code points), and how many there are. `search`: a part of the id; letters of ASCII in either case. */
  listDocuments(input: {
    projectId: string;
    search: string | null;
    page: { readonly limit: number; readonly offset: number };
  }): Promise<{ readonly documents: readonly StoredDocument[]; readonly total: number }>;
  readDocument(input: { projectId: string; sourceDocId: string }): Promise<DocumentContent | null>;
  /**
   * One transaction: all versions with their chunks, what of the graph rests on them alone, and the document itself;
   * its unfinished jobs fail with `errorMessage`, and a worker that holds one loses its lease. False when there is none.
   */
  deleteDocument(input: {
    projectId: string;
    sourceDocId: string;
    now: number;
    errorMessage: string;
  }): Promise<boolean>;
  /** null unless queries see it. */
  readChunkContext(input: { projectId: string } & ChunkKey): Promise<ChunkContext | null>;
}
