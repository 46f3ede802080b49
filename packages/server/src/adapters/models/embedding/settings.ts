/** Connection settings of an embedding model. Only the operator sets them, never a request. */

export const EMBEDDING_PROVIDERS = ["openai-compatible", "openai", "google", "ollama"] as const;
export type EmbeddingProviderName = (typeof EMBEDDING_PROVIDERS)[number];

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
