/**
 * The inference graph of all-MiniLM-L6-v2: token ids in, one unit vector out.
 *
 * Architecture: BERT with 6 layers (Devlin et al. 2019, https://arxiv.org/abs/1810.04805), distilled as MiniLM
 * (Wang et al. 2020, https://arxiv.org/abs/2002.10957), pooled and normalised as in Sentence-BERT (Reimers and
 * Gurevych 2019, https://arxiv.org/abs/1908.10084).
 */
import { contribDomain, type OnnxGraph, type OnnxNode, type OnnxTensor } from "./onnx-encoder.ts";
import type { TfjsWeights } from "./tfjs-weights.ts";

export const graphInput = "input_ids";
export const graphOutput = "sentence_embedding";

const hiddenSize = 384;
const feedForwardSize = 1536;
const layerCount = 6;
const headCount = 12;
const vocabularySize = 30_522;
const positionCount = 512;
const layerNormEpsilon = 1e-12;

const prefix = "StatefulPartitionedCall/model/tf_bert_model/bert/";
const embeddingTables = { word: "unknown", position: "unknown_0", tokenType: "unknown_1" } as const;

interface GraphDraft {
  readonly weights: TfjsWeights;
  readonly nodes: OnnxNode[];
  readonly constants: Map<string, OnnxTensor>;
}

/**
 * Graph with the input `input_ids` (int32, [1, tokens], with [CLS] and [SEP], at most 512) and the output
 * `sentence_embedding` (float32, [1, 384]). There is no attention mask: one text per run, never padded, because
 * activations are quantised with one scale per tensor and a text's vector would change with its company.
 */
export function defineMiniLmGraph(weights: TfjsWeights): OnnxGraph {
  const draft: GraphDraft = { weights, nodes: [], constants: new Map() };
  addConstant(draft, "axis_1", { shape: [1], values: BigInt64Array.of(1n) });
  addConstant(draft, "qkv_sizes", { shape: [3], values: new BigInt64Array(3).fill(BigInt(hiddenSize)) });
  let hidden = addEmbeddings(draft);
  for (let layer = 0; layer < layerCount; layer++) hidden = addEncoderLayer(draft, layer, hidden);
  // The sum stands for the mean: both point the same way, and only the direction survives normalisation.
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
    outputs: [{ name: graphOutput, type: "float32", shape: ["batch", hiddenSize] }],
  };
}

/** Word plus position plus token type (always 0, hence folded into the positions), normalised. */
function addEmbeddings(draft: GraphDraft): string {
  const word = draft.weights.requireQuantized(embeddingTables.word);
  addConstant(draft, "word_table", { shape: [vocabularySize, hiddenSize], values: word.values });
  addConstant(draft, "word_scale", { shape: [], values: Float32Array.of(word.scale) });
  addConstant(draft, "word_zero_point", { shape: [], values: Uint8Array.of(word.zeroPoint) });
  const positions = draft.weights.requireFloats(embeddingTables.position);
  const tokenType = draft.weights.requireFloats(embeddingTables.tokenType);
  const positionTable = positions.map((value, index) => value + tokenType[index % hiddenSize]!);
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
  return addNormalizedSum(draft, ["words", "positions"], {
    output: "embeddings",
    source: `${prefix}embeddings/`,
  });
}

function addEncoderLayer(draft: GraphDraft, layer: number, hidden: string): string {
  const source = `${prefix}encoder/layer_._${layer}/`;
  const name = (part: string) => `layer_${layer}_${part}`;
  const attention = `${source}attention/`;
  const [query, key, value] = [name("query"), name("key"), name("value")];

  const queryKeyValue = addLinear(draft, hidden, {
    output: name("qkv"),
    sources: [`${attention}self/query/`, `${attention}self/key/`, `${attention}self/value/`],
    inputSize: hiddenSize,
    outputSize: 3 * hiddenSize,
  });
  addNode(draft, {
    operator: "Split",
    inputs: [queryKeyValue, "qkv_sizes"],
    outputs: [query, key, value],
    integers: { axis: 2 },
  });
  addNode(draft, {
    operator: "MultiHeadAttention",
    inputs: [query, key, value],
    outputs: [name("context")],
    domain: contribDomain,
    integers: { num_heads: headCount },
  });
  const attended = addLinear(draft, name("context"), {
    output: name("attended"),
    sources: [`${attention}output/dense/`],
    inputSize: hiddenSize,
    outputSize: hiddenSize,
  });
  const middle = addNormalizedSum(draft, [attended, hidden], {
    output: name("middle"),
    source: `${attention}output/`,
  });
  return addFeedForward(draft, { layerSource: source, name, input: middle });
}

