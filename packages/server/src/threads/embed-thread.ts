/** A thread that does nothing but embed: one text a call, since a vector depends on its text alone. */
import { parentPort, workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../adapters/models/minilm-embedder.ts";
import { serveRpc } from "./rpc.ts";

export interface EmbedThreadData {
  readonly modelDir: string;
}

if (parentPort !== null) {
  const { modelDir } = workerData as EmbedThreadData; // Set by the pool that starts this file.
  // Without a model the thread ends, and the pool hears why.
  const embedder = await openMiniLmEmbedder(modelDir);
  serveRpc<string, Float32Array>(
    parentPort,
    (text) => embedder.embed(text),
    (vector) => [vector.buffer as ArrayBuffer],
  );
}
