/** What the graphs of a GLiNER model must have, as scripts/models/export_gliner.py and the exporter of the library write them. */
import type { GraphShape, GraphValue } from "../../runtime/onnx-session.ts";
import { ModelFault } from "../model-fault.ts";
import { hasRank, present } from "../text-graph.ts";
import type { ReaderDescription } from "./describe-gliner.ts";

export const LABELS_INPUT = "labels_embeddings";
export const LABELS_OUTPUT = "labels_embeddings";
export const WORD_STATES = "word_states";
export const SPAN_STATES = "span_states";
export const RELATION_STATES = "relation_states";

const TEXT_INPUTS = ["input_ids", "attention_mask", "words_mask", "text_lengths"];
const SPAN_INPUTS = ["span_idx", "span_mask"];
/** Number of dimensions, of inputs and outputs alike. */
const RANKS: Readonly<Record<string, number>> = {
  ...{ input_ids: 2, attention_mask: 2, words_mask: 2, text_lengths: 2, span_idx: 3, span_mask: 2 },
  ...{ labels_embeddings: 2, word_states: 3, span_states: 4, relation_states: 3, entity_states: 3 },
  ...{ logits: 4, adjacency: 3, rel_logits: 4 },
};

interface Expected {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** A model without inputs for spans tells for each word whether a name begins, ends or continues there. */
export function isTokenGraph({ inputs }: GraphShape): boolean {
  return !inputs.some(({ name }) => name === "span_idx");
}

/** Returns the names of the outputs that are read. @throws ModelFault that names the file */
export function requireReaderGraph(
  graph: GraphShape,
  path: string,
  { labelsGraph, relationsGraph }: Pick<ReaderDescription, "labelsGraph" | "relationsGraph">,
): readonly string[] {
  const isTokenModel = isTokenGraph(graph);
  const states = relationsGraph === null ? [] : [isTokenModel ? WORD_STATES : SPAN_STATES, RELATION_STATES];
  const outputs = ["logits", ...states];
  const spans = isTokenModel ? [] : SPAN_INPUTS;
  const labels = labelsGraph === null ? [] : [LABELS_INPUT];
  requireGraph(graph, path, { inputs: [...TEXT_INPUTS, ...spans, ...labels], outputs });
  return outputs;
}

/** @throws ModelFault that names the file */
export function requireLabelsGraph(graph: GraphShape, path: string): void {
  requireGraph(graph, path, { inputs: ["input_ids", "attention_mask"], outputs: [LABELS_OUTPUT] });
}

/** `isTokenModel`: of the graph of the text. @throws ModelFault that names the file */
export function requireRelationsGraph(graph: GraphShape, path: string, isTokenModel: boolean): void {
  const own = isTokenModel ? [WORD_STATES, "span_idx"] : ["entity_states"];
  requireGraph(graph, path, { inputs: [RELATION_STATES, ...own], outputs: ["adjacency", "rel_logits"] });
}

function requireGraph(graph: GraphShape, path: string, expected: Expected): void {
  const { inputs, outputs } = graph;
  const isAsExpected =
    inputs.length === expected.inputs.length &&
    expected.inputs.every((name) =>
      inputs.some((input) => input.name === name && hasForm(input, typeOf(name))),
    ) &&
    expected.outputs.every((name) =>
      outputs.some(
        (output) => output.name === name && (hasForm(output, "float32") || hasForm(output, "float16")),
      ),
    );
  if (isAsExpected) return;
  const wanted = (names: readonly string[], type: (name: string) => string) =>
    names.map((name) => `${name} (${type(name)}, ${RANKS[name]} dimensions)`).join(", ");
  throw new ModelFault(
    `${path} has the inputs ${inputs.map(present).join(", ")} and the outputs ${outputs.map(present).join(", ")}; ` +
      `expected ${wanted(expected.inputs, typeOf)} and ${wanted(expected.outputs, () => "float32")}. ` +
      "Export the model again with scripts/models/export_gliner.py.",
  );
}

function hasForm({ name, type, dims }: GraphValue, wanted: string): boolean {
  return type === wanted && hasRank(dims, RANKS[name] ?? 0);
}

function typeOf(input: string): string {
  if (input === "span_mask") return "bool";
  return input === LABELS_INPUT || input.endsWith("_states") ? "float32" : "int64";
}
