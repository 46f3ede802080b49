import type { ModelFailure } from "./language-model.ts";

/**
 * Report of one use of a language model, for metrics and status. Plain data, since it is passed between
 * threads.
 */
export interface ModelActivity {
  readonly at: number;
  /** With all its tries; 0 for a cached reply. */
  readonly seconds: number;
  /** null outside of ingestion. */
  readonly jobId: string | null;
  /** The result of `LanguageModel.nameOf`. */
  readonly model: string;
  /**
   * "cached": a stored reply, no call. "kept_out": the provider was not called. "aborted": the caller aborted
   * the call.
   */
  readonly outcome: "answered" | "cached" | "kept_out" | "aborted" | ModelFailure;
  /** Safe to show to anybody; null unless the outcome is a failure. */
  readonly error: string | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly retries: number;
  readonly load: ModelLoad;
}

/** The state of the client of one thread. */
export interface ModelLoad {
  /** Numbers of tries that may run at once (`limit`), that are running, and that are waiting. */
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
  readonly breaker: "closed" | "open" | "half_open";
}
