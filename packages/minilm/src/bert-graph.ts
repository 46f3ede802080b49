/**
 * The inference graphs of all-MiniLM-L6-v2: token ids in, one unit vector out; and with what was learned for reading
 * (`adapter.ts`): a question and a passage in, whether and where the passage answers out.
 *
 * Architecture: BERT with 6 layers (Devlin et al. 2019, https://arxiv.org/abs/1810.04805), distilled as MiniLM
 * (Wang et al. 2020, https://arxiv.org/abs/2002.10957), pooled and normalised as in Sentence-BERT (Reimers and
 * Gurevych 2019, https://arxiv.org/abs/1908.10084).
 */
import { type Adapter, type ModelWeights, plainWeights } from "./adapter.ts";
import { contribDomain, type OnnxGraph, type OnnxNode, type OnnxTensor } from "./onnx-encoder.ts";
import type { TfjsWeights } from "./tfjs-weights.ts";

export const graphInput = "input_ids";
export const graphOutput = "sentence_embedding";
/** The states of all tokens after the last layer, special tokens included. */
export const graphStates = "token_states";
/** 0 for the tokens of the question, 1 for those of the passage, [SEP] with what it ends. */
export const readerTypes = "token_type_ids";
/** One logit: whether the passage answers the question. */
export const readerAnswers = "answer_logit";
/** Two logits for each token: the answer's first one, the answer's last one. */
export const readerSpans = "span_logits";
/** The states of all tokens after `SHARED_LAYERS` layers, from which `fact-graph.ts` goes on. */
export const graphLowerStates = "layer_2_hidden";
export const SHARED_LAYERS = 3;

export const hiddenSize = 384;
const feedForwardSize = 1536;
export const layerCount = 6;
const headCount = 12;
const vocabularySize = 30_522;
const positionCount = 512;
export const layerNormEpsilon = 1e-12;

const prefix = "StatefulPartitionedCall/model/tf_bert_model/bert/";
const embeddingTables = { word: "unknown", position: "unknown_0", tokenType: "unknown_1" } as const;

export interface GraphDraft {
  readonly weights: ModelWeights;
  readonly nodes: OnnxNode[];
  readonly constants: Map<string, OnnxTensor>;
}

/**
 * The graph has the input `input_ids` (int32, [1, tokens], with [CLS] and [SEP], at most 512) and the outputs
 * `sentence_embedding` (float32, [1, 384]), `token_states` and `layer_2_hidden` (float32, [1, tokens, 384]). There is no attention mask,
 * because each run has one text without padding: activations are quantised with one scale per tensor, so in a batch a
 * text's vector would depend on the other texts.
 */
export function defineMiniLmGraph(weights: TfjsWeights): OnnxGraph {
  const draft = openDraft(plainWeights(weights));
  const hidden = addEncoder(draft, addEmbeddings(draft));
  // The sum replaces the mean: both have the same direction, and the normalisation removes the length.
  addNode(draft, {
    operator: "ReduceSum",
    inputs: [hidden, "axis_1"],
    outputs: ["token_sum"],
    integers: { keepdims: 0 },
  });
  addNode(draft, {
    operator: "LpNormalization",
    inputs: ["token_sum"],
    outputs: [graphOutput],
    integers: { p: 2 },
  });
  return {
    name: "all-MiniLM-L6-v2",
    nodes: draft.nodes,
    constants: draft.constants,
    inputs: [{ name: graphInput, type: "int32", shape: ["batch", "tokens"] }],
    outputs: [
      { name: graphOutput, type: "float32", shape: ["batch", hiddenSize] },
      { name: graphStates, type: "float32", shape: ["batch", "tokens", hiddenSize] },
      { name: graphLowerStates, type: "float32", shape: ["batch", "tokens", hiddenSize] },
    ],
  };
}

/**
 * The graph has the inputs `input_ids` and `token_type_ids` (int32, [1, tokens]: [CLS] question [SEP] passage [SEP]) and the outputs
 * `answer_logit` (float32, [1, 1]) and `span_logits` (float32, [1, tokens, 2]). The answer's logit reads the state of [CLS] and the mean of all states.
 */
