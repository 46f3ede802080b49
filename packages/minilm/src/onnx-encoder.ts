/**
 * Writes ONNX models. Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 * (npm has no maintained ONNX writer for JavaScript; this one covers only what this model's graph needs).
 */
import {
  bytesField,
  floatField,
  integerField,
  type Message,
  messageField,
  stringField,
} from "./protobuf-encoder.ts";

/** Operators of this domain are ONNX Runtime's own: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md */
export const contribDomain = "com.microsoft";

const elementType = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
const attributeType = { float: 1, integer: 2 } as const;

export type ElementType = keyof typeof elementType;

/** Values in row-major order; the shape [] is a scalar. */
export interface OnnxTensor {
  readonly shape: readonly number[];
  readonly values: Float32Array | Uint8Array | Int8Array | BigInt64Array;
}

/** A string as dimension names a size that is known only at run time. */
export interface OnnxPort {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

export interface OnnxNode {
  readonly operator: string;
  readonly domain?: typeof contribDomain;
  /** "" stands for an absent optional input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly integers?: Readonly<Record<string, number>>;
  readonly floats?: Readonly<Record<string, number>>;
}

export interface OnnxGraph {
  readonly name: string;
  readonly nodes: readonly OnnxNode[];
  readonly constants: ReadonlyMap<string, OnnxTensor>;
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
}

/** A complete ONNX file (IR version 11, opset 23 and the contributed operators), as chunks in file order. */
export function encodeOnnxModel(graph: OnnxGraph): Message {
  return [
    ...integerField(1, 11),
    ...stringField(2, "knowledge-context-service"),
    ...messageField(7, encodeGraph(graph)),
    ...messageField(8, encodeOpset("", 23)),
    ...messageField(8, encodeOpset(contribDomain, 1)),
  ];
}

function encodeOpset(domain: string, version: number): Message {
  return [...stringField(1, domain), ...integerField(2, version)];
}

function encodeGraph(graph: OnnxGraph): Message {
  return [
    ...graph.nodes.flatMap((node) => messageField(1, encodeNode(node))),
    ...stringField(2, graph.name),
    ...[...graph.constants].flatMap(([name, tensor]) => messageField(5, encodeTensor(name, tensor))),
    ...graph.inputs.flatMap((port) => messageField(11, encodePort(port))),
    ...graph.outputs.flatMap((port) => messageField(12, encodePort(port))),
  ];
}

function encodeNode(node: OnnxNode): Message {
  return [
    ...node.inputs.flatMap((name) => stringField(1, name)),
    ...node.outputs.flatMap((name) => stringField(2, name)),
    ...stringField(3, `${node.outputs.join("+")}:${node.operator}`),
    ...stringField(4, node.operator),
    ...Object.entries(node.integers ?? {}).flatMap(([name, value]) =>
      messageField(5, [
        ...stringField(1, name),
        ...integerField(3, value),
        ...integerField(20, attributeType.integer),
      ]),
    ),
    ...Object.entries(node.floats ?? {}).flatMap(([name, value]) =>
      messageField(5, [
        ...stringField(1, name),
        ...floatField(2, value),
        ...integerField(20, attributeType.float),
      ]),
    ),
    ...(node.domain === undefined ? [] : stringField(7, node.domain)),
  ];
}

function encodeTensor(name: string, { shape, values }: OnnxTensor): Message {
  return [
    ...shape.flatMap((size) => integerField(1, size)),
    ...integerField(2, elementType[elementTypeOf(values)]),
    ...stringField(8, name),
    ...bytesField(9, littleEndianBytes(values)),
  ];
}

function elementTypeOf(values: OnnxTensor["values"]): ElementType {
  if (values instanceof Float32Array) return "float32";
  if (values instanceof Uint8Array) return "uint8";
  return values instanceof Int8Array ? "int8" : "int64";
}

function littleEndianBytes(values: OnnxTensor["values"]): Uint8Array {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (values.BYTES_PER_ELEMENT > 1 && new Uint8Array(Uint16Array.of(1).buffer)[0] !== 1) {
    throw new Error("ONNX files contain little-endian numbers, but this machine is big-endian");
  }
  return bytes;
}

function encodePort({ name, type, shape }: OnnxPort): Message {
  const dimensions = shape.flatMap((size) =>
    messageField(1, typeof size === "string" ? stringField(2, size) : integerField(1, size)),
  );
  const tensorType = [...integerField(1, elementType[type]), ...messageField(2, dimensions)];
  return [...stringField(1, name), ...messageField(2, messageField(1, tensorType))];
}