function addFeedForward(
  draft: GraphDraft,
  step: { readonly layerSource: string; readonly name: (part: string) => string; readonly input: string },
): string {
  const { layerSource, name, input } = step;
  const widened = addLinear(draft, input, {
    output: name("widened"),
    sources: [`${layerSource}intermediate/dense/`],
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
    sources: [`${layerSource}output/dense/`],
    inputSize: feedForwardSize,
    outputSize: hiddenSize,
  });
  return addNormalizedSum(draft, [narrowed, input], {
    output: name("hidden"),
    source: `${layerSource}output/`,
  });
}

/**
 * A residual sum and its layer normalisation, as two operators: the fused SkipLayerNormalization of ONNX Runtime
 * 1.30 is scalar code on CPUs and took 250 µs per 130 tokens against 40 µs, a quarter of the whole model's time.
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
  /** Layers of one input side by side, so that the input is quantised once for all of them. */
  readonly sources: readonly string[];
  readonly inputSize: number;
  readonly outputSize: number;
}

/** input x weights + bias, in integers: int8 weights, and an input quantised to uint8 while the model runs. */
function addLinear(draft: GraphDraft, input: string, layer: LinearLayer): string {
  const { output, sources, inputSize, outputSize } = layer;
  const width = outputSize / sources.length;
  const weights = new Int8Array(inputSize * outputSize);
  const scales = new Float32Array(outputSize);
  const zeroPoints = new Int8Array(outputSize);
  const bias = new Float32Array(outputSize);
  for (const [index, source] of sources.entries()) {
    const first = index * width;
    const { values, scale, zeroPoint } = draft.weights.requireQuantized(`${source}Tensordot/ReadVariableOp`);
    // Both sides of q - zeroPoint move by 128 from uint8 to int8: lossless, and the faster kernels want int8.
    for (let at = 0; at < values.length; at++) {
      weights[Math.floor(at / width) * outputSize + first + (at % width)] = values[at]! - 128;
    }
    scales.fill(scale, first, first + width);
    zeroPoints.fill(zeroPoint - 128, first, first + width);
    bias.set(draft.weights.requireFloats(`${source}BiasAdd/ReadVariableOp`), first);
  }
  const perColumn = sources.length > 1;
  const scaleShape = perColumn ? [outputSize] : [];
  const scaleCount = perColumn ? outputSize : 1;
  addConstant(draft, `${output}_weights`, { shape: [inputSize, outputSize], values: weights });
  addConstant(draft, `${output}_scale`, { shape: scaleShape, values: scales.subarray(0, scaleCount) });
  addConstant(draft, `${output}_zero_point`, {
    shape: scaleShape,
    values: zeroPoints.subarray(0, scaleCount),
  });
  addConstant(draft, `${output}_bias`, { shape: [outputSize], values: bias });
  const parameters = ["weights", "scale", "zero_point", "bias"].map((part) => `${output}_${part}`);
  return addNode(draft, {
    operator: "DynamicQuantizeMatMul",
    inputs: [input, ...parameters],
    outputs: [output],
    domain: contribDomain,
  });
}

function addConstant(draft: GraphDraft, name: string, tensor: OnnxTensor): void {
  draft.constants.set(name, tensor);
}

/** Name of the node's first output. */
function addNode(draft: GraphDraft, node: OnnxNode): string {
  draft.nodes.push(node);
  return node.outputs[0]!;
}