export function defineReaderGraph(base: TfjsWeights, adapter: Adapter): OnnxGraph {
  const draft = openDraft(adapter.apply(base));
  addConstant(draft, "type_table", { shape: [2, hiddenSize], values: adapter.requireTensor("types") });
  addNode(draft, { operator: "Gather", inputs: ["type_table", readerTypes], outputs: ["types"] });
  const hidden = addEncoder(draft, addEmbeddings(draft, "types"));
  addConstant(draft, "zero", { shape: [], values: BigInt64Array.of(0n) });
  addNode(draft, {
    operator: "Gather",
    inputs: [hidden, "zero"],
    outputs: ["first_state"],
    integers: { axis: 1 },
  });
  addNode(draft, {
    operator: "ReduceMean",
    inputs: [hidden, "axis_1"],
    outputs: ["mean_state"],
    integers: { keepdims: 0 },
  });
  addNode(draft, {
    operator: "Concat",
    inputs: ["first_state", "mean_state"],
    outputs: ["pooled"],
    integers: { axis: 1 },
  });
  for (const { head, input, output, size, outputs } of [
    { head: "answer", input: "pooled", output: readerAnswers, size: 2 * hiddenSize, outputs: 1 },
    { head: "span", input: hidden, output: readerSpans, size: hiddenSize, outputs: 2 },
  ]) {
    const [weights, bias] = [`${head}_weights`, `${head}_bias`];
    addConstant(draft, weights, { shape: [size, outputs], values: adapter.requireTensor(weights) });
    addConstant(draft, bias, { shape: [outputs], values: adapter.requireTensor(bias) });
    addNode(draft, { operator: "MatMul", inputs: [input, weights], outputs: [`${head}_product`] });
    addNode(draft, { operator: "Add", inputs: [`${head}_product`, bias], outputs: [output] });
  }
  return {
    name: "answer-reader",
    nodes: draft.nodes,
    constants: draft.constants,
    inputs: [graphInput, readerTypes].map((name) => ({ name, type: "int32", shape: ["batch", "tokens"] })),
    outputs: [
      { name: readerAnswers, type: "float32", shape: ["batch", 1] },
      { name: readerSpans, type: "float32", shape: ["batch", "tokens", 2] },
    ],
  };
}

export function openDraft(weights: ModelWeights): GraphDraft {
  const draft: GraphDraft = { weights, nodes: [], constants: new Map() };
  addConstant(draft, "axis_1", { shape: [1], values: BigInt64Array.of(1n) });
  return draft;
}

/** All layers. Returns the name of the states. */
function addEncoder(draft: GraphDraft, embeddings: string): string {
  let hidden = embeddings;
  for (let layer = 0; layer < layerCount; layer++) {
    const output = layer === layerCount - 1 ? graphStates : `layer_${layer}_hidden`;
    hidden = addEncoderLayer(draft, { layer, input: hidden, output });
  }
  return hidden;
}

/** Normalised sum of word, position and token type embedding. Without `types` the type is always 0, and the position table includes it. */
function addEmbeddings(draft: GraphDraft, types: string | null = null): string {
  const word = draft.weights.requireTable(embeddingTables.word);
  addConstant(draft, "word_table", { shape: [vocabularySize, hiddenSize], values: word.values });
  addConstant(draft, "word_scale", { shape: [], values: Float32Array.of(word.scale) });
  addConstant(draft, "word_zero_point", { shape: [], values: Uint8Array.of(word.zeroPoint) });
  const positions = draft.weights.requireFloats(embeddingTables.position);
  const tokenType = draft.weights.requireFloats(embeddingTables.tokenType);
  const positionTable =
    types === null ? positions.map((value, index) => value + tokenType[index % hiddenSize]!) : positions;
  addConstant(draft, "position_table", { shape: [positionCount, hiddenSize], values: positionTable });
  addConstant(draft, "first", { shape: [1], values: BigInt64Array.of(0n) });
  addConstant(draft, "axis_2", { shape: [1], values: BigInt64Array.of(2n) });

  addNode(draft, { operator: "Gather", inputs: ["word_table", graphInput], outputs: ["word_codes"] });
  addNode(draft, {
    operator: "DequantizeLinear",
    inputs: ["word_codes", "word_scale", "word_zero_point"],
    outputs: ["words"],
  });
  addNode(draft, { operator: "Shape", inputs: [graphInput], outputs: ["input_shape"] });
  addNode(draft, {
    operator: "Slice",
    inputs: ["input_shape", "axis_1", "axis_2"],
    outputs: ["token_count"],
  });
  addNode(draft, {
    operator: "Slice",
    inputs: ["position_table", "first", "token_count"],
    outputs: ["positions"],
  });
  let placed = "words";
  if (types !== null) {
    placed = "typed_words";
    addNode(draft, { operator: "Add", inputs: ["words", types], outputs: [placed] });
  }
  return addNormalizedSum(draft, [placed, "positions"], {
    output: "embeddings",
    source: `${prefix}embeddings/`,
  });
}

interface EncoderLayer {
  readonly layer: number;
  readonly input: string;
  readonly output: string;
}

export function addEncoderLayer(draft: GraphDraft, { layer, input: hidden, output }: EncoderLayer): string {
  const source = `${prefix}encoder/layer_._${layer}/`;
  const name = (part: string) => `layer_${layer}_${part}`;
  const attention = `${source}attention/`;
  addNode(draft, {
    operator: "DynamicQuantizeLinear",
    inputs: [hidden],
    outputs: [name("codes"), name("codes_scale"), name("codes_zero_point")],
  });
  const parts = ["query", "key", "value"].map((part) =>
    addProjection(draft, name("codes"), { output: name(part), source: `${attention}self/${part}/` }),
  );
  addNode(draft, {
    operator: "Attention",
    inputs: parts,
    outputs: [name("context")],
    integers: { q_num_heads: headCount, kv_num_heads: headCount },
  });
  const attended = addLinear(draft, name("context"), {
    output: name("attended"),
    source: `${attention}output/dense/`,
    inputSize: hiddenSize,
    outputSize: hiddenSize,
  });
  const middle = addNormalizedSum(draft, [attended, hidden], {
    output: name("middle"),
    source: `${attention}output/`,
  });
  return addFeedForward(draft, { layerSource: source, name, input: middle, output });
}

