/** The `KCS_LLM_*` group of the environment. */
import {
  type LanguageModelSettings,
  MODEL_PROVIDERS,
  type ModelPrices,
} from "./adapters/models/language/settings.ts";
import {
  type GroupReader,
  readApiKey,
  readBaseUrl,
  readModelName,
  readPrice,
  readProvider,
} from "./config-provider.ts";

export const LANGUAGE_MODEL_NAMES = [
  "KCS_LLM_PROVIDER",
  "KCS_LLM_BASE_URL",
  "KCS_LLM_API_KEY",
  "KCS_LLM_MODEL",
  "KCS_LLM_EXTRACTION_MODEL",
  "KCS_LLM_INPUT_PRICE",
  "KCS_LLM_OUTPUT_PRICE",
  "KCS_LLM_TIMEOUT_SECONDS",
  "KCS_LLM_CONCURRENCY",
] as const;

const DEFAULT_TIMEOUT_SECONDS = 120;
/** Node closes a connection that is silent for five minutes. */
const MAX_TIMEOUT_SECONDS = 290;
const DEFAULT_CONCURRENCY = 16;

/** null when no setting of the group is set. If a fault is recorded, the result must not be used. */
export function readLanguageModel(read: GroupReader): LanguageModelSettings | null {
  if (LANGUAGE_MODEL_NAMES.every((name) => read.optionalText(name) === null)) return null;
  const provider = readProvider(read, "KCS_LLM", MODEL_PROVIDERS);
  const model = readModelName(read, "KCS_LLM_MODEL");
  if (model === null && read.optionalText("KCS_LLM_MODEL") === null) {
    read.fault("KCS_LLM_MODEL", "needed with the other KCS_LLM_ settings: the model's name at its provider");
  }
  const timeout = read.optionalInteger("KCS_LLM_TIMEOUT_SECONDS", { min: 1, max: MAX_TIMEOUT_SECONDS });
  const named = model ?? "";
  return Object.freeze({
    provider: provider ?? "openai-compatible",
    baseUrl: readBaseUrl(read, "KCS_LLM", provider),
    apiKey: readApiKey(read, "KCS_LLM", provider),
    model: named,
    extractionModel: readModelName(read, "KCS_LLM_EXTRACTION_MODEL") ?? named,
    prices: readPrices(read),
    tryTimeoutMs: (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    maxConcurrent: read.optionalInteger("KCS_LLM_CONCURRENCY", { min: 1, max: 256 }) ?? DEFAULT_CONCURRENCY,
  });
}

function readPrices(read: GroupReader): ModelPrices | null {
  const input = readPrice(read, "KCS_LLM_INPUT_PRICE");
  const output = readPrice(read, "KCS_LLM_OUTPUT_PRICE");
  if (input === "none" && output === "none") return null;
  if (input === "none") read.fault("KCS_LLM_INPUT_PRICE", "needed with KCS_LLM_OUTPUT_PRICE");
  if (output === "none") read.fault("KCS_LLM_OUTPUT_PRICE", "needed with KCS_LLM_INPUT_PRICE");
  return typeof input === "number" && typeof output === "number" ? { input, output } : null;
}
