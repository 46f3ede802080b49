/** Opens the bundled model of a checkout, embeds texts with it and prints what that took. Arguments: CHECKOUT MODEL_DIR TEXTS */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { synthesizeChunk } from "../../packages/server/src/measure-model.ts";
import { readMemory } from "../process-stats.ts";

export interface Measured {
  /** Processor time until the first vector: of the process, and of opening the model in it. */
  readonly startCpuMs: number;
  readonly openCpuMs: number;
  readonly embedCpuMs: number;
  readonly embedSeconds: number;
  readonly peakRssMiB: number;
  /** Of all vectors. */
  readonly sha256: string;
}

/** Before and since the adapter moved to the server. */
const SILENCE = [
  "packages/server/src/adapters/models/runtime/silence-runtime.ts",
  "packages/minilm/src/silence-runtime.ts",
];

interface Checkout {
  silenceRuntime(): void;
  openMiniLmEmbedder(modelDir: string): Promise<{
    embed(text: string): Promise<Float32Array>;
    close(): Promise<void>;
  }>;
}

/** The types of another commit are not known; these two functions have been the same since. */
async function load(checkout: string): Promise<Checkout> {
  const source = (path: string) => import(pathToFileURL(join(checkout, path)).href);
  const silence = SILENCE.find((path) => existsSync(join(checkout, path))) ?? "";
  const { silenceRuntime } = (await source(silence)) as Pick<Checkout, "silenceRuntime">;
  silenceRuntime();
  return {
    ...((await source("packages/server/src/adapters/models/minilm-embedder.ts")) as Checkout),
    silenceRuntime,
  };
}

async function main([checkout = "", modelDir = "", texts = "0"]: readonly string[]): Promise<void> {
  const cpuMs = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1_000;
  };
  const { openMiniLmEmbedder } = await load(checkout);
  const opening = process.cpuUsage();
  const model = await openMiniLmEmbedder(modelDir);
  const hash = createHash("sha256").update(await model.embed("one"));
  const [openCpuMs, startCpuMs] = [cpuMs(opening), cpuMs()];
  const chunks = Array.from({ length: Number(texts) }, (_, at) => synthesizeChunk(at));
  const [embedding, began] = [process.cpuUsage(), performance.now()];
  for (const chunk of chunks) hash.update(await model.embed(chunk));
  const embedCpuMs = cpuMs(embedding);
  const embedSeconds = (performance.now() - began) / 1_000;
  const peakRssMiB = ((await readMemory(process.pid))?.peakRssBytes ?? 0) / 1024 ** 2;
  await model.close();
  const measured: Measured = {
    ...{ startCpuMs, openCpuMs, embedCpuMs, embedSeconds, peakRssMiB, sha256: hash.digest("hex") },
  };
  process.stdout.write(JSON.stringify(measured));
}

await main(process.argv.slice(2));
