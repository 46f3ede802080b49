/** Dynamic questions: whether a model takes part is decided for each. */
import type { Answer, Question } from "../domain/query.ts";
import { answerDynamically } from "../engine/query/dynamic/answer-dynamically.ts";
import type { Answerer } from "../ports/answerer.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { ModelAllowance } from "./model-allowance.ts";

export interface DynamicOptions {
  readonly cites: boolean;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal | null;
}

export interface DynamicAnswerer {
  /** null when the project is gone or another account's. */
  answer(question: Question, options: DynamicOptions): Promise<Answer | null>;
}

export function createDynamicAnswerer(deps: {
  readonly answerer: Answerer;
  readonly languageModel: LanguageModel | null;
  readonly allowance: ModelAllowance;
  readonly now: () => number;
}): DynamicAnswerer {
  const { answerer, languageModel, allowance, now } = deps;
  return {
    async answer(question, { cites, signal }) {
      const hasTokens = languageModel === null || (await allowance.hasTokens(question.accountId));
      const model = languageModel === null ? "none" : hasTokens ? languageModel : "over_token_limit";
      return answerDynamically(question, { answerer, model, now, cites, signal });
    },
  };
}
