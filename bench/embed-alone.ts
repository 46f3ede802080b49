/** The baseline for ingestion: the bundled embedder alone, on as many threads as the service uses for it. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { silenceRuntime } from "../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { loadConfig } from "../packages/server/src/config.ts";
import type { EmbedAloneData, EmbedAloneRequest } from "./embed-alone-thread.ts";

export interface Embedders {
  readonly threads: number;
  /** Resolves to the seconds for all texts. */
  embedAll(texts: readonly string[]): Promise<number>;
  stop(): Promise<void>;
}

/** Loads the model in each thread and embeds one text there, so that the start-up is not measured. */
export async function startEmbedders(): Promise<Embedders> {
  silenceRuntime();
  const threads = loadConfig({}).ingestThreads;
  const cacheDir = await mkdtemp(join(tmpdir(), "kcs-bench-model-"));
  const data: EmbedAloneData = { cacheDir };
  const workers = Array.from(
    { length: threads },
    () => new Worker(new URL("./embed-alone-thread.ts", import.meta.url), { workerData: data }),
  );
  await Promise.all(workers.map((worker) => once(worker, "message")));
  return {
    threads,
    async embedAll(texts) {
      const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const ended = Promise.all(workers.map((worker) => once(worker, "message")));
      const began = performance.now();
      const request: EmbedAloneRequest = { texts, next };
      for (const worker of workers) worker.postMessage(request);
      await ended;
      return (performance.now() - began) / 1000;
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.terminate()));
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}
