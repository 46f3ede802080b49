/** What one call of an embedding model tells those who watch over it; plain data, since it crosses threads. */
export interface EmbeddingActivity {
  readonly kind: "embedding";
  readonly at: number;
  /** The name of the provider, and with it that of the model. */
  readonly provider: string;
  readonly model: string;
  /** "kept_out": the provider was not asked. "aborted": given up by the caller. */
  readonly outcome: "answered" | "refused" | "unavailable" | "kept_out" | "aborted";
  /** With all its tries. */
  readonly seconds: number;
  readonly tokens: number;
  /** Fit to be shown to anybody; null unless the outcome is a failure. */
  readonly error: string | null;
  readonly isBreakerOpen: boolean;
}
