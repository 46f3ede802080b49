import type { Answer, EmbeddedQuestion, Question, VectorWanted } from "../domain/query.ts";

/** Answers a question about one project, off the event loop of the calling thread. */
export interface Answerer {
  /** null when the project does not exist or belongs to another account. */
  answer(question: Question): Promise<Answer | null>;
}

/**
 * An answerer that can embed only with the bundled model. The caller supplies the vectors of other models.
 */
export interface VectorAnswerer {
  answer(question: Question, embedded: EmbeddedQuestion | null): Promise<Answer | VectorWanted | null>;
}
