/** A thread that only embeds: it takes texts from a shared list, one per call, until the list is empty. */
import { parentPort, workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../packages/server/src/adapters/models/minilm-embedder.ts";

export interface EmbedAloneData {
  readonly cacheDir: string;
}

export interface EmbedAloneRequest {
  readonly texts: readonly string[];
  /** Index of the next text, shared by all threads. */
  readonly next: Int32Array<SharedArrayBuffer>;
}

const port = parentPort;
if (port !== null) {
  const { cacheDir } = workerData as EmbedAloneData; // Set by `startEmbedders`.
  const model = await openMiniLmEmbedder(cacheDir);
  await model.embed("warm");
  port.on("message", async ({ texts, next }: EmbedAloneRequest) => {
    for (;;) {
      const text = texts[Atomics.add(next, 0, 1)];
      if (text === undefined) break;
      await model.embed(text);
    }
    port.postMessage("done");
  });
  port.postMessage("ready");
}
