/** A thread with the bundled model of a checkout: embeds the texts of a message and answers with the time and the vectors. */
import { parentPort, workerData } from "node:worker_threads";
import { loadCheckout } from "./open-checkout.ts";

export interface EmbedThreadData {
  readonly checkout: string;
  readonly modelDir: string;
}

export interface EmbeddedTexts {
  /** Processor time of this thread alone. */
  readonly embedCpuMs: number;
  readonly vectors: readonly Float32Array[];
}

const port = parentPort;
if (port !== null) {
  const { checkout, modelDir } = workerData as EmbedThreadData; // Set by `startEmbedding`.
  const model = await (await loadCheckout(checkout))(modelDir);
  port.on("message", async (texts: readonly string[]) => {
    const since = process.threadCpuUsage();
    const vectors: Float32Array[] = [];
    for (const text of texts) vectors.push(await model.embed(text));
    const { user, system } = process.threadCpuUsage(since);
    const embedded: EmbeddedTexts = { embedCpuMs: (user + system) / 1_000, vectors };
    port.postMessage(embedded);
  });
  port.postMessage("ready");
}
