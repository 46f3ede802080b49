/**
 * A thread that answers questions, with its own model and database connection, over segments in memory that all query threads share.
 * The first one loads its code at its start, the others with their first request: most services at rest need one, and each of
 * the others would have 20 MB for nothing.
 */
import { workerData } from "node:worker_threads";
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
import { createNativeSection } from "./native-gate.ts";
import { serveThread, type ThreadService } from "./serve-thread.ts";

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

type QueryService = ThreadService<QueryThreadRequest, QueryThreadReply>;

await serveThread<QueryThreadRequest, QueryThreadReply>("query", async () => {
  const data = workerData as QueryThreadData; // Set by `queryCrew`.
  const native = createNativeSection(data.gates);
  const load = async () => {
    const { openQueries } = await import("./open-queries.ts");
    return openQueries(data, native).finally(native.leave);
  };
  if (data.thread === 0) return load();
  native.leave();
  return loadAtFirstRequest(() => {
    native.enter();
    return load();
  });
});

/** Where the code or what it needs cannot be loaded, the thread ends, and its requests fail with that error. */
function loadAtFirstRequest(load: () => Promise<QueryService>): QueryService {
  let loading: Promise<QueryService> | null = null;
  let loaded: QueryService | null = null;
  const open = () => {
    loading ??= load().then(
      (service) => {
        loaded = service;
        return service;
      },
      (error: unknown) => {
        setImmediate(() => {
          throw error;
        });
        return new Promise<never>(() => undefined);
      },
    );
    return loading;
  };
  return {
    indexBytes: () => loaded?.indexBytes?.() ?? 0,
    answer: async (request) => (await open()).answer(request),
  };
}
