/** Embedders by vector space: the bundled model, which is always available, and the configured ones, local or at providers. */
import { createBatchingEmbedder } from "./adapters/models/embedding/batching-embedder.ts";
import { createRemoteEmbedder } from "./adapters/models/embedding/create-remote-embedder.ts";
import { createQuestionVectors } from "./adapters/models/embedding/question-vectors.ts";
import {
  type EmbeddingSettings,
  embeddingModelName,
  type LocalSettings,
} from "./adapters/models/embedding/settings.ts";
import { spaceOfLocal } from "./adapters/models/local/lazy-embedder.ts";
import { idOfLocal } from "./adapters/models/local/lazy-model.ts";
import { MINILM_DIMENSIONS, MINILM_MODEL } from "./adapters/models/minilm-embedder.ts";
import type { Config } from "./config.ts";
import { type EmbeddingSpace, isSameSpace } from "./domain/embedding-space.ts";
import type { EmbedQuestion } from "./ports/answerer.ts";
import { type Embedder, EmbeddingError, type EmbeddingMeter, missingEmbedder } from "./ports/embedder.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import type { Log } from "./ports/log.ts";
import type { ModelStore } from "./ports/model-store.ts";

export const BUNDLED_SPACE: EmbeddingSpace = { model: MINILM_MODEL, dimensions: MINILM_DIMENSIONS };

type EmbeddingConfig = Pick<Config, "embedding" | "previousEmbedding">;

/** The space of new projects. */
export function defaultSpace({ embedding }: Pick<Config, "embedding">): EmbeddingSpace {
  return embedding === null ? BUNDLED_SPACE : spaceOf(embedding);
}

/** All spaces that projects can be moved to, the one of new projects first. */
export function configuredSpaces(config: EmbeddingConfig): readonly EmbeddingSpace[] {
  const first = defaultSpace(config);
  const others = [...addedSpaces(config), BUNDLED_SPACE];
  return [first, ...others.filter((space) => !isSameSpace(space, first))];
}

/** All spaces but that of the bundled model. */
export function addedSpaces({ embedding, previousEmbedding }: EmbeddingConfig): readonly EmbeddingSpace[] {
  return [embedding, previousEmbedding].filter((settings) => settings !== null).map(spaceOf);
}

/** The models at providers. */
export function remoteEmbeddings(config: EmbeddingConfig): readonly EmbeddingSettings[] {
  return [config.embedding, config.previousEmbedding].filter(
    (settings) => settings !== null && settings.provider !== "local",
  );
}

function spaceOf(settings: EmbeddingSettings | LocalSettings): EmbeddingSpace {
  if (settings.provider !== "local")
    return { model: embeddingModelName(settings), dimensions: settings.dimensions };
  if (settings.files === null) throw new Error("The local models have not been found yet.");
  return spaceOfLocal(settings.files);
}

type OnActivity = (activity: EmbeddingActivity) => void;

/** Embeds in threads of this process, where the texts of accounts take turns. */
interface EmbedderInTurns extends EmbeddingSpace {
  embed(text: string, accountId: string): Promise<Float32Array>;
}

/** For the ingest thread. The returned function throws EmbeddingError for a space whose model is not configured. */
export function createEmbedderFor(
  settings: readonly EmbeddingSettings[],
  deps: {
    readonly bundled: EmbedderInTurns & Pick<Embedder, "countTokens">;
    /** Local ones, in the embedding threads. */
    readonly locals: readonly EmbedderInTurns[];
    readonly store: ModelStore;
    readonly log: Log;
    readonly signal: AbortSignal;
    readonly onActivity: OnActivity;
  },
): (space: EmbeddingSpace, meter: EmbeddingMeter) => Embedder {
  const { bundled, locals, signal } = deps;
  const remotes = settings.map((each) => createRemoteEmbedder(each, deps));
  return (space, { accountId, projectId }) => {
    const own = [bundled, ...locals].find((each) => isSameSpace(space, each));
    if (own !== undefined) {
      const embed = (text: string) => own.embed(text, accountId);
      const { model, dimensions } = own;
      return { model, dimensions, embed, countTokens: bundled.countTokens };
    }
    const remote = remotes.find((each) => isSameSpace(space, each));
    if (remote === undefined) throw absentEmbedder(space, locals);
    const meter = { accountId, projectId };
    // Texts are cut by the tokens of the bundled model for every space, so that a move keeps the chunks.
    return createBatchingEmbedder(remote, { meter, signal, countTokens: bundled.countTokens });
  };
}

/** For the main thread, which embeds the questions that query threads cannot embed. */
export function openQuestionVectors(
  config: EmbeddingConfig,
  deps: { readonly store: ModelStore; readonly log: Log; readonly onActivity: OnActivity },
): EmbedQuestion {
  const remotes = remoteEmbeddings(config).map((settings) => {
    const remote = createRemoteEmbedder(settings, deps);
    return { space: spaceOf(settings), embed: createQuestionVectors(remote) };
  });
  return (question, space) => {
    const remote = remotes.find((each) => isSameSpace(space, each.space));
    if (remote !== undefined) return remote.embed(question, space);
    return Promise.reject(absentEmbedder(space, addedSpaces(config)));
  };
}

/**
 * For a space of none of the configured models. A local one whose files were replaced or damaged before the start is not given up: they may
 * be put back.
 */
export function absentEmbedder(space: EmbeddingSpace, configured: readonly EmbeddingSpace[]): EmbeddingError {
  const id = idOfLocal(space.model);
  if (id === null || configured.every(({ model }) => idOfLocal(model) !== id)) return missingEmbedder(space);
  return new EmbeddingError(
    "unavailable",
    `The files of the local model ${id} are not those that this project's vectors are of ("${space.model}"). The operator can put those back and start the service again; otherwise the project can be moved to another model (POST /projects/{project_id}/reembed).`,
  );
}
