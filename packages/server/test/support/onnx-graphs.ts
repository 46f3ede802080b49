/** ONNX files of a given length with given inputs and outputs, which nothing computes. */
import { encodeOnnxModel } from "@kcs/minilm";

type OnnxPort = Parameters<typeof encodeOnnxModel>[0]["inputs"][number];
type Port = readonly [name: string, type: OnnxPort["type"], shape: OnnxPort["shape"]];

export interface GraphPorts {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

const ids = (name: string): Port => [name, "int64", ["batch", "tokens"]];
const TEXT = [ids("input_ids"), ids("attention_mask")];

/** Of an embedding model 8 wide. */
export const EMBEDDING_PORTS: GraphPorts = {
  inputs: TEXT,
  outputs: [["last_hidden_state", "float32", ["batch", "tokens", 8]]],
};

/** Of a reader of relations that has no inputs for spans; also with an encoder of labels. */
export const READER_PORTS = {
  text: {
    inputs: [...TEXT, ids("words_mask"), ids("text_lengths")],
    outputs: [
      ["logits", "float32", ["batch", "words", "labels", 3]],
      ["word_states", "float32", ["batch", "words", 8]],
      ["relation_states", "float32", ["batch", "relations", 8]],
    ],
  },
  labelsInput: ["labels_embeddings", "float32", ["labels", 8]],
  labels: { inputs: TEXT, outputs: [["labels_embeddings", "float32", ["labels", 8]]] },
  relations: {
    inputs: [
      ["relation_states", "float32", [1, "relations", 8]],
      ["word_states", "float32", [1, "words", 8]],
      ["span_idx", "int64", [1, "entities", 2]],
    ],
    outputs: [
      ["adjacency", "float32", [1, "entities", "entities"]],
      ["rel_logits", "float32", [1, "entities", "entities", "relations"]],
    ],
  },
} as const satisfies Readonly<Record<string, GraphPorts | Port>>;

/** `bytes`: of the whole file; as short as possible without. Its weights are a pattern. */
export function graphFile(ports: GraphPorts, bytes?: number): Buffer {
  const toPorts = (given: readonly Port[]) => given.map(([name, type, shape]) => ({ name, type, shape }));
  const encode = (weights: number) =>
    Buffer.concat(
      encodeOnnxModel({
        name: "graph",
        nodes: [{ operator: "Identity", inputs: ["weights"], outputs: ["unused"] }],
        constants: new Map([["weights", { shape: [weights], values: patterned(weights) }]]),
        inputs: toPorts(ports.inputs),
        outputs: toPorts(ports.outputs),
      }),
    );
  if (bytes === undefined) return encode(1);
  // Lengths are written in as many bytes as they need, so the rest is found in two steps.
  const rest = encode(bytes).length - bytes;
  const file = encode(bytes - rest);
  return file.length === bytes ? file : encode(bytes - rest + (bytes - file.length));
}

function patterned(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 251);
}
