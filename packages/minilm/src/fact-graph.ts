/**
 * The inference graph that reads names, their types and the relations between them out of a text: the lower layers' states of a text and the vectors
 * of labels in, numbers out of which spans and pairs are scored by sums and dot products alone (`packages/server`, `minilm-facts.ts`).
 *
 * Labels are tokens beside the text, as in GLiNER (Zaratiana et al. 2024, https://arxiv.org/abs/2311.08526), but one token each: the vector of
 * its text. The upper layers are those of the embedding model with what was learned (`adapter.ts`).
 */
import type { Adapter, LinearWeights } from "./adapter.ts";
import {
  addConstant,
  addEncoderLayer,
  addNode,
  type GraphDraft,
  graphLowerStates,
  hiddenSize,
  layerCount,
  openDraft,
  SHARED_LAYERS,
} from "./bert-graph.ts";
import { contribDomain, type OnnxGraph, type OnnxTensor } from "./onnx-encoder.ts";
import type { TfjsWeights } from "./tfjs-weights.ts";

export const factLabels = "label_vectors";
/** 0 for the label of a type of names, 1 for that of a relation. */
export const factKinds = "label_kinds";
/** Sizes of the scores' factors, and how many distances are told apart, a source after its target and before it. */
export const FACT_SIZES = { token: 128, span: 256, pair: 384, distances: 32 } as const;
/**
 * What the graph returns, for T tokens with [CLS] and [SEP] and L labels. A span's vector is gelu(first + last + mean of inside), each
 * 256 numbers of `span_parts`; its logit for a label is the product with the row of `type_labels` and the mean of
 * `type_tokens`. A pair's vector is gelu of the sum of the means over the source, the target, between, before and after, each 384 numbers of
 * `pair_parts`, and of the distance's; its logit is the product with the row of `edge_labels`, `edge_bias`, and the highest of `edge_tokens` around.
 */
export const factOutputs = {
  /** [1, 3, T, L + 1]: whether a token is the first, any or the last one of a name of the type; the last column is any name. `token_biases` are to be added. */
  tokens: "token_products",
  /** [1, L + 1, 3] */
  tokenBiases: "token_biases",
  /** [1, T, 768] */
  spanParts: "span_parts",
  /** [1, T, L] */
  typeTokens: "type_tokens",
  /** [1, L, 256] */
  typeLabels: "type_labels",
  /** [1, T, 1920] */
  pairParts: "pair_parts",
  /** [1, T, L] */
  edgeTokens: "edge_tokens",
  /** [1, L, 384] */
  edgeLabels: "edge_labels",
  /** [1, L, 1] */
  edgeBias: "edge_bias",
} as const;

export function defineFactGraph(base: TfjsWeights, adapter: Adapter): OnnxGraph {
  const draft = openDraft(adapter.apply(base));
  const heads = createHeads(draft, adapter);
  const labels = addLabels(draft, adapter, heads);
  let hidden = addNode(draft, {
    operator: "Concat",
    inputs: [labels, graphLowerStates],
    outputs: ["all_tokens"],
    integers: { axis: 1 },
  });
  for (let layer = SHARED_LAYERS; layer < layerCount; layer++)
    hidden = addEncoderLayer(draft, { layer, input: hidden, output: `layer_${layer}_output` });
  addSlices(draft, hidden);
  addTokenScores(draft, adapter, heads);
  heads.quantized("span_parts", "text_states");
  heads.quantized("pair_parts", "text_states");
  const rows = heads.linear("type_hidden", "label_states", { isBent: true });
  heads.linear("type_labels", rows);
  const skipped = heads.linear("type_skip", "label_states");
  addProduct(draft, "text_states", { right: skipped, output: factOutputs.typeTokens });
  const edges = heads.linear("edge_hidden", "label_states", { isBent: true });
  heads.linear("edge_labels", edges);
  heads.linear("edge_bias", "label_states");
  const late = heads.linear("edge_late", "label_states");
  addProduct(draft, "text_states", { right: late, output: factOutputs.edgeTokens });
  return {
    name: "fact-reader",
    nodes: draft.nodes,
    constants: draft.constants,
    inputs: [
      { name: graphLowerStates, type: "float32", shape: ["batch", "tokens", hiddenSize] },
      { name: factLabels, type: "float32", shape: ["batch", "labels", hiddenSize] },
      { name: factKinds, type: "int32", shape: ["batch", "labels"] },
    ],
    outputs: Object.values(factOutputs).map((name) => ({
      name,
      type: "float32",
      shape:
        name === factOutputs.tokens ? ["batch", 3, "tokens", "columns"] : ["batch", "rows", `${name}_size`],
    })),
  };
}

type Heads = ReturnType<typeof createHeads>;

