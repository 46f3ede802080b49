import type { Answer, Question } from "../domain/query.ts";

/** Answers a question about one project; the work is done off the event loop. */
export interface Answerer {
  /** null when the project is gone or another account's. */
  answer(question: Question): Promise<Answer | null>;
}
