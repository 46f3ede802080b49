/** Vectors of a model of the models folder. */
import { join } from "node:path";
import { type AroundRun, floatsOf } from "../runtime/onnx-session.ts";
import type { Pooling } from "./describe-model.ts";
import type { IdentifiedModel } from "./identify-model.ts";
import { ModelFault } from "./model-fault.ts";
import { openTextModel, TRIED_TEXT, tryModel } from "./text-model.ts";

export interface LocalEmbedder {
  /** The unit vector of a text, which depends on the text alone: one text per run. */
  embed(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** What a text is; each has its own prefix. */
export type TextKind = "query" | "passage";

/** The direction of a shorter vector is not reliable. */
const MIN_LENGTH = 1e-12;

/** `embed` blocks the thread. @throws ModelFault */
export async function openLocalEmbedder(
  model: IdentifiedModel,
  options: { readonly kind: TextKind; readonly aroundRun?: AroundRun },
): Promise<LocalEmbedder> {
  const opened = await openTextModel(model, { aroundRun: options.aroundRun });
  const [output = ""] = opened.wanted;
  const prefix = options.kind === "query" ? model.queryPrefix : model.passagePrefix;
  const { dimensions, pooling } = model;

  async function embed(text: string): Promise<Float32Array> {
    const { outputs, tokens } = await opened.run(prefix + text);
    const states = floatsOf(outputs, output);
    if (states.length === tokens * dimensions)
      return toUnitVector(pool(states, { tokens, dimensions, pooling }));
    throw new ModelFault(
      `${join(model.folder, model.weights)} returned ${states.length} numbers for ${tokens} tokens, where config.json promises ` +
        `${dimensions} for each: the files are of different models. Add the model again.`,
    );
  }

  await tryModel(model, opened, () => embed(TRIED_TEXT));
  return { embed, close: opened.close };
}

function pool(
  states: Float32Array,
  {
    tokens,
    dimensions,
    pooling,
  }: { readonly tokens: number; readonly dimensions: number; readonly pooling: Pooling },
): Float32Array {
  if (pooling === "cls") return states.slice(0, dimensions);
  if (pooling === "last") return states.slice(-dimensions);
  const sum = new Float32Array(dimensions);
  for (let at = 0; at < states.length; at++) sum[at % dimensions]! += states[at]!; // Both are in range.
  return sum.map((value) => value / tokens);
}

function toUnitVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length < MIN_LENGTH)
    throw new Error("The model returned a vector without a direction");
  return vector.map((value) => value / length);
}
