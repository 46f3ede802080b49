/** A thread that does nothing but embed: one text a call, since a vector depends on its text alone. */
import { parentPort, workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import { createLog } from "../log.ts";
import { lowerThreadPriority } from "./priority.ts";
import { serveRpc } from "./rpc.ts";

export interface EmbedThreadData {
  readonly modelDir: string;
  readonly logLevel: LogLevel;
}

if (parentPort !== null) {
  const { modelDir, logLevel } = workerData as EmbedThreadData; // Set by the pool that starts this file.
  const reason = lowerThreadPriority();
  if (reason !== null)
    createLog(logLevel, { thread: "embed" }).debug("thread_priority_not_lowered", { reason });
  // Without a model the thread ends, and the pool hears why.
  const embedder = await openMiniLmEmbedder(modelDir);
  serveRpc<string, Float32Array>(
    parentPort,
    (text) => embedder.embed(text),
    (vector) => [vector.buffer as ArrayBuffer],
  );
}
