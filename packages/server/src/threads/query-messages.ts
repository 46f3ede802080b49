/** What a query thread starts with, and what it is asked and answers. */
import type { ThreadDatabase } from "../adapters/database/open-store.ts";
import type { IdentifiedModel } from "../adapters/models/local/identify-model.ts";
import type { AdoptedStore } from "../adapters/segments/open-outside.ts";
import type {
  Answer,
  AnswerReading,
  BridgeName,
  ComposedSummary,
  EmbeddedQuestion,
  OtherTimes,
  PassageRead,
  Question,
  QuotedPlace,
  QuotedSentence,
  RankedChunk,
  VectorRequired,
} from "../domain/query.ts";
import type { SharedIndexMemory } from "../engine/index/shared-memory.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { TraceContext } from "../ports/tracing.ts";
import type { WorkActivity } from "../ports/work-activity.ts";

export interface QueryThreadData {
  readonly database: ThreadDatabase;
  /** null: the bytes of segments are in the database. */
  readonly segmentStore: AdoptedStore | null;
  readonly modelDir: string;
  readonly localModels: readonly IdentifiedModel[];
  /** null = none. */
  readonly reranker: { readonly model: IdentifiedModel; readonly limitMs: number } | null;
  /** null = none. */
  readonly answerFinder: { readonly model: IdentifiedModel; readonly limitMs: number } | null;
  /** Unused for this time, a local model is closed; null = it stays open. */
  readonly modelIdleMs: number | null;
  readonly cacheBytes: number;
  readonly shared: SharedIndexMemory;
  /** Its number among the threads that share the memory, from 0. */
  readonly thread: number;
  readonly gates: readonly SharedArrayBuffer[];
}

export type QueryThreadRequest =
  | {
      readonly question: Question;
      readonly embedded: EmbeddedQuestion | null;
      /** null when the request is not recorded. */
      readonly trace: TraceContext | null;
    }
  | PassageRequest
  | { readonly task: "checkDatabase" };
export type PassageRequest = { readonly query: string; readonly chunks: readonly RankedChunk[] } & (
  | { readonly task: "read" }
  | {
      readonly task: "compose";
      readonly projectId: string;
      readonly reading: AnswerReading | null;
      readonly otherTimes?: OtherTimes | null;
      readonly names?: readonly string[];
    }
  | { readonly task: "place"; readonly projectId: string; readonly quotes: readonly QuotedSentence[] }
  | { readonly task: "findNames"; readonly limit: number }
);
export type QueryThreadEvent = EmbeddingActivity | WorkActivity;
export type QueryThreadReply =
  | Answer
  | VectorRequired
  | readonly PassageRead[]
  | ComposedSummary
  | readonly QuotedPlace[]
  | readonly BridgeName[]
  | null;
