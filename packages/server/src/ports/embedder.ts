import type { EmbeddingSpace } from "../domain/embedding-space.ts";

/** No embedding model is available. The text is not at fault, so the caller retries later. */
export class EmbedderUnavailableError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = "EmbedderUnavailableError";
  }
}

/**
 * "missing": the model of the space is not configured. "refused": its provider rejects this text permanently.
 * "unavailable": a later call may succeed.
 */
export type EmbeddingFailure = "missing" | "refused" | "unavailable";

/**
 * An embedding call failed. The message may be shown to callers of the API: it contains nothing that the
 * provider wrote.
 */
export class EmbeddingError extends Error {
  readonly failure: EmbeddingFailure;
  /** The earliest time at which another call may be allowed; null when unknown. */
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

/** Turns text into a unit vector. The vector depends on the text alone. */
export interface Embedder {
  readonly model: string;
  readonly dimensions: number;
  embed(text: string): Promise<Float32Array>;
  /** Number of the model's tokens in a text, without special tokens. */
  countTokens(text: string): number;
}

/** Embeds questions. @throws EmbeddingError */
export interface QuestionEmbedder extends EmbeddingSpace {
  embed(text: string): Promise<Float32Array>;
}

/** The account and project to which the tokens of an embedding are charged. */
export interface EmbeddingMeter {
  readonly accountId: string;
  readonly projectId: string;
}

/** A model that is called over the network; time, concurrent calls and retries are limited. */
export interface RemoteEmbedder extends EmbeddingSpace {
  /**
   * Unit vectors in the order of the texts; at most 64 texts a call.
   * @throws EmbeddingError "refused" or "unavailable"; StoreUnavailableError when the meter cannot be reached
   */
  embed(
    texts: readonly string[],
    options: {
      readonly meter: EmbeddingMeter;
      /** For all tries together; null = no overall limit. */
      readonly deadlineMs: number | null;
      readonly signal?: AbortSignal;
    },
  ): Promise<readonly Float32Array[]>;
}

/** The error for a project whose vectors come from a model that this service has not configured. */
export function missingEmbedder({ model, dimensions }: EmbeddingSpace): EmbeddingError {
  const what = `This project's vectors are of the embedding model "${model}" with ${dimensions} dimensions, which is not configured.`;
  const remedy =
    "The operator can configure it again (KCS_EMBEDDING_PROVIDER, KCS_EMBEDDING_MODEL, KCS_EMBEDDING_DIMENSIONS); otherwise the project can be moved to another model (POST /projects/{project_id}/reembed).";
  return new EmbeddingError("missing", `${what} ${remedy}`);
}
