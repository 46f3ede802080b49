/** A thread that answers questions: its own reader of the database and model, segments in memory shared with others. */
import { parentPort, workerData } from "node:worker_threads";
import { openThreadReader, type ThreadDatabase } from "../adapters/database/open-store.ts";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import type { Answer, EmbeddedQuestion, Question, VectorRequired } from "../domain/query.ts";
import { openSearchKernels } from "../engine/index/kernels/search-kernels.ts";
import { createSegmentCache } from "../engine/index/segment-cache.ts";
import { type SharedIndexMemory, scratchAddress } from "../engine/index/shared-memory.ts";
import { isSharedMeaning } from "../engine/ingest/extract/facts/relationship-names.ts";
import { grownEdgeTypes } from "../engine/ontology/grow-schema.ts";
import { createEdgeTypeReader } from "../engine/query/edge-types.ts";
import { createLevelReader } from "../engine/query/levels/level-reader.ts";
import { answerQuestion, type QueryDeps } from "../engine/query/pipeline.ts";
import { createSegmentReader } from "../engine/query/segment-reader.ts";
import { serveRpc } from "./rpc.ts";

export interface QueryThreadData {
  readonly database: ThreadDatabase;
  readonly modelDir: string;
  readonly cacheBytes: number;
  readonly shared: SharedIndexMemory;
  /** Its number among those that share the memory, from 0. */
  readonly thread: number;
}

export type QueryThreadRequest =
  | "ready"
  | { readonly question: Question; readonly embedded: EmbeddedQuestion | null };
export type QueryThreadReply = Answer | VectorRequired | null;

async function open({ database, modelDir, cacheBytes, shared, thread }: QueryThreadData): Promise<QueryDeps> {
  const embedder = await openMiniLmEmbedder(modelDir);
  await embedder.embed("warm"); // The first run allocates; no question should wait for it.
  const store = await openThreadReader(database);
  const cache = createSegmentCache({ shared, thread });
  return {
    store,
    graph: store,
    edgeTypes: createEdgeTypeReader(store, (types) => grownEdgeTypes(types, isSharedMeaning)),
    levels: createLevelReader(store),
    embedder,
    segments: createSegmentReader({ store, cache, cacheBytes }),
    kernels: openSearchKernels({ memory: shared.memory, scratch: scratchAddress(shared, thread) }),
  };
}

if (parentPort !== null) {
  // What cannot be opened ends the thread; the next one may have better luck.
  const deps = await open(workerData as QueryThreadData); // Set by `startQueryCrew`.
  serveRpc<QueryThreadRequest, QueryThreadReply>(parentPort, async (request) =>
    request === "ready" ? null : answerQuestion(request.question, deps, request.embedded),
  );
}
