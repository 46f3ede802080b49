import type { VersionId } from "./document.ts";
import type { EmbeddingSpace } from "./embedding-space.ts";
import type { Explanation } from "./explanation.ts";
import type { SearchFilter } from "./metadata.ts";

export type QueryMode = "static" | "dynamic";

export interface Question {
  readonly projectId: string;
  /** Of the caller: another account's project is not found. */
  readonly accountId: string;
  readonly query: string;
  readonly mode: QueryMode;
  readonly topK: number;
  /** null = all documents may be found. */
  readonly filter: SearchFilter | null;
  /** Whether the answer shall say how it came about. False when left out. */
  readonly explain?: boolean;
}

/** A question's vector, of a space that query threads cannot embed in themselves. */
export interface EmbeddedQuestion {
  readonly space: EmbeddingSpace;
  readonly vector: Float32Array;
}

/** In place of an answer: the project's vectors are of this space, and the question has none of it. */
export interface VectorWanted {
  readonly wanted: EmbeddingSpace;
}

export interface RankedChunk {
  readonly versionId: VersionId;
  readonly position: number;
  readonly sourceDocId: string;
  readonly text: string;
  /** Title and section that the chunk stands under; never shown. */
  readonly header?: string;
  /** Offsets into the document in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Of question and chunk, −1…1; never shown. */
  readonly cosine?: number;
  /** The score that the list is ordered by, 0…1. */
  readonly similarity: number;
}

export interface AnswerEntity {
  readonly type: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
}

export interface AnswerRelationship {
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

export interface Answer {
  readonly strategyUsed: string;
  readonly summary: string;
  readonly entities: readonly AnswerEntity[];
  readonly relationships: readonly AnswerRelationship[];
  readonly chunks: readonly RankedChunk[];
  /** Where it was asked for. */
  readonly explanation?: Explanation;
}
