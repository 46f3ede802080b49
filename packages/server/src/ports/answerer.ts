import type { Answer, EmbeddedQuestion, Question, VectorWanted } from "../domain/query.ts";

/** Answers a question about one project; the work is done off the event loop. */
export interface Answerer {
  /** null when the project is gone or another account's. */
  answer(question: Question): Promise<Answer | null>;
}

/** An answerer that embeds with the bundled model alone; vectors of another one are brought to it. */
export interface VectorAnswerer {
  answer(question: Question, embedded: EmbeddedQuestion | null): Promise<Answer | VectorWanted | null>;
}
