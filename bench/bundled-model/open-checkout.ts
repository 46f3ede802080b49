/** The bundled model of another checkout. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface BundledModel {
  embed(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

interface Sources {
  silenceRuntime(): void;
  openMiniLmEmbedder(modelDir: string): Promise<BundledModel>;
}

/** Since the adapter moved to the server, and before. */
const SILENCE = [
  "packages/server/src/adapters/models/runtime/silence-runtime.ts",
  "packages/minilm/src/silence-runtime.ts",
];
const ADAPTER = "packages/server/src/adapters/models/minilm-embedder.ts";

/** Loads the code; the result opens the model. The types of another commit are not known; these functions have been the same since. */
export async function loadCheckout(checkout: string): Promise<Sources["openMiniLmEmbedder"]> {
  const source = (path: string) => import(pathToFileURL(join(checkout, path)).href);
  const silence = SILENCE.find((path) => existsSync(join(checkout, path))) ?? "";
  ((await source(silence)) as Pick<Sources, "silenceRuntime">).silenceRuntime();
  return ((await source(ADAPTER)) as Pick<Sources, "openMiniLmEmbedder">).openMiniLmEmbedder;
}

/** Processor time of this process, since another time if one is given. */
export function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
