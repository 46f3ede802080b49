/** The `KCS_EMBEDDING_*` group of the environment. */
import { EMBEDDING_PROVIDERS, type EmbeddingSettings } from "./adapters/models/embedding/settings.ts";
import {
  type GroupReader,
  readApiKey,
  readBaseUrl,
  readModelName,
  readPrice,
  readProvider,
} from "./config-provider.ts";

export const EMBEDDING_NAMES = [
  "KCS_EMBEDDING_PROVIDER",
  "KCS_EMBEDDING_BASE_URL",
  "KCS_EMBEDDING_API_KEY",
  "KCS_EMBEDDING_MODEL",
  "KCS_EMBEDDING_DIMENSIONS",
  "KCS_EMBEDDING_PRICE",
  "KCS_EMBEDDING_TIMEOUT_SECONDS",
  "KCS_EMBEDDING_CONCURRENCY",
] as const;

/** More than common models have. */
const MAX_DIMENSIONS = 8_192;
const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 290;
const DEFAULT_CONCURRENCY = 8;

/** null when nothing of the group is set: the bundled model embeds. Faults are recorded, and the settings then of no use. */
export function readEmbedding(read: GroupReader): EmbeddingSettings | null {
  if (EMBEDDING_NAMES.every((name) => read.optionalText(name) === null)) return null;
  const provider = readProvider(read, "KCS_EMBEDDING", EMBEDDING_PROVIDERS);
  const needed = (name: string, what: string) => {
    if (read.optionalText(name) === null)
      read.fault(name, `needed with the other KCS_EMBEDDING_ settings: ${what}`);
  };
  needed("KCS_EMBEDDING_MODEL", "the model's name at its provider");
  needed("KCS_EMBEDDING_DIMENSIONS", "how many numbers its vectors have");
  const price = readPrice(read, "KCS_EMBEDDING_PRICE");
  const timeout = read.optionalInteger("KCS_EMBEDDING_TIMEOUT_SECONDS", { min: 1, max: MAX_TIMEOUT_SECONDS });
  return Object.freeze({
    provider: provider ?? "openai-compatible",
    baseUrl: readBaseUrl(read, "KCS_EMBEDDING", provider),
    apiKey: readApiKey(read, "KCS_EMBEDDING", provider),
    model: readModelName(read, "KCS_EMBEDDING_MODEL") ?? "",
    dimensions: read.optionalInteger("KCS_EMBEDDING_DIMENSIONS", { min: 1, max: MAX_DIMENSIONS }) ?? 1,
    price: typeof price === "number" ? price : null,
    tryTimeoutMs: (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    maxConcurrent:
      read.optionalInteger("KCS_EMBEDDING_CONCURRENCY", { min: 1, max: 256 }) ?? DEFAULT_CONCURRENCY,
  });
}
