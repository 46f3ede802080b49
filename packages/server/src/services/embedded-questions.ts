/** Brings questions the vectors of models that query threads do not have. */
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import { errors } from "../domain/errors.ts";
import type { EmbeddedQuestion, Question } from "../domain/query.ts";
import type { Answerer, VectorAnswerer } from "../ports/answerer.ts";
import { EmbeddingError } from "../ports/embedder.ts";

/** @throws EmbeddingError */
export type EmbedQuestion = (
  question: Pick<Question, "projectId" | "accountId" | "query">,
  space: EmbeddingSpace,
) => Promise<Float32Array>;

/** A project may be moved to another space between two looks, but hardly twice. */
const MAX_SPACES = 3;
const RETRY_SECONDS = 15;

/** Answers as `answerer`, which says in which space a question must be embedded; it searches one space at a time. */
export function embeddingQuestions(answerer: VectorAnswerer, embed: EmbedQuestion): Answerer {
  return {
    async answer(question) {
      let embedded: EmbeddedQuestion | null = null;
      for (let spaces = 0; spaces <= MAX_SPACES; spaces++) {
        const answer = await answerer.answer(question, embedded);
        if (answer === null || !("wanted" in answer)) return answer;
        embedded = { space: answer.wanted, vector: await embedOrRefuse(question, answer.wanted, embed) };
      }
      throw errors.unavailable("The project is being moved to another embedding model. Try again.", {
        retryAfterSeconds: 1,
      });
    },
  };
}

async function embedOrRefuse(
  question: Question,
  space: EmbeddingSpace,
  embed: EmbedQuestion,
): Promise<Float32Array> {
  try {
    return await embed(question, space);
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    throw errors.unavailable(error.message, { retryAfterSeconds: RETRY_SECONDS, cause: error });
  }
}
