/** The `KCS_LLM_*` group of the environment. */
import {
  type LanguageModelSettings,
  MODEL_PROVIDERS,
  type ModelPrices,
  type ModelProvider,
} from "./adapters/models/language/settings.ts";

/** What this group needs of the reader of the environment. */
export interface GroupReader {
  fault(name: string, message: string): void;
  /** null when empty. */
  optionalText(name: string): string | null;
  optionalInteger(name: string, range: { min: number; max: number }): number | null;
  secret(name: string, rule: { pattern: RegExp; expected: string }): string | null;
}

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

const BASE_URLS: Readonly<Record<ModelProvider, string | null>> = {
  "openai-compatible": null,
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  ollama: "http://127.0.0.1:11434/v1",
};
const WANT_KEY: ReadonlySet<ModelProvider> = new Set<ModelProvider>(["openai", "anthropic", "google"]);

const DEFAULT_TIMEOUT_SECONDS = 120;
/** Node gives up a connection that is silent for five minutes. */
const MAX_TIMEOUT_SECONDS = 290;
const DEFAULT_CONCURRENCY = 16;

/** null when nothing of the group is set. Faults are recorded, and the settings then of no use. */
export function readLanguageModel(read: GroupReader): LanguageModelSettings | null {
  if (LANGUAGE_MODEL_NAMES.every((name) => read.optionalText(name) === null)) return null;
  const provider = readProvider(read);
  const model = readModel(read, "KCS_LLM_MODEL");
  if (model === null && read.optionalText("KCS_LLM_MODEL") === null) {
    read.fault("KCS_LLM_MODEL", "needed with the other KCS_LLM_ settings: the model's name at its provider");
  }
  const timeout = read.optionalInteger("KCS_LLM_TIMEOUT_SECONDS", { min: 1, max: MAX_TIMEOUT_SECONDS });
  const named = model ?? "";
  return Object.freeze({
    provider: provider ?? "openai-compatible",
    baseUrl: readBaseUrl(read, provider),
    apiKey: readApiKey(read, provider),
    model: named,
    extractionModel: readModel(read, "KCS_LLM_EXTRACTION_MODEL") ?? named,
    prices: readPrices(read),
    tryTimeoutMs: (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    maxConcurrent: read.optionalInteger("KCS_LLM_CONCURRENCY", { min: 1, max: 256 }) ?? DEFAULT_CONCURRENCY,
  });
}

function readProvider(read: GroupReader): ModelProvider | null {
  const name = "KCS_LLM_PROVIDER";
  const value = read.optionalText(name);
  const found = MODEL_PROVIDERS.find((provider) => provider === value);
  if (found !== undefined) return found;
  if (value === null && read.optionalText("KCS_LLM_BASE_URL") !== null) return "openai-compatible";
  const told = value === null ? "needed with the other KCS_LLM_ settings" : `got "${value}"`;
  read.fault(name, `${told}, expected ${MODEL_PROVIDERS.join(" or ")}`);
  return null;
}

function readModel(read: GroupReader, name: "KCS_LLM_MODEL" | "KCS_LLM_EXTRACTION_MODEL"): string | null {
  const value = read.optionalText(name);
  if (value === null || /^[\w.:@/+-]{1,200}$/.test(value)) return value;
  read.fault(name, "expected a model's name: letters, digits and . : @ / + - _");
  return null;
}

function readBaseUrl(read: GroupReader, provider: ModelProvider | null): string {
  const name = "KCS_LLM_BASE_URL";
  const value = read.optionalText(name) ?? (provider === null ? null : BASE_URLS[provider]);
  if (value === null) {
    if (provider !== null) read.fault(name, "needed with openai-compatible, as http://127.0.0.1:8000/v1");
    return "";
  }
  const url = URL.canParse(value) ? new URL(value) : null;
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!isUsable || url.username !== "" || url.password !== "") {
    // Not quoted: a password may stand in it.
    read.fault(
      name,
      "expected an address like https://models.example.com/v1, the key apart in KCS_LLM_API_KEY",
    );
    return "";
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function readApiKey(read: GroupReader, provider: ModelProvider | null): string | null {
  const name = "KCS_LLM_API_KEY";
  const rule = { pattern: /^[\x21-\x7e]{1,1000}$/, expected: "a key without spaces, in ASCII" };
  const key = read.secret(name, rule);
  if (key === null && provider !== null && WANT_KEY.has(provider)) {
    read.fault(name, `needed with ${provider}`);
  }
  return key;
}

function readPrices(read: GroupReader): ModelPrices | null {
  const input = readPrice(read, "KCS_LLM_INPUT_PRICE");
  const output = readPrice(read, "KCS_LLM_OUTPUT_PRICE");
  if (input === "none" && output === "none") return null;
  if (input === "none") read.fault("KCS_LLM_INPUT_PRICE", "needed with KCS_LLM_OUTPUT_PRICE");
  if (output === "none") read.fault("KCS_LLM_OUTPUT_PRICE", "needed with KCS_LLM_INPUT_PRICE");
  return typeof input === "number" && typeof output === "number" ? { input, output } : null;
}

function readPrice(read: GroupReader, name: string): number | "none" | "faulty" {
  const value = read.optionalText(name);
  if (value === null) return "none";
  if (/^\d{1,6}(\.\d{1,6})?$/.test(value)) return Number(value);
  read.fault(name, `got "${value}", expected a price per million tokens, as 0.25`);
  return "faulty";
}
