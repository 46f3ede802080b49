/** What an embedding model is reached with: the operator's, never a request's. */

export const EMBEDDING_PROVIDERS = ["openai-compatible", "openai", "google", "ollama"] as const;
export type EmbeddingProviderName = (typeof EMBEDDING_PROVIDERS)[number];

export interface EmbeddingSettings {
  readonly provider: EmbeddingProviderName;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** null where the provider wants none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Of every vector; others are refused. */
  readonly dimensions: number;
  /** Per million tokens; null = not counted. */
  readonly price: number | null;
  /** One try of one call. */
  readonly tryTimeoutMs: number;
  /** Most calls that run at once, of each thread that makes them. */
  readonly maxConcurrent: number;
}

/** As projects record it: the same model of another provider may give other vectors. */
export function embeddingModelName({ provider, model }: EmbeddingSettings): string {
  return `${provider}/${model}`;
}