function addFeedForward(
  draft: GraphDraft,
  step: {
    readonly layerSource: string;
    readonly name: (part: string) => string;
    readonly input: string;
    readonly output: string;
  },
): string {
  const { layerSource, name, input, output } = step;
  const widened = addLinear(draft, input, {
    output: name("widened"),
    source: `${layerSource}intermediate/dense/`,
    inputSize: hiddenSize,
    outputSize: feedForwardSize,
  });
  addNode(draft, {
    operator: "Gelu",
    inputs: [widened],
    outputs: [name("activated")],
    domain: contribDomain,
  });
  const narrowed = addLinear(draft, name("activated"), {
    output: name("narrowed"),
    source: `${layerSource}output/dense/`,
    inputSize: feedForwardSize,
    outputSize: hiddenSize,
  });
  return addNormalizedSum(draft, [narrowed, input], {
    output,
    source: `${layerSource}output/`,
  });
}

/**
 * A residual sum and its layer normalisation, as two operators: the fused SkipLayerNormalization of ONNX Runtime
 * 1.30 is scalar code on CPUs: it took 250 µs per 130 tokens instead of 40 µs, a quarter of the model's total time.
 */
function addNormalizedSum(
  draft: GraphDraft,
  terms: readonly [string, string],
  names: { readonly output: string; readonly source: string },
): string {
  const { output, source } = names;
  const batchnorm = `${source}LayerNorm/batchnorm/`;
  const gamma = draft.weights.requireFloats(`${batchnorm}mul/ReadVariableOp`);
  const beta = draft.weights.requireFloats(`${batchnorm}ReadVariableOp`);
  addConstant(draft, `${output}_gamma`, { shape: [hiddenSize], values: gamma });
  addConstant(draft, `${output}_beta`, { shape: [hiddenSize], values: beta });
  addNode(draft, { operator: "Add", inputs: terms, outputs: [`${output}_sum`] });
  return addNode(draft, {
    operator: "LayerNormalization",
    inputs: [`${output}_sum`, `${output}_gamma`, `${output}_beta`],
    outputs: [output],
    floats: { epsilon: layerNormEpsilon },
  });
}

interface LinearLayer {
  readonly output: string;
  readonly source: string;
  readonly inputSize: number;
  readonly outputSize: number;
}

/** input x weights + bias in integer arithmetic: the weights are int8, and the input is quantised to uint8 at run time. */
function addLinear(draft: GraphDraft, input: string, layer: LinearLayer): string {
  const { weights, scale, zeroPoint, bias } = addLinearConstants(draft, layer);
  return addNode(draft, {
    operator: "DynamicQuantizeMatMul",
    inputs: [input, weights, scale, zeroPoint, bias],
    outputs: [layer.output],
    domain: contribDomain,
  });
}

/**
 * Like `addLinear`, for an input that is quantised already. Query, key and value share one quantised input but have
 * separate products, because splitting one product costs more than computing three.
 */
function addProjection(
  draft: GraphDraft,
  codes: string,
  layer: { readonly output: string; readonly source: string },
): string {
  const size = { inputSize: hiddenSize, outputSize: hiddenSize };
  const { weights, scale, zeroPoint, bias } = addLinearConstants(draft, { ...layer, ...size });
  return addNode(draft, {
    operator: "MatMulIntegerToFloat",
    inputs: [codes, weights, `${codes}_scale`, scale, `${codes}_zero_point`, zeroPoint, bias],
    outputs: [layer.output],
    domain: contribDomain,
  });
}

function addLinearConstants(draft: GraphDraft, layer: LinearLayer) {
  const { output, source, inputSize, outputSize } = layer;
  const { codes, scales, zeroPoints } = draft.weights.requireLinear(`${source}Tensordot/ReadVariableOp`);
  const scaleShape = scales.length === 1 ? [] : [outputSize];
  const bias = draft.weights.requireFloats(`${source}BiasAdd/ReadVariableOp`);
  const names = {
    weights: `${output}_weights`,
    scale: `${output}_scale`,
    zeroPoint: `${output}_zero_point`,
    bias: `${output}_bias`,
  };
  addConstant(draft, names.weights, { shape: [inputSize, outputSize], values: codes });
  addConstant(draft, names.scale, { shape: scaleShape, values: scales });
  addConstant(draft, names.zeroPoint, { shape: scaleShape, values: zeroPoints });
  addConstant(draft, names.bias, { shape: [outputSize], values: bias });
  return names;
}

export function addConstant(draft: GraphDraft, name: string, tensor: OnnxTensor): void {
  draft.constants.set(name, tensor);
}

/** Returns the name of the node's first output. */
export function addNode(draft: GraphDraft, node: OnnxNode): string {
  draft.nodes.push(node);
  return node.outputs[0]!;
}
