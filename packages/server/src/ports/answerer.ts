import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type {
  Answer,
  AnswerReading,
  BridgeName,
  ComposedSummary,
  EmbeddedQuestion,
  OtherTimes,
  PassageRead,
  Question,
  QuotedPlace,
  QuotedSentence,
  RankedChunk,
  VectorRequired,
} from "../domain/query.ts";

/**
 * Reads passages for a question, outside of the main thread: it takes time that grows with the passages and the question.
 * @throws ServiceError `unavailable` when it cannot be done now
 */
export interface PassageReader {
  /** Whether and where the chunks answer the question. null where the model that reads cannot be opened now. */
  read(question: Question, chunks: readonly RankedChunk[]): Promise<readonly PassageRead[] | null>;
  /**
   * A summary of the chunks, which come best first. `reading`: null = no model has read them. `names`: normal forms of those that the answer may be
   * about; by default those of the question.
   */
  compose(
    question: Question,
    passages: {
      readonly chunks: readonly RankedChunk[];
      readonly reading: AnswerReading | null;
      readonly otherTimes?: OtherTimes | null;
      readonly names?: readonly string[];
    },
  ): Promise<ComposedSummary>;
  /** Where in their files the chunks, with the places of their beginnings, are quoted first. */
  place(
    question: Question,
    chunks: readonly RankedChunk[],
    quotes: readonly QuotedSentence[],
  ): Promise<readonly QuotedPlace[]>;
  /** The names in the chunks to search for next, best first. `query`: what the chunks were found for. */
  findNames(
    question: Question,
    passages: { readonly query: string; readonly chunks: readonly RankedChunk[]; readonly limit: number },
  ): Promise<readonly BridgeName[]>;
}

/** Answers static questions, outside of the main thread. */
export interface Answerer extends PassageReader {
  /** null when the project does not exist or belongs to another account. */
  answer(question: Question): Promise<Answer | null>;
}

/** Embeds with the bundled model only; the vector of any other space must be passed as `embedded`. */
export interface VectorAnswerer {
  /** @throws the signal's reason when it is aborted before the question's turn */
  answer(
    question: Question,
    embedded: EmbeddedQuestion | null,
    signal: AbortSignal | null,
  ): Promise<Answer | VectorRequired | null>;
  /** Throws the signal's reason, too. */
  passageReader(signal: AbortSignal | null): PassageReader;
}

/** Embeds a question with the model of a configured provider. @throws EmbeddingError */
export type EmbedQuestion = (
  question: Pick<Question, "projectId" | "accountId" | "query">,
  space: EmbeddingSpace,
) => Promise<Float32Array>;
