/** Scores of pairs by a cross-encoder of the models folder. */
import { join } from "node:path";
import { type AroundRun, floatsOf } from "../runtime/onnx-session.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { ModelFault } from "./model-fault.ts";
import { LOGITS } from "./text-graph.ts";
import { openTextModel, type TextModel, TRIED_TEXT, tryModel } from "./text-model.ts";

export interface LocalReranker {
  /** The logit of a pair: higher is more relevant. It depends on the two texts alone. */
  score(question: string, passage: string): Promise<number>;
  readonly tokenize: TextModel["tokenize"];
  close(): Promise<void>;
}

/** `score` blocks the thread. @throws ModelFault */
export async function openLocalReranker(
  model: IdentifiedModel,
  options: { readonly aroundRun?: AroundRun } = {},
): Promise<LocalReranker> {
  const opened = await openTextModel(model, { aroundRun: options.aroundRun });

  async function score(question: string, passage: string): Promise<number> {
    const { outputs } = await opened.run(question, passage);
    const [logit, ...others] = floatsOf(outputs, LOGITS);
    if (logit !== undefined && others.length === 0 && Number.isFinite(logit)) return logit;
    throw new ModelFault(
      `${join(model.folder, model.weights)} returned ${others.length + 1} numbers for a pair instead of one score. Add a model that is a reranker.`,
    );
  }

  await tryModel(model, opened, () => score(TRIED_TEXT, TRIED_TEXT));
  return { score, tokenize: opened.tokenize, close: opened.close };
}
