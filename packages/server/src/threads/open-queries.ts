/** What a query thread answers with: its models, its reader of the database, and the segments. */
import { parentPort } from "node:worker_threads";
import { openThreadReader } from "../adapters/database/open-store.ts";
import type { ReadStore } from "../adapters/database/store-client.ts";
import { createLazyAnswerFinder } from "../adapters/models/local/lazy-answer-finder.ts";
import { createLazyEmbedder } from "../adapters/models/local/lazy-embedder.ts";
import { createLazyReranker } from "../adapters/models/local/lazy-reranker.ts";
import { openMiniLmEmbedder, prepareMiniLm } from "../adapters/models/minilm-embedder.ts";
import { openMiniLmReader, prepareMiniLmReader } from "../adapters/models/minilm-reader.ts";
import { loadRuntime } from "../adapters/models/runtime/onnx-session.ts";
import { readingSegmentStore } from "../adapters/segments/open-outside.ts";
import { openSearchKernels } from "../engine/index/kernels/search-kernels.ts";
import { createSegmentCache } from "../engine/index/segment-cache.ts";
import { scratchAddress } from "../engine/index/shared-memory.ts";
import { isSharedMeaning } from "../engine/ingest/extract/facts/relationship-names.ts";
import { grownEdgeTypes } from "../engine/ontology/grow-schema.ts";
import { findBridgeNames } from "../engine/query/dynamic/bridge-names.ts";
import { createEdgeTypeReader } from "../engine/query/edge-types.ts";
import { createLevelReader } from "../engine/query/levels/level-reader.ts";
import { answerQuestion, type QueryDeps } from "../engine/query/pipeline.ts";
import { placeQuoted, quotedSentences } from "../engine/query/quoted-places.ts";
import { readPassages } from "../engine/query/read-passages.ts";
import { createSegmentReader } from "../engine/query/segment-reader.ts";
import { summarize } from "../engine/query/summarize.ts";
import type { TraceContext } from "../ports/tracing.ts";
import { sendEvent } from "../rpc/rpc.ts";
import { embedAtFirstUse } from "./embed-at-first-use.ts";
import type { NativeSection } from "./native-gate.ts";
import type {
  PassageRequest,
  QueryThreadData,
  QueryThreadEvent,
  QueryThreadReply,
  QueryThreadRequest,
} from "./query-messages.ts";
import { createReaderOpener } from "./reader-opener.ts";
import type { ThreadService } from "./serve-thread.ts";

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

async function open(data: QueryThreadData, native: NativeSection): Promise<OpenedThread> {
  const { database, modelDir, cacheBytes, shared, thread } = data;
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

/** In native code until it returns. */
export async function openQueries(
  data: QueryThreadData,
  native: NativeSection,
): Promise<ThreadService<QueryThreadRequest, QueryThreadReply>> {
  const deps = await open(data, native);
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
}

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
      return { text, isDenied, quotes: quotedSentences(chunks, quoted) };
    }
    case "place":
      return placeQuoted(chunks, request.quotes, { projectId: request.projectId, store: deps.store });
  }
}
