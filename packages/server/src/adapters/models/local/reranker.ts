/** Scores of pairs by a cross-encoder of the models folder. */
import { type AroundRun, floatsOf } from "../runtime/onnx-session.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { ModelFault } from "./model-fault.ts";
import { openTextModel, type TextModel } from "./text-model.ts";

export interface LocalReranker {
  /** The logit of a pair: higher is more relevant. It depends on the two texts alone. */
  score(question: string, passage: string): Promise<number>;
  readonly tokenize: TextModel["tokenize"];
  close(): Promise<void>;
}

const OUTPUT = "logits";

/** `score` blocks the thread. @throws ModelFault */
export async function openLocalReranker(
  model: IdentifiedModel,
  options: { readonly aroundRun?: AroundRun } = {},
): Promise<LocalReranker> {
  const opened = await openTextModel(model, {
    aroundRun: options.aroundRun,
    chooseOutputs: (outputs) => (outputs.has(OUTPUT) ? [OUTPUT] : []),
  });
  return {
    async score(question, passage) {
      const { outputs } = await opened.run(question, passage);
      const [logit, ...others] = floatsOf(outputs, OUTPUT);
      if (logit !== undefined && others.length === 0 && Number.isFinite(logit)) return logit;
      throw new ModelFault(`${model.id} returned ${others.length + 1} numbers for a pair instead of one.`);
    },
    tokenize: opened.tokenize,
    close: opened.close,
  };
}
