/** Connection settings of a reranker at a provider. Only the operator sets them, never a request. */

export const RERANK_PROVIDERS = ["openai-compatible", "cohere", "jina", "local"] as const;
export type RerankProviderName = Exclude<(typeof RERANK_PROVIDERS)[number], "local">;

export interface RerankSettings {
  readonly provider: RerankProviderName;
  /** Without a trailing slash; calls go to `/rerank` below it. */
  readonly baseUrl: string;
  /** null when the provider needs none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Maximum of concurrent calls. */
  readonly maxConcurrent: number;
}

export function rerankModelName({ provider, model }: Pick<RerankSettings, "provider" | "model">): string {
  return `${provider}/${model}`;
}
