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
  // What cannot be opened ends the thread; the next one may have better luck.
  const deps = await open(workerData as QueryThreadData); // Set by the client that starts this file.
  serveRpc<Question | "ready", Answer | null>(parentPort, async (request) =>
    request === "ready" ? null : answerQuestion(request, deps),
  );
}
