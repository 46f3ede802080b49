import type { ModelFailure } from "./language-model.ts";

/** What one use of a language model tells those who watch over it; plain data, since it crosses threads. */
export interface ModelActivity {
  readonly at: number;
  /** As `LanguageModel.nameOf` says it. */
  readonly model: string;
  /** "cached": a kept reply, no call. "kept_out": the provider was not asked. "aborted": given up by the caller. */
  readonly outcome: "answered" | "cached" | "kept_out" | "aborted" | ModelFailure;
  /** Fit to be shown to anybody; null unless the outcome is a failure. */
  readonly error: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly retries: number;
  readonly load: ModelLoad;
}

/** The state of the client of one thread. */
export interface ModelLoad {
  /** Tries that may run at once, that do, and that wait. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  readonly breaker: "closed" | "open" | "half_open";
}
