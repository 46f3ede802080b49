/** The `KCS_RERANK_*` group of the environment. */
import type { LocalSettings } from "./adapters/models/embedding/settings.ts";
import { RERANK_PROVIDERS, type RerankSettings } from "./adapters/models/rerank/settings.ts";
import {
  type GroupReader,
  readApiKey,
  readBaseUrl,
  readLocalModel,
  readModelName,
  readProvider,
} from "./config-provider.ts";

const PREFIX = "KCS_RERANK";
const SHARED_NAMES = ["KCS_RERANK_PROVIDER", "KCS_RERANK_MODEL"];
const PROVIDER_NAMES = ["KCS_RERANK_BASE_URL", "KCS_RERANK_API_KEY", "KCS_RERANK_CONCURRENCY"];
export const RERANK_NAMES = [...SHARED_NAMES, ...PROVIDER_NAMES, "KCS_RERANK_MS"];

const DEFAULT_CONCURRENCY = 8;
/** A model in this process takes time of a query thread; a provider is only waited for. */
const DEFAULT_MS = { local: 150, provider: 2_000 };

export interface Reranking {
  /** null when no setting of the group is set. If a fault is recorded, it must not be used. */
  readonly rerank: RerankSettings | LocalSettings | null;
  readonly rerankMs: number;
}

export function readRerank(read: GroupReader): Reranking {
  const rerank = readSettings(read);
  const isAtProvider = rerank !== null && rerank.provider !== "local";
  const limitMs = read.optionalInteger("KCS_RERANK_MS", { min: 1, max: 10_000 });
  return { rerank, rerankMs: limitMs ?? DEFAULT_MS[isAtProvider ? "provider" : "local"] };
}

function readSettings(read: GroupReader): Reranking["rerank"] {
  if ([...SHARED_NAMES, ...PROVIDER_NAMES].every((name) => read.optionalText(name) === null)) return null;
  const provider = readProvider(read, PREFIX, RERANK_PROVIDERS);
  if (provider === null || provider === "local") {
    for (const name of provider === null ? [] : PROVIDER_NAMES)
      if (read.optionalText(name) !== null) read.fault(name, "not used with local");
    return readLocalModel(read, PREFIX);
  }
  const name = `${PREFIX}_MODEL`;
  if (read.optionalText(name) === null)
    read.fault(name, `needed with the other ${PREFIX}_ settings: the model's name at its provider`);
  return Object.freeze({
    provider,
    baseUrl: readBaseUrl(read, PREFIX, provider),
    apiKey: readApiKey(read, PREFIX, provider),
    model: readModelName(read, name) ?? "",
    maxConcurrent: read.optionalInteger(`${PREFIX}_CONCURRENCY`, { min: 1, max: 256 }) ?? DEFAULT_CONCURRENCY,
  });
}
