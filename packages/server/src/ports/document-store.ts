import type { ChunkSpans } from "../domain/chunk-spans.ts";
import type { Chunk, ChunkKey } from "../domain/document.ts";
import type { DocumentFile, FilePlace } from "../domain/file.ts";
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
  /** Of the version that is seen, else of the one that was sent last. Absent where that is no file. */
  readonly file?: DocumentFile;
}

export interface DocumentContent {
  readonly document: StoredDocument;
  /** Text of the visible version, else of the last job; null when neither is stored. */
  readonly text: string | null;
  /** Chunks of the visible version, by position. */
  readonly chunks: ChunkSpans;
}

export interface ChunkContext extends ChunkKey, Pick<Chunk, "start" | "end" | "text"> {
  readonly sourceDocId: string;
  /** Texts of the neighbouring chunks; null at the ends of the document. */
  readonly before: string | null;
  readonly after: string | null;
  /** Absent where the document has no file. */
  readonly place?: FilePlace;
}

export type DocumentDeletion = "deleted" | "not_found" | "more";

export type DocumentState = "indexed" | "replacing" | "pending" | "running" | "failed";

/** Ids are ordered by their code points, documents of one update by id. */
export interface DocumentOrder {
  readonly by: "id" | "update";
  readonly isDescending: boolean;
}

/** A place in an order of documents: behind this one. */
export interface DocumentPlace {
  readonly sourceDocId: string;
  readonly updatedAt: number;
}

export interface WalkDocuments {
  readonly projectId: string;
  /** A substring of the id; ASCII letters match in either case. null = all. */
  readonly search: string | null;
  /** null = in any state. */
  readonly state: DocumentState | null;
  readonly order: DocumentOrder;
  /** The `next` of the step before; null = from the first document on. */
  readonly after: DocumentPlace | null;
  /** Which of the matches of this step are returned. */
  readonly page: { readonly limit: number; readonly offset: number };
}

export interface DocumentIds {
  readonly ids: readonly string[];
  /** Of this step, whatever the page. */
  readonly matches: number;
  /** null: all have been walked. */
  readonly next: DocumentPlace | null;
}

export interface DocumentStore {
  /** One step, of bounded work, over the ids of the project's documents. */
  walkDocuments(input: WalkDocuments): Promise<DocumentIds>;
  /** Up to 64, ordered like the ids, without documents that do not exist. Without metadata, that of each is empty. */
  readDocuments(input: {
    projectId: string;
    sourceDocIds: readonly string[];
    withMetadata: boolean;
  }): Promise<readonly StoredDocument[]>;
  readDocument(input: { projectId: string; sourceDocId: string }): Promise<DocumentContent | null>;
  /**
   * Deletes the document: from then on no version of it is read. Its unfinished jobs fail with `errorMessage`; a worker that
   * holds one loses its lease. The part of the graph that only the document supports, and its chunks, go with
   * `applyVersionChanges`, of which this takes the first step. With many unfinished jobs only the last of them fail: `more` asks
   * for another call.
   */
  deleteDocument(input: {
    projectId: string;
    sourceDocId: string;
    now: number;
    errorMessage: string;
  }): Promise<DocumentDeletion>;
  /**
   * The next step, of bounded work, of what the project's graph and stored chunks have to follow: versions that were shown or
   * removed. Ends the jobs of complete versions after the last step. True when more may be left.
   */
  applyVersionChanges(input: { projectId: string; now: number }): Promise<boolean>;
  /** null unless queries can find the chunk. */
  readChunkContext(input: { projectId: string } & ChunkKey): Promise<ChunkContext | null>;
}
