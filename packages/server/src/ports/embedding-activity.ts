/**
 * Report of one call of an embedding model, or of a reranker at a provider, for metrics and status. Plain data, since it is
 * passed between threads.
 */
export interface EmbeddingActivity {
  readonly kind: "embedding" | "rerank";
  readonly at: number;
  /** Name of the provider, and name of the model with the provider in front of it. */
  readonly provider: string;
  readonly model: string;
  /** "kept_out": the provider was not called. "aborted": the caller aborted the call. */
  readonly outcome: "answered" | "refused" | "unavailable" | "kept_out" | "aborted";
  /** Duration of all tries together. */
  readonly seconds: number;
  readonly tokens: number;
  /** Safe to show to anybody; null unless the outcome is a failure. */
  readonly error: string | null;
  readonly isBreakerOpen: boolean;
}
