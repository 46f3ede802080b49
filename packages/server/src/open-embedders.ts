/** Embedders by vector space: the bundled model, which is always there, and the one that is configured. */
import { createBatchingEmbedder } from "./adapters/models/embedding/batching-embedder.ts";
import { createRemoteEmbedder } from "./adapters/models/embedding/create-remote-embedder.ts";
import { createQuestionVectors } from "./adapters/models/embedding/question-vectors.ts";
import { type EmbeddingSettings, embeddingModelName } from "./adapters/models/embedding/settings.ts";
import { MINILM_DIMENSIONS, MINILM_MODEL } from "./adapters/models/minilm-embedder.ts";
import type { Config } from "./config.ts";
import { type EmbeddingSpace, isSameSpace } from "./domain/embedding-space.ts";
import { type Embedder, type EmbeddingMeter, missingEmbedder } from "./ports/embedder.ts";
import type { Log } from "./ports/log.ts";
import type { ModelStore } from "./ports/model-store.ts";
import type { EmbedQuestion } from "./services/embedded-questions.ts";

export const BUNDLED_SPACE: EmbeddingSpace = { model: MINILM_MODEL, dimensions: MINILM_DIMENSIONS };

/** Of the projects that are made from now on. */
export function defaultSpace(settings: EmbeddingSettings | null): EmbeddingSpace {
  if (settings === null) return BUNDLED_SPACE;
  return { model: embeddingModelName(settings), dimensions: settings.dimensions };
}

/** For the thread that ingests: `bundled` for its space, the configured one for that one's, an error for others. */
export function createEmbedderFor(
  settings: EmbeddingSettings | null,
  deps: {
    readonly bundled: Embedder;
    readonly store: ModelStore;
    readonly log: Log;
    readonly signal: AbortSignal;
  },
): (space: EmbeddingSpace, meter: EmbeddingMeter) => Embedder {
  const { bundled, store, log, signal } = deps;
  const remote = settings === null ? null : createRemoteEmbedder(settings, { store, log });
  return (space, { accountId, projectId }) => {
    if (isSameSpace(space, bundled)) return bundled;
    if (remote === null || !isSameSpace(space, remote)) throw missingEmbedder(space);
    const meter = { accountId, projectId };
    // Texts are cut by the bundled model's tokens, whatever embeds them, so that a move need not cut them anew.
    return createBatchingEmbedder(remote, { meter, signal, countTokens: bundled.countTokens });
  };
}

/** For the main thread, which embeds questions that query threads cannot. */
export function openQuestionVectors(
  { embedding }: Pick<Config, "embedding">,
  deps: { readonly store: ModelStore; readonly log: Log },
): EmbedQuestion {
  return createQuestionVectors(embedding === null ? null : createRemoteEmbedder(embedding, deps));
}
