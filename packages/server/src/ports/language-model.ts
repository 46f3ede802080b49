/** What a call is for; each task may have a model, a version of its prompt and a place in the meter of its own. */
export type ModelTask = "extraction" | "suggestion" | "planning" | "judging" | "answering";

/** What is metered: tasks of language models, and embedding by a model at a provider. */
export type MeteredTask = ModelTask | "embedding";

/** Whose tokens a call uses. */
export interface ModelMeter {
  readonly accountId: string;
  /** null where no project is concerned. */
  readonly projectId: string | null;
  /** null outside of ingestion. */
  readonly jobId: string | null;
}

export interface ModelRequest {
  readonly task: ModelTask;
  /** Raised whenever the prompt's wording changes: replies to an older one are not used again. */
  readonly promptVersion: number;
  readonly system: string;
  readonly prompt: string;
  /** JSON Schema that the reply is locked to; null = plain text. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly maxOutputTokens: number;
  /** For all tries together, the wait for their turn included; null = as long as the configured tries take, the wait not counted. */
  readonly deadlineMs: number | null;
  readonly meter: ModelMeter;
  /** Whether what was parsed is of any use: replies that are not are not kept, so that they are asked for anew. All are when left out. */
  readonly isUsable?: (value: unknown) => boolean;
  /** Aborted, the call rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** True where a kept reply has proved to be of no use: the model is asked, and its new reply kept instead. */
  readonly skipsCache?: boolean;
}

/** Untrusted, like a request's body. */
export interface ModelReply {
  /** As the model wrote it. */
  readonly text: string;
  /** What was parsed, or could be repaired, of a structured reply; null where there was nothing usable, and for plain text. */
  readonly value: unknown;
  readonly isCached: boolean;
  /** Pieces that had to be dropped or mended to read the reply. */
  readonly repairs: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type ModelFailure = "timeout" | "unavailable" | "rate_limited" | "refused" | "token_limit";

/**
 * The tries of a call are spent, or it was not allowed. Nothing of it is charged but the tries that were answered. The
 * message may be shown to callers of the service: it says nothing of what the provider wrote.
 */
export class ModelError extends Error {
  readonly failure: ModelFailure;
  /**
   * When calls are let through again, of a call that the circuit breaker kept from the provider; null of one whose tries
   * are spent, even if the breaker has opened over it.
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
  /** Provider and model by task, "ollama/qwen3:8b". */
  nameOf(task: ModelTask): string;
  /** @throws ModelError; StoreUnavailableError when kept replies or the meter cannot be reached */
  generate(request: ModelRequest): Promise<ModelReply>;
}
