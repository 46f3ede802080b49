import type { EmbeddingSpace } from "../domain/embedding-space.ts";

/** There is no model to embed with; nothing is wrong with the text, so it is tried again later. */
export class EmbedderUnavailableError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "EmbedderUnavailableError";
  }
}

/**
 * "missing": the space's model is not configured. "refused": its provider will not embed this, now or later.
 * "unavailable": it may, later.
 */
export type EmbeddingFailure = "missing" | "refused" | "unavailable";

/** A configured model has not embedded. The message is fit for callers: it says nothing of what the provider wrote. */
export class EmbeddingError extends Error {
  readonly failure: EmbeddingFailure;
  /** When another call may be let through; null where nothing is known about that. */
  readonly retryAt: number | null;

  constructor(
    failure: EmbeddingFailure,
    message: string,
    options: { cause?: unknown; retryAt?: number | null } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "EmbeddingError";
    this.failure = failure;
    this.retryAt = options.retryAt ?? null;
  }
}

/** Turns text into a unit vector; a function of the text alone. */
export interface Embedder {
  readonly model: string;
  readonly dimensions: number;
  embed(text: string): Promise<Float32Array>;
  /** Tokens of the model in a text, special tokens not counted. */
  countTokens(text: string): number;
}

/** Whose tokens an embedding uses. */
export interface EmbeddingMeter {
  readonly accountId: string;
  readonly projectId: string;
}

/** A model that is reached over the network; bounded in time, calls and retries. */
export interface RemoteEmbedder extends EmbeddingSpace {
  /**
   * Unit vectors in the order of the texts, at most 64 of them.
   * @throws EmbeddingError "refused" or "unavailable"; StoreUnavailableError when the meter cannot be reached
   */
  embed(
    texts: readonly string[],
    options: {
      readonly meter: EmbeddingMeter;
      /** For all tries together; null = as long as those take. */
      readonly deadlineMs: number | null;
      readonly signal?: AbortSignal;
    },
  ): Promise<readonly Float32Array[]>;
}

/** A project whose vectors are of a model that this service does not have. */
export function missingEmbedder({ model, dimensions }: EmbeddingSpace): EmbeddingError {
  const what = `This project's vectors are of the embedding model "${model}" with ${dimensions} dimensions, which is not configured.`;
  const remedy =
    "The operator can configure it again (KCS_EMBEDDING_PROVIDER, KCS_EMBEDDING_MODEL, KCS_EMBEDDING_DIMENSIONS); otherwise the project can be moved to another model (POST /projects/{project_id}/reembed).";
  return new EmbeddingError("missing", `${what} ${remedy}`);
}
