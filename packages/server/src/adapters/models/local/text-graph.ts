/** What the graph of a model that reads texts must have: its inputs, and the outputs that its task needs. */
import type { GraphShape, GraphValue } from "../runtime/onnx-session.ts";
import type { ModelDescription } from "./describe-model.ts";
import { ModelFault } from "./model-fault.ts";

type TextModelSizes = Pick<ModelDescription, "task" | "dimensions">;

const INPUTS: ReadonlySet<string> = new Set(["input_ids", "attention_mask", "token_type_ids"]);
const STATES = ["last_hidden_state", "token_embeddings"];
export const LOGITS = "logits";
export const START_LOGITS = "start_logits";
export const END_LOGITS = "end_logits";

/** Returns the names of the outputs that are read. @throws ModelFault that names the file */
export function requireTextGraph(graph: GraphShape, path: string, model: TextModelSizes): readonly string[] {
  const chosen = chooseOutputs(graph, model.task);
  const problem = faultOfInputs(graph) ?? faultOfOutputs(chosen, { graph, model });
  if (problem === null) return chosen.map(({ name }) => name);
  throw new ModelFault(
    `${path} ${problem}, which is not supported. Export the model again, as optimum does it.`,
  );
}

function chooseOutputs({ outputs }: GraphShape, task: ModelDescription["task"]): readonly GraphValue[] {
  const named = (...names: readonly string[]) => {
    const found = names.map((name) => outputs.find((output) => output.name === name));
    return found.every((output) => output !== undefined) ? found : [];
  };
  if (task === "rerank") return named(LOGITS);
  if (task === "answer") return named(START_LOGITS, END_LOGITS);
  // The states of all tokens: the output of that name, else the only one with three dimensions.
  const usual = STATES.flatMap((name) => named(name)).find(({ dims }) => hasRank(dims, 3));
  const all = outputs.filter(({ dims }) => dims?.length === 3);
  return usual !== undefined ? [usual] : all.length === 1 ? all : [];
}

function faultOfInputs({ inputs }: GraphShape): string | null {
  if (!inputs.some(({ name }) => name === "input_ids")) return "has no input input_ids";
  for (const input of inputs) {
    const { name, type, dims } = input;
    const [texts = null, tokens = null] = dims ?? [];
    if (!INPUTS.has(name)) return `needs the input ${name}`;
    if ((type !== "int64" && type !== "int32") || !hasRank(dims, 2)) return `has the input ${present(input)}`;
    if ((texts !== null && texts !== 1) || tokens !== null)
      return `has the input ${present(input)}: it takes texts of one length only`;
  }
  return null;
}

function faultOfOutputs(
  chosen: readonly GraphValue[],
  { graph, model }: { readonly graph: GraphShape; readonly model: TextModelSizes },
): string | null {
  const { task, dimensions } = model;
  // A single score may be there without a dimension of its own.
  const ranks = { embedding: [3], answer: [2], rerank: [1, 2], extraction: [] }[task];
  const isUsable = ({ type, dims }: GraphValue) =>
    /^float(16|32)$/.test(type) && ranks.some((rank) => hasRank(dims, rank));
  if (chosen.length === 0 || !chosen.every(isUsable))
    return `has the outputs ${graph.outputs.map(present).join(", ")}`;
  const size = chosen[0]?.dims?.at(-1) ?? null;
  if (task === "answer" || size === null || size === dimensions) return null;
  return task === "embedding"
    ? `has ${size} numbers for each token, where config.json promises ${dimensions}`
    : `has ${size} scores for a pair instead of one`;
}

/** Also where the file does not tell. */
export function hasRank(dims: GraphValue["dims"], rank: number): boolean {
  return dims === null || dims.length === rank;
}

/** Such as "logits (float32 [?, 1])". */
export function present({ name, type, dims }: GraphValue): string {
  const shape = dims === null ? "" : ` [${dims.map((size) => size ?? "?").join(", ")}]`;
  return `${name} (${type || "no tensor"}${shape})`;
}
