/** The `KCS_EMBEDDING_*` group of the environment. */
import {
  EMBEDDING_PROVIDERS,
  type EmbeddingSettings,
  type LocalSettings,
} from "./adapters/models/embedding/settings.ts";
import {
  type GroupReader,
  readApiKey,
  readBaseUrl,
  readLocalModel,
  readModelName,
  readPrice,
  readProvider,
} from "./config-provider.ts";

const NAMES = [
  "PROVIDER",
  "BASE_URL",
  "API_KEY",
  "MODEL",
  "DIMENSIONS",
  "PRICE",
  "TIMEOUT_SECONDS",
  "CONCURRENCY",
];
/** The model of new projects, and a previous one that projects are moved from or back to. */
type EmbeddingPrefix = "KCS_EMBEDDING" | "KCS_EMBEDDING_PREVIOUS";

export const EMBEDDING_NAMES: readonly string[] = [
  ...namesOf("KCS_EMBEDDING"),
  ...namesOf("KCS_EMBEDDING_PREVIOUS"),
];

function namesOf(prefix: EmbeddingPrefix): readonly string[] {
  return NAMES.map((name) => `${prefix}_${name}`);
}

/** More than common models produce. */
const MAX_DIMENSIONS = 8_192;
const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 290;
const DEFAULT_CONCURRENCY = 8;

/** null when no setting of the group is set: the bundled model embeds. If a fault is recorded, the result must not be used. */
export function readEmbedding(
  read: GroupReader,
  prefix: EmbeddingPrefix = "KCS_EMBEDDING",
): EmbeddingSettings | LocalSettings | null {
  if (namesOf(prefix).every((name) => read.optionalText(name) === null)) return null;
  const provider = readProvider(read, prefix, EMBEDDING_PROVIDERS);
  if (provider === "local") return readLocal(read, prefix);
  const needed = (name: string, what: string) => {
    if (read.optionalText(name) === null)
      read.fault(name, `needed with the other ${prefix}_ settings: ${what}`);
  };
  needed(`${prefix}_MODEL`, "the model's name at its provider");
  needed(`${prefix}_DIMENSIONS`, "how many numbers its vectors have");
  const price = readPrice(read, `${prefix}_PRICE`);
  const timeout = read.optionalInteger(`${prefix}_TIMEOUT_SECONDS`, { min: 1, max: MAX_TIMEOUT_SECONDS });
  return Object.freeze({
    provider: provider ?? "openai-compatible",
    baseUrl: readBaseUrl(read, prefix, provider),
    apiKey: readApiKey(read, prefix, provider),
    model: readModelName(read, `${prefix}_MODEL`) ?? "",
    dimensions: read.optionalInteger(`${prefix}_DIMENSIONS`, { min: 1, max: MAX_DIMENSIONS }) ?? 1,
    price: typeof price === "number" ? price : null,
    tryTimeoutMs: (timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1_000,
    maxConcurrent: read.optionalInteger(`${prefix}_CONCURRENCY`, { min: 1, max: 256 }) ?? DEFAULT_CONCURRENCY,
  });
}

/** A model of the models folder says itself what the other settings would. */
function readLocal(read: GroupReader, prefix: EmbeddingPrefix): LocalSettings {
  for (const name of namesOf(prefix)) {
    const isUsed = name === `${prefix}_PROVIDER` || name === `${prefix}_MODEL`;
    if (!isUsed && read.optionalText(name) !== null) read.fault(name, "not used with local");
  }
  return readLocalModel(read, prefix);
}

/** The previous model. It must differ from the model of new projects: otherwise it is ambiguous which address to call. */
export function readPreviousEmbedding(
  read: GroupReader,
  embedding: EmbeddingSettings | LocalSettings | null,
): EmbeddingSettings | LocalSettings | null {
  const previous = readEmbedding(read, "KCS_EMBEDDING_PREVIOUS");
  if (previous === null || embedding === null) return previous;
  const isSame = previous.provider === embedding.provider && previous.model === embedding.model;
  if (isSame)
    read.fault(
      "KCS_EMBEDDING_PREVIOUS_MODEL",
      "is the model that KCS_EMBEDDING_MODEL names, expected another",
    );
  return previous;
}
