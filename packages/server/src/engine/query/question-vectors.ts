/** The vectors of one question. */
import { type EmbeddingSpace, isSameSpace } from "../../domain/embedding-space.ts";
import type { EmbeddedQuestion } from "../../domain/query.ts";
import type { QuestionEmbedder } from "../../ports/embedder.ts";
import type { StepTimer } from "./step-timer.ts";

export interface QuestionVectors {
  /** Embedded with the bundled model, once per question. */
  bundled(): Promise<Float32Array>;
  /** null when the question has no vector of that space. */
  inSpace(space: EmbeddingSpace): Promise<Float32Array | null>;
}

/**
 * `embedder`: the bundled model. `localEmbedders`: models of other spaces in this thread. `embedded`: the vector that came
 * with the question, null if none did.
 */
export function createQuestionVectors(
  text: string,
  sources: {
    readonly embedder: QuestionEmbedder;
    readonly localEmbedders: readonly QuestionEmbedder[];
    readonly embedded: EmbeddedQuestion | null;
    readonly timer: StepTimer;
  },
): QuestionVectors {
  const { embedder, embedded, timer } = sources;
  let embedding: Promise<Float32Array> | null = null;

  function bundled(): Promise<Float32Array> {
    embedding ??= timer.measure("embed", () => embedder.embed(text));
    return embedding;
  }

  return {
    bundled,
    async inSpace(space) {
      if (isSameSpace(space, embedder)) return bundled();
      const local = sources.localEmbedders.find((each) => isSameSpace(space, each));
      if (local !== undefined) return timer.measure("embed", () => local.embed(text));
      return embedded !== null && isSameSpace(space, embedded.space) ? embedded.vector : null;
    },
  };
}
