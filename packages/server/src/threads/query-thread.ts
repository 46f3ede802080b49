/** The thread that answers questions: its own reader of the database, model, and segments in memory. */
import { parentPort, workerData } from "node:worker_threads";
import { openThreadReader, type ThreadDatabase } from "../adapters/database/open-store.ts";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import type { Answer, Question } from "../domain/query.ts";
import { createDenseScanner } from "../engine/index/dense-scanner.ts";
import { createSegmentCache } from "../engine/index/segment-cache.ts";
import { answerQuestion, type QueryDeps } from "../engine/query/pipeline.ts";
import { createSegmentReader } from "../engine/query/segment-reader.ts";
import { serveRpc } from "./rpc.ts";

export interface QueryThreadData {
  readonly database: ThreadDatabase;
  readonly modelDir: string;
  readonly cacheBytes: number;
}

async function open({ database, modelDir, cacheBytes }: QueryThreadData): Promise<QueryDeps> {
  const embedder = await openMiniLmEmbedder(modelDir);
  await embedder.embed("warm"); // The first run allocates; no question should wait for it.
  const store = await openThreadReader(database);
  const cache = createSegmentCache({
    maxBytes: cacheBytes,
    scanner: createDenseScanner({ maxBytes: cacheBytes }),
  });
  return { store, embedder, segments: createSegmentReader({ store, cache }) };
}

if (parentPort !== null) {
  const opening = open(workerData as QueryThreadData); // Set by the pool that starts this file.
  opening.catch(() => undefined); // Each request reports it.
  serveRpc<Question | "ready", Answer | null>(parentPort, async (request) => {
    const deps = await opening;
    return request === "ready" ? null : answerQuestion(request, deps);
  });
}
