import type { Reranker } from "../../../ports/reranker.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { createLazyQuestionModel, type QuestionModelOptions } from "./lazy-question-model.ts";

export interface LazyReranker extends Reranker {
  /** Loads the model now. @throws ServiceError */
  open(): Promise<void>;
}

export function createLazyReranker(model: IdentifiedModel, options: QuestionModelOptions): LazyReranker {
  const { use, ...lazy } = createLazyQuestionModel(model, options, async () =>
    (await import("./reranker.ts")).openLocalReranker(model, options),
  );
  return { ...lazy, score: (question, passage) => use((opened) => opened.score(question, passage)) };
}
