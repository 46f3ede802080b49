/** What a language model is reached with: the operator's, never a request's. */

export const MODEL_PROVIDERS = ["openai-compatible", "openai", "anthropic", "google", "ollama"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Per million tokens, in whatever currency the operator counts. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
}

export interface LanguageModelSettings {
  readonly provider: ModelProvider;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** null where the provider wants none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** For extraction alone; equals `model` where none is configured. */
  readonly extractionModel: string;
  readonly prices: ModelPrices | null;
  /** One try of one call. */
  readonly tryTimeoutMs: number;
  /** Most tries that run at once, of all calls of a thread. */
  readonly maxConcurrent: number;
}
