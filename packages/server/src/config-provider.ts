/** Settings that the provider groups of the environment share: provider, model, address, key and prices. */
import type { LocalSettings } from "./adapters/models/embedding/settings.ts";
import { isModelId } from "./adapters/models/local/model-id.ts";

export interface GroupReader {
  fault(name: string, message: string): void;
  /** null when empty. */
  optionalText(name: string): string | null;
  optionalInteger(name: string, range: { min: number; max: number }): number | null;
  secret(name: string, rule: { pattern: RegExp; expected: string }): string | null;
}

export type GroupPrefix =
  | "KCS_LLM"
  | "KCS_EMBEDDING"
  | "KCS_EMBEDDING_PREVIOUS"
  | "KCS_RERANK"
  | "KCS_ANSWER"
  | "KCS_EXTRACTION";

export const BASE_URLS: Readonly<Record<string, string | null>> = {
  "openai-compatible": null,
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  ollama: "http://127.0.0.1:11434/v1",
  cohere: "https://api.cohere.com/v2",
  jina: "https://api.jina.ai/v1",
};
const KEY_REQUIRED: ReadonlySet<string> = new Set(["openai", "anthropic", "google", "cohere", "jina"]);

export function readProvider<Name extends string>(
  read: GroupReader,
  prefix: GroupPrefix,
  known: readonly Name[],
): Name | null {
  const name = `${prefix}_PROVIDER`;
  const value = read.optionalText(name);
  const found = known.find((provider) => provider === value);
  if (found !== undefined) return found;
  const compatible = known.find((provider) => provider === "openai-compatible");
  if (value === null && compatible !== undefined && read.optionalText(`${prefix}_BASE_URL`) !== null)
    return compatible;
  const problem = value === null ? `needed with the other ${prefix}_ settings` : `got "${value}"`;
  read.fault(name, `${problem}, expected ${known.join(" or ")}`);
  return null;
}

/** null when empty or faulty. */
export function readModelName(read: GroupReader, name: string): string | null {
  const value = read.optionalText(name);
  if (value === null || /^[\w.:@/+-]{1,200}$/.test(value)) return value;
  read.fault(name, "expected a model's name: letters, digits and . : @ / + - _");
  return null;
}

/** A model of the models folder. */
export function readLocalModel(read: GroupReader, prefix: GroupPrefix): LocalSettings {
  const name = `${prefix}_MODEL`;
  const model = read.optionalText(name);
  if (model === null) read.fault(name, "needed with local: a model of kcs-server models list");
  else if (!isModelId(model)) read.fault(name, `got "${model}", expected OWNER/NAME or NAME`);
  return { provider: "local", model: model ?? "", files: null };
}

export const ANSWER_NAMES = ["KCS_ANSWER_PROVIDER", "KCS_ANSWER_MODEL"];

/** A local model that answers questions. null when no setting of the group is set. */
export function readAnswer(read: GroupReader): LocalSettings | null {
  if (ANSWER_NAMES.every((name) => read.optionalText(name) === null)) return null;
  readProvider(read, "KCS_ANSWER", ["local"]);
  return readLocalModel(read, "KCS_ANSWER");
}

/** A local reader of entities and relations. */
export interface ExtractionSettings extends LocalSettings {
  /** From which score on both are read; null = as the model's files say. */
  readonly threshold: number | null;
}

export const EXTRACTION_NAMES = [
  "KCS_EXTRACTION_PROVIDER",
  "KCS_EXTRACTION_MODEL",
  "KCS_EXTRACTION_THRESHOLD",
];

/** null when no setting of the group is set. */
export function readExtraction(read: GroupReader): ExtractionSettings | null {
  if (EXTRACTION_NAMES.every((name) => read.optionalText(name) === null)) return null;
  readProvider(read, "KCS_EXTRACTION", ["local"]);
  const value = read.optionalText("KCS_EXTRACTION_THRESHOLD");
  const isShare = value === null || (/^0?\.\d{1,4}$/.test(value) && Number(value) > 0);
  if (!isShare)
    read.fault("KCS_EXTRACTION_THRESHOLD", `got "${value}", expected a number between 0 and 1 like 0.5`);
  const threshold = value === null || !isShare ? null : Number(value);
  return { ...readLocalModel(read, "KCS_EXTRACTION"), threshold };
}

export function readBaseUrl(read: GroupReader, prefix: GroupPrefix, provider: string | null): string {
  const name = `${prefix}_BASE_URL`;
  const value = read.optionalText(name) ?? (provider === null ? null : (BASE_URLS[provider] ?? null));
  if (value === null) {
    if (provider !== null) read.fault(name, "needed with openai-compatible, as http://127.0.0.1:8000/v1");
    return "";
  }
  const url = URL.canParse(value) ? new URL(value) : null;
  const isUsable = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!isUsable || url.username !== "" || url.password !== "") {
    // The value is not quoted: it may contain a password.
    read.fault(
      name,
      `expected an address like https://models.example.com/v1, the key apart in ${prefix}_API_KEY`,
    );
    return "";
  }
  return url.origin + url.pathname.replace(/\/{1,64}$/, "");
}

export function readApiKey(read: GroupReader, prefix: GroupPrefix, provider: string | null): string | null {
  const name = `${prefix}_API_KEY`;
  const rule = { pattern: /^[\x21-\x7e]{1,1000}$/, expected: "a key without spaces, in ASCII" };
  const key = read.secret(name, rule);
  if (key === null && provider !== null && KEY_REQUIRED.has(provider)) {
    read.fault(name, `needed with ${provider}`);
  }
  return key;
}

export function readPrice(read: GroupReader, name: string): number | "none" | "faulty" {
  const value = read.optionalText(name);
  if (value === null) return "none";
  if (/^\d{1,6}(\.\d{1,6})?$/.test(value)) return Number(value);
  read.fault(name, `got "${value}", expected a price per million tokens, as 0.25`);
  return "faulty";
}
