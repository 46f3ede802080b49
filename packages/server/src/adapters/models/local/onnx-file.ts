/**
 * What an ONNX file says about its graph, read without its weights. Format:
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, messages ModelProto, GraphProto, ValueInfoProto and TypeProto.
 */
import type { GraphShape, GraphValue } from "../runtime/onnx-session.ts";
import { isMissing } from "./manifest.ts";
import { ModelFault } from "./model-fault.ts";
import {
  type ByteSource,
  type Field,
  fieldsOf,
  MalformedMessage,
  readVarint,
  textOf,
  withFile,
} from "./protobuf-fields.ts";

const MODEL = { graph: 7 } as const;
const GRAPH = { initializer: 5, input: 11, output: 12 } as const;
const TENSOR = { name: 8 } as const;
const VALUE = { name: 1, type: 2 } as const;
const TYPE = { tensor: 1 } as const;
const TENSOR_TYPE = { element: 1, shape: 2 } as const;
const SHAPE = { dimension: 1 } as const;
const DIMENSION = { value: 1 } as const;
/** TensorProto.DataType, by the names of ONNX Runtime. */
const ELEMENTS: Readonly<Record<number, string>> = {
  1: "float32",
  6: "int32",
  7: "int64",
  9: "bool",
  10: "float16",
  11: "float64",
  16: "bfloat16",
};

/** @throws ModelFault that names the file */
export function readGraphShape(path: string): GraphShape {
  try {
    return withFile(path, (file) => {
      const graph = lastOf(file, {}, MODEL.graph);
      if (graph === null) throw new MalformedMessage("There is no graph");
      return readGraph(file, graph);
    });
  } catch (cause) {
    if (isMissing(cause)) throw new ModelFault(`${path} is missing. Add the model again, or copy the file.`);
    if (!(cause instanceof MalformedMessage)) throw cause;
    throw new ModelFault(`${path} is not a whole ONNX file. Add the model again, or copy the file again.`, {
      cause,
    });
  }
}

function readGraph(file: ByteSource, graph: Field): GraphShape {
  const constants = new Set<string>();
  const inputs: GraphValue[] = [];
  const outputs: GraphValue[] = [];
  for (const field of fieldsOf(file, rangeOf(graph))) {
    if (field.number === GRAPH.input) inputs.push(readValue(file, field));
    if (field.number === GRAPH.output) outputs.push(readValue(file, field));
    if (field.number === GRAPH.initializer) constants.add(nameIn(file, field, TENSOR.name));
  }
  // Old files list constants among the inputs, too.
  return { inputs: inputs.filter(({ name }) => !constants.has(name)), outputs };
}

function readValue(file: ByteSource, field: Field): GraphValue {
  const name = nameIn(file, field, VALUE.name);
  const type = lastOf(file, rangeOf(field), VALUE.type);
  const tensor = type && lastOf(file, rangeOf(type), TYPE.tensor);
  if (tensor === null) return { name, type: "", dims: null };
  const element = lastOf(file, rangeOf(tensor), TENSOR_TYPE.element);
  const shape = lastOf(file, rangeOf(tensor), TENSOR_TYPE.shape);
  return {
    name,
    type: (element && ELEMENTS[readVarint(file, element.value).value]) ?? "",
    dims: shape && readDims(file, shape),
  };
}

function readDims(file: ByteSource, shape: Field): readonly (number | null)[] {
  return [...fieldsOf(file, rangeOf(shape))]
    .filter(({ number }) => number === SHAPE.dimension)
    .map((dimension) => {
      const value = lastOf(file, rangeOf(dimension), DIMENSION.value);
      const size = value === null ? 0 : readVarint(file, value.value).value;
      return size > 0 ? size : null;
    });
}

function nameIn(file: ByteSource, field: Field, number: number): string {
  const name = lastOf(file, rangeOf(field), number);
  return name === null ? "" : textOf(file, name);
}

/** Of a field that is there several times the last one counts. */
function lastOf(
  file: ByteSource,
  range: { readonly from?: number; readonly to?: number },
  number: number,
): Field | null {
  let found: Field | null = null;
  for (const field of fieldsOf(file, range)) if (field.number === number) found = field;
  return found;
}

function rangeOf({ value, end }: Field): { readonly from: number; readonly to: number } {
  return { from: value, to: end };
}
