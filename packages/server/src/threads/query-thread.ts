/** A thread that answers questions, with its own model and database connection, over segments in memory that all query threads share. */
import { parentPort, workerData } from "node:worker_threads";
import { openThreadReader, type ThreadDatabase } from "../adapters/database/open-store.ts";
import type { ReadStore } from "../adapters/database/store-client.ts";
import type { IdentifiedModel } from "../adapters/models/local/identify-model.ts";
import { createLazyAnswerFinder } from "../adapters/models/local/lazy-answer-finder.ts";
import { createLazyEmbedder } from "../adapters/models/local/lazy-embedder.ts";
import { createLazyReranker } from "../adapters/models/local/lazy-reranker.ts";
import { openMiniLmEmbedder, prepareMiniLm } from "../adapters/models/minilm-embedder.ts";
import { openMiniLmReader, prepareMiniLmReader } from "../adapters/models/minilm-reader.ts";
import { loadRuntime } from "../adapters/models/runtime/onnx-session.ts";
import { type AdoptedStore, readingSegmentStore } from "../adapters/segments/open-outside.ts";
import type {
  Answer,
  AnswerReading,
  BridgeName,
  ComposedSummary,
  EmbeddedQuestion,
  OtherTimes,
  PassageRead,
  Question,
  RankedChunk,
  VectorRequired,
} from "../domain/query.ts";
import { openSearchKernels } from "../engine/index/kernels/search-kernels.ts";
import { createSegmentCache } from "../engine/index/segment-cache.ts";
import { type SharedIndexMemory, scratchAddress } from "../engine/index/shared-memory.ts";
import { isSharedMeaning } from "../engine/ingest/extract/facts/relationship-names.ts";
import { grownEdgeTypes } from "../engine/ontology/grow-schema.ts";
import { findBridgeNames } from "../engine/query/dynamic/bridge-names.ts";
import { createEdgeTypeReader } from "../engine/query/edge-types.ts";
import { createLevelReader } from "../engine/query/levels/level-reader.ts";
import { answerQuestion, type QueryDeps } from "../engine/query/pipeline.ts";
import { placeQuoted, quotedChunks } from "../engine/query/quoted-places.ts";
import { readPassages } from "../engine/query/read-passages.ts";
import { createSegmentReader } from "../engine/query/segment-reader.ts";
import { summarize } from "../engine/query/summarize.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { TraceContext } from "../ports/tracing.ts";
import type { WorkActivity } from "../ports/work-activity.ts";
import { sendEvent } from "../rpc/rpc.ts";
import { embedAtFirstUse } from "./embed-at-first-use.ts";
import { createNativeSection } from "./native-gate.ts";
import { createReaderOpener } from "./reader-opener.ts";
import { serveThread } from "./serve-thread.ts";

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
type PassageRequest = { readonly query: string; readonly chunks: readonly RankedChunk[] } & (
  | { readonly task: "read" }
  | {
      readonly task: "compose";
      readonly projectId: string;
      readonly reading: AnswerReading | null;
      readonly otherTimes?: OtherTimes | null;
      readonly names?: readonly string[];
    }
  | { readonly task: "findNames"; readonly limit: number }
);
export type QueryThreadEvent = EmbeddingActivity | WorkActivity;
export type QueryThreadReply =
  | Answer
  | VectorRequired
  | readonly PassageRead[]
  | ComposedSummary
  | readonly BridgeName[]
  | null;

interface OpenedThread extends QueryDeps {
  readonly indexBytes: () => number;
  readonly store: ReadStore;
  readonly report: (stagesMs: Readonly<Record<string, number>>, trace: TraceContext | null) => void;
}

/**
 * Builds missing files of models, so that the first question need not wait for them. The thread serves meanwhile. Without the embedding model
 * it ends, and its error tells why; where the reader's file cannot be built, the first question's answer tells.
 */
function prepareModels(modelDir: string): void {
  prepareMiniLm(modelDir).then(
    () => prepareMiniLmReader(modelDir).catch(() => undefined),
    (error: unknown) =>
      setImmediate(() => {
        throw error;
      }),
  );
}

async function open(data: QueryThreadData): Promise<OpenedThread> {
  const { database, modelDir, cacheBytes, shared, thread } = data;
  const native = createNativeSection(data.gates);
  if (thread === 0) prepareModels(modelDir);
  await loadRuntime();
  const embedder = embedAtFirstUse(() => openMiniLmEmbedder(modelDir, native.run));
  const onActivity = (activity: QueryThreadEvent) => {
    if (parentPort !== null) sendEvent(parentPort, activity);
  };
  let segments = { cached: 0, read: 0 };
  const localOptions = { aroundRun: native.run, onActivity, idleMs: data.modelIdleMs };
  const localEmbedders = data.localModels.map((model) =>
    createLazyEmbedder(model, { kind: "query", ...localOptions }),
  );
  const reranker =
    data.reranker === null
      ? null
      : createLazyReranker(data.reranker.model, { ...data.reranker, ...localOptions });
  const answerFinder =
    data.answerFinder === null
      ? null
      : createLazyAnswerFinder(data.answerFinder.model, { ...data.answerFinder, ...localOptions });
  // Of a model that cannot be opened, only the questions that need it fail.
  for (const local of [...localEmbedders, reranker, answerFinder]) await local?.open().catch(() => undefined);
  native.leave();
  const store = await readingSegmentStore(await openThreadReader(database), data.segmentStore);
  const cache = createSegmentCache({ shared, thread });
  return {
    openReader: createReaderOpener(() => openMiniLmReader(modelDir, native.run)),
    store,
    graph: store,
    edgeTypes: createEdgeTypeReader(store, (types) => grownEdgeTypes(types, isSharedMeaning)),
    levels: createLevelReader(store),
    embedder,
    localEmbedders,
    reranker,
    answerFinder,
    indexBytes: () => cache.usedBytes,
    segments: createSegmentReader({ store, cache, cacheBytes, onLookup: (from) => void segments[from]++ }),
    report(stagesMs, trace) {
      onActivity({ measured: "question", stagesMs, segments, trace, endedAt: Date.now() });
      segments = { cached: 0, read: 0 };
    },
    kernels: openSearchKernels({ memory: shared.memory, scratch: scratchAddress(shared, thread) }),
  };
}

await serveThread<QueryThreadRequest, QueryThreadReply>("query", async () => {
  const deps = await open(workerData as QueryThreadData); // Set by `queryCrew`.
  return {
    indexBytes: deps.indexBytes,
    async answer(request) {
      if ("question" in request) {
        const { question, embedded, trace } = request;
        return answerQuestion(question, { ...deps, onAnswered: (ms) => deps.report(ms, trace) }, embedded);
      }
      if (request.task === "checkDatabase") {
        await deps.store.ping();
        return null;
      }
      return readFor(request, deps);
    },
  };
});

async function readFor(request: PassageRequest, deps: QueryDeps): Promise<QueryThreadReply> {
  const { query, chunks } = request;
  switch (request.task) {
    case "read": {
      const reader = await deps.openReader();
      return reader && readPassages(query, chunks, reader);
    }
    case "findNames":
      return findBridgeNames(query, chunks, request.limit);
    case "compose": {
      const { text, isDenied, quoted } = summarize(request);
      const { projectId } = request;
      const places = await placeQuoted(chunks, quoted, { projectId, store: deps.store });
      return { text, isDenied, places, quotes: quotedChunks(chunks, quoted) };
    }
  }
}
