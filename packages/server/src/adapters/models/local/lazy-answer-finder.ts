import type { AnswerFinder } from "../../../ports/answer-finder.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { createLazyQuestionModel, type QuestionModelOptions } from "./lazy-question-model.ts";

export interface LazyAnswerFinder extends AnswerFinder {
  /** Loads the model now. @throws ServiceError */
  open(): Promise<void>;
}

export function createLazyAnswerFinder(
  model: IdentifiedModel,
  options: QuestionModelOptions,
): LazyAnswerFinder {
  const { use, ...lazy } = createLazyQuestionModel(model, options, async () =>
    (await import("./answer-finder.ts")).openLocalAnswerFinder(model, options),
  );
  return { ...lazy, find: (question, passage) => use((opened) => opened.find(question, passage)) };
}