/** Layers that the embedding model does not have: `NAME_weights`, a row for each output, and where there is one `NAME_bias`. */
function createHeads(draft: GraphDraft, adapter: Adapter) {
  function addBias(name: string, product: string, output: string): string {
    const bias = adapter.requireTensor(`${name}_bias`);
    addConstant(draft, `${name}_bias`, { shape: [bias.length], values: bias });
    return addNode(draft, { operator: "Add", inputs: [product, `${name}_bias`], outputs: [output] });
  }

  return {
    /** In floats: for labels, which are few. */
    linear(name: string, input: string, { isBent = false }: { readonly isBent?: boolean } = {}): string {
      const weights = adapter.requireLinear(`${name}_weights`);
      addConstant(draft, `${name}_matrix`, floatsOf(weights));
      addNode(draft, { operator: "MatMul", inputs: [input, `${name}_matrix`], outputs: [`${name}_product`] });
      if (!isBent) return addBias(name, `${name}_product`, name);
      addBias(name, `${name}_product`, `${name}_sum`);
      return addNode(draft, {
        operator: "Gelu",
        inputs: [`${name}_sum`],
        outputs: [name],
        domain: contribDomain,
      });
    },
    /** In integers: for all tokens of a text. */
    quantized(name: string, input: string): string {
      const { codes, scales, zeroPoints } = adapter.requireLinear(`${name}_weights`);
      const bias = adapter.requireTensor(`${name}_bias`);
      addConstant(draft, `${name}_matrix`, { shape: [hiddenSize, scales.length], values: codes });
      addConstant(draft, `${name}_scale`, { shape: [scales.length], values: scales });
      addConstant(draft, `${name}_zero_point`, { shape: [scales.length], values: zeroPoints });
      addConstant(draft, `${name}_bias`, { shape: [bias.length], values: bias });
      return addNode(draft, {
        operator: "DynamicQuantizeMatMul",
        inputs: [input, `${name}_matrix`, `${name}_scale`, `${name}_zero_point`, `${name}_bias`],
        outputs: [name],
        domain: contribDomain,
      });
    },
  };
}

function floatsOf({ codes, scales }: LinearWeights): OnnxTensor {
  const outputs = scales.length;
  const values = Float32Array.from(codes, (code, at) => code * scales[at % outputs]!);
  return { shape: [codes.length / outputs, outputs], values };
}

function addLabels(draft: GraphDraft, adapter: Adapter, heads: Heads): string {
  const projected = heads.linear("label", factLabels);
  addConstant(draft, "kind_table", { shape: [2, hiddenSize], values: adapter.requireTensor("kinds") });
  addNode(draft, { operator: "Gather", inputs: ["kind_table", factKinds], outputs: ["kinds"] });
  addNode(draft, { operator: "Add", inputs: [projected, "kinds"], outputs: ["label_sum"] });
  for (const part of ["gamma", "beta"]) {
    const values = adapter.requireTensor(`label_${part}`);
    addConstant(draft, `label_${part}`, { shape: [hiddenSize], values });
  }
  return addNode(draft, {
    operator: "LayerNormalization",
    inputs: ["label_sum", "label_gamma", "label_beta"],
    outputs: ["label_tokens"],
    floats: { epsilon: LABEL_EPSILON },
  });
}

const LABEL_EPSILON = 1e-5;

/** The states of the labels, which come first, and of the text. */
function addSlices(draft: GraphDraft, hidden: string): void {
  addConstant(draft, "from_0", { shape: [1], values: BigInt64Array.of(0n) });
  addConstant(draft, "to_end", { shape: [1], values: BigInt64Array.of(BigInt(Number.MAX_SAFE_INTEGER)) });
  addConstant(draft, "from_1", { shape: [1], values: BigInt64Array.of(1n) });
  addConstant(draft, "to_2", { shape: [1], values: BigInt64Array.of(2n) });
  addNode(draft, { operator: "Shape", inputs: [factKinds], outputs: ["label_shape"] });
  const count = addNode(draft, {
    operator: "Slice",
    inputs: ["label_shape", "from_1", "to_2"],
    outputs: ["label_count"],
  });
  addNode(draft, {
    operator: "Slice",
    inputs: [hidden, "from_0", count, "axis_1"],
    outputs: ["label_states"],
  });
  addNode(draft, {
    operator: "Slice",
    inputs: [hidden, count, "to_end", "axis_1"],
    outputs: ["text_states"],
  });
}

/** Products of three vectors of a token with three of a label, the first, any and the last token of a name. */
function addTokenScores(draft: GraphDraft, adapter: Adapter, heads: Heads): void {
  const size = FACT_SIZES.token;
  const tokens = heads.quantized("token_parts", "text_states");
  const ofLabels = heads.linear("token_labels", "label_states");
  const anyName = adapter.requireTensor("any_name");
  addConstant(draft, "any_name", { shape: [1, 1, 3 * size], values: anyName });
  const columns = addNode(draft, {
    operator: "Concat",
    inputs: [ofLabels, "any_name"],
    outputs: ["token_columns"],
    integers: { axis: 1 },
  });
  const bias = heads.linear("token_bias", "label_states");
  addConstant(draft, "any_bias", { shape: [1, 1, 3], values: adapter.requireTensor("any_bias") });
  addNode(draft, {
    operator: "Concat",
    inputs: [bias, "any_bias"],
    outputs: [factOutputs.tokenBiases],
    integers: { axis: 1 },
  });
  const split = (input: string, name: string) => {
    const outputs = [0, 1, 2].map((at) => `${name}_${at}`);
    addNode(draft, { operator: "Split", inputs: [input], outputs, integers: { axis: 2, num_outputs: 3 } });
    return outputs;
  };
  const right = split(columns, "token_column");
  const parts = split(tokens, "token_row").map((row, at) => {
    const product = addProduct(draft, row, { right: right[at]!, output: `token_product_${at}` });
    return addNode(draft, {
      operator: "Unsqueeze",
      inputs: [product, "axis_1"],
      outputs: [`token_part_${at}`],
    });
  });
  addNode(draft, {
    operator: "Concat",
    inputs: parts,
    outputs: [factOutputs.tokens],
    integers: { axis: 1 },
  });
}

/** [1, A, K] with [1, B, K]: [1, A, B]. Of the contributed operators, because `Transpose` would need a list as attribute. */
function addProduct(
  draft: GraphDraft,
  left: string,
  { right, output }: { readonly right: string; readonly output: string },
): string {
  return addNode(draft, {
    operator: "FusedMatMul",
    inputs: [left, right],
    outputs: [output],
    integers: { transB: 1 },
    domain: contribDomain,
  });
}
