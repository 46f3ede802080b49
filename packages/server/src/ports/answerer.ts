import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type {
  Answer,
  EmbeddedQuestion,
  PassagesRead,
  Question,
  RankedChunk,
  VectorRequired,
} from "../domain/query.ts";

/** Answers static questions, outside of the main thread. */
export interface Answerer {
  /** null when the project does not exist or belongs to another account. */
  answer(question: Question): Promise<Answer | null>;
  /** Whether and where the chunks answer the question. @throws ServiceError when it cannot be told now */
  read(question: Question, chunks: readonly RankedChunk[]): Promise<PassagesRead>;
}

/** Embeds with the bundled model only; the vector of any other space must be passed as `embedded`. */
export interface VectorAnswerer {
  /** @throws the signal's reason when it is aborted before the question's turn */
  answer(
    question: Question,
    embedded: EmbeddedQuestion | null,
    signal: AbortSignal | null,
  ): Promise<Answer | VectorRequired | null>;
  /** See {@link Answerer}. */
  read(question: Question, chunks: readonly RankedChunk[], signal: AbortSignal | null): Promise<PassagesRead>;
}

/** Embeds a question with the model of a configured provider. @throws EmbeddingError */
export type EmbedQuestion = (
  question: Pick<Question, "projectId" | "accountId" | "query">,
  space: EmbeddingSpace,
) => Promise<Float32Array>;
