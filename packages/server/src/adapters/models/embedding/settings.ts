/** Connection settings of an embedding model. Only the operator sets them, never a request. */
import type { IdentifiedModel } from "../local/identify-model.ts";

export const EMBEDDING_PROVIDERS = ["openai-compatible", "openai", "google", "ollama", "local"] as const;
export type EmbeddingProviderName = Exclude<(typeof EMBEDDING_PROVIDERS)[number], "local">;

/** A model of the models folder, which runs in this process. */
export interface LocalSettings {
  readonly provider: "local";
  /** Its name in the models folder. */
  readonly model: string;
  /** null until the start has found it. */
  readonly files: IdentifiedModel | null;
}

export interface EmbeddingSettings {
  readonly provider: EmbeddingProviderName;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** null when the provider needs none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Required of every vector; other vectors are rejected. */
  readonly dimensions: number;
  /** Per million tokens; null = cost is not counted. */
  readonly price: number | null;
  /** Time limit of one try of a call. */
  readonly tryTimeoutMs: number;
  /** Maximum of concurrent calls per thread. */
  readonly maxConcurrent: number;
}

/**
 * The name that projects store. It includes the provider, because the same model may give other vectors at
 * another provider.
 */
export function embeddingModelName({ provider, model }: EmbeddingSettings): string {
  return `${provider}/${model}`;
}
