/** Settings that both provider groups of the environment have: provider, model, address, key and prices. */

export interface GroupReader {
  fault(name: string, message: string): void;
  /** null when empty. */
  optionalText(name: string): string | null;
  optionalInteger(name: string, range: { min: number; max: number }): number | null;
  secret(name: string, rule: { pattern: RegExp; expected: string }): string | null;
}

export type GroupPrefix = "KCS_LLM" | "KCS_EMBEDDING" | "KCS_EMBEDDING_PREVIOUS";

export const BASE_URLS: Readonly<Record<string, string | null>> = {
  "openai-compatible": null,
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  ollama: "http://127.0.0.1:11434/v1",
};
const KEY_REQUIRED: ReadonlySet<string> = new Set(["openai", "anthropic", "google"]);

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
