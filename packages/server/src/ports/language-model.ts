/** The purpose of a call. Each task can have its own model and prompt version, and is metered separately. */
export type ModelTask = "extraction" | "suggestion" | "planning" | "judging" | "answering";

/** The tasks that are metered: those of language models, and embedding and reranking by a provider's model. */
export type MeteredTask = ModelTask | "embedding" | "reranking";

/** The account, project and job to which the tokens of a call are charged. */
export interface ModelMeter {
  readonly accountId: string;
  /** null for a call without a project. */
  readonly projectId: string | null;
  /** null outside of ingestion. */
  readonly jobId: string | null;
}

export interface ModelRequest {
  readonly task: ModelTask;
  /** Raised whenever the prompt's wording changes, so that cached replies to older prompts are not used. */
  readonly promptVersion: number;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema that the reply must follow; null = plain text. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxOutputTokens: number;
  /**
   * For all tries together, including the wait in the queue. null = no overall limit: only the configured
   * limit of each try applies, and the wait is not limited.
   */
  readonly deadlineMs: number | null;
  readonly meter: ModelMeter;
  /**
   * Decides whether a parsed reply, or without a schema its text, is usable. Unusable replies are not cached, so that the model is
   * called again. Asked once for each reply that is not cached, before `generate` resolves. Default: usable if it has the required
   * members of the schema.
   */
  readonly isUsable?: (value: unknown) => boolean;
  /** When it is aborted, the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * True when a cached reply has proved unusable: the model is called, and its reply replaces the cached one.
   */
  readonly skipsCache?: boolean;
  /**
   * Gets the text of the reply in parts while the model writes it, of a cached reply at once; only without a schema. The parts together
   * are the beginning of the reply's text. A call that has passed on a part and then fails is not repeated.
   */
  readonly onText?: (delta: string) => void;
}

/** Untrusted, like the body of a request. */
export interface ModelReply {
  /** As the model wrote it. */
  readonly text: string;
  /** The parsed, possibly repaired, structured reply; null when nothing was usable, and for plain text. */
  readonly value: unknown;
  readonly isCached: boolean;
  /** Number of pieces that had to be dropped or repaired to parse the reply. */
  readonly repairs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type ModelFailure = "timeout" | "unavailable" | "rate_limited" | "refused" | "token_limit";

/**
 * All tries of a call have failed, or the call was not allowed. Only tries that were answered are charged.
 * The message may be shown to callers of the API: it contains nothing that the provider wrote.
 */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  /**
   * The time at which calls are allowed again, for a call that the circuit breaker or a wait that the provider asked for kept out,
   * or that was the breaker's probe. null for any other call whose tries have failed, even if that opened the breaker.
   */
  readonly retryAt: number | null;

  constructor(
    failure: ModelFailure,
    message: string,
    options?: { cause?: unknown; retryAt?: number | null },
  ) {
    super(message, { cause: options?.cause });
    this.name = "ModelError";
    this.failure = failure;
    this.retryAt = options?.retryAt ?? null;
  }
}

export interface LanguageModel {
  /** Provider and model of a task, such as "ollama/qwen3:8b". */
  nameOf(task: ModelTask): string;
  /** @throws ModelError; StoreUnavailableError when the store of replies or the meter is not available */
  generate(request: ModelRequest): Promise<ModelReply>;
}
