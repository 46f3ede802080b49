/** Connection settings of a language model. Only the operator sets them, never a request. */

export const MODEL_PROVIDERS = ["openai-compatible", "openai", "anthropic", "google", "ollama"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Per million tokens, in the currency of the operator's choice. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
}

export interface LanguageModelSettings {
  readonly provider: ModelProvider;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** null when the provider needs none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Used for extraction only; equals `model` unless another one is configured. */
  readonly extractionModel: string;
  readonly prices: ModelPrices | null;
  /** Time limit of one try of a call. */
  readonly tryTimeoutMs: number;
  /** Maximum of concurrent tries over all calls of a thread. */
  readonly maxConcurrent: number;
}
