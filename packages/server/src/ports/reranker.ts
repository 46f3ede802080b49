/** A model that reads a question and a passage together. */
export interface Reranker {
  readonly model: string;
  /** Time for the passages of one question. */
  readonly limitMs: number;
  /** Higher is more relevant. Depends on the two texts alone. @throws ServiceError when the model cannot be used */
  score(question: string, passage: string): Promise<number>;
}

/** The account and project to which the tokens of a call are charged. */
export interface RerankMeter {
  readonly accountId: string;
  readonly projectId: string;
}

/** A reranker that is called over the network; time, concurrent calls and retries are limited. */
export interface RemoteReranker {
  /** Provider and model, such as "cohere/rerank-v3.5". */
  readonly model: string;
  /** For the passages of one question, all tries together. */
  readonly limitMs: number;
  /**
   * A finite number for each passage, in their order; higher is more relevant.
   * @throws RerankError; the signal's reason when it is aborted; StoreUnavailableError when the meter cannot be reached
   */
  score(
    question: string,
    passages: readonly string[],
    options: { readonly meter: RerankMeter; readonly signal: AbortSignal | null },
  ): Promise<readonly number[]>;
}

/**
 * A reranker at a provider gave no scores. The message may be shown to callers of the API: it contains nothing that the
 * provider wrote.
 */
export class RerankError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "RerankError";
  }
}
