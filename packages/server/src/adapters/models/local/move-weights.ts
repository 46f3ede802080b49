/**
 * Moves the large tensors of an ONNX file into a file of their own. ONNX Runtime maps that file, so that all threads have the
 * weights in memory once. Format: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, messages ModelProto, GraphProto
 * and TensorProto.
 */
import { open, readFile, rename } from "node:fs/promises";
import { basename } from "node:path";
import { integerField, type Message, messageField, stringField } from "@kcs/minilm";
import { ModelFault } from "./model-fault.ts";
import { bytesInMemory, type Field, fieldsOf, MalformedMessage } from "./protobuf-fields.ts";

const GRAPH = 7;
const INITIALIZER = 5;
const RAW_DATA = 9;
const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;
const EXTERNAL = 1;
const KEY = 1;
const VALUE = 2;

/** Windows maps files from multiples of this on. Smaller tensors are not worth a gap. */
const ALIGNMENT = 64 * 1024;

interface MovedTensor {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/**
 * Writes `ONNX_data` first and then replaces the ONNX file. Returns the number of tensors that were moved: 0 where they are
 * elsewhere already, or are all small. Needs the memory of the file.
 * @throws ModelFault for a file that is not ONNX
 */
export async function moveWeights(onnxPath: string, minBytes = ALIGNMENT): Promise<number> {
  const model = await readFile(onnxPath);
  const moved: MovedTensor[] = [];
  let end = 0;
  const location = `${basename(onnxPath)}_data`;
  const rewritten = rewrite(model, { path: onnxPath, field: GRAPH }, (graph) =>
    rewrite(graph, { path: onnxPath, field: INITIALIZER }, (tensor) => {
      const bytes = rawDataOf(tensor, onnxPath);
      if (bytes.length < minBytes) return [tensor];
      const offset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      end = offset + bytes.length;
      moved.push({ bytes, offset });
      return tensorElsewhere(tensor, { path: onnxPath, location, offset, length: bytes.length });
    }),
  );
  if (moved.length === 0) return 0;
  await writeParts(`${onnxPath}_data`, moved);
  await writeParts(`${onnxPath}.partial`, placed(rewritten));
  await rename(`${onnxPath}.partial`, onnxPath);
  return moved.length;
}

/** The message with each field of the given number, a message itself, replaced. */
function rewrite(
  message: Uint8Array,
  { path, field }: { readonly path: string; readonly field: number },
  replace: (inner: Uint8Array) => Message,
): Message {
  const parts: Uint8Array[] = [];
  for (const { number, begin, value, end } of partsOf(message, path)) {
    if (number === field) parts.push(...messageField(field, replace(message.subarray(value, end))));
    else parts.push(message.subarray(begin, end));
  }
  return parts;
}

function rawDataOf(tensor: Uint8Array, path: string): Uint8Array {
  for (const { number, value, end } of partsOf(tensor, path))
    if (number === RAW_DATA) return tensor.subarray(value, end);
  return new Uint8Array(0);
}

function tensorElsewhere(
  tensor: Uint8Array,
  place: {
    readonly path: string;
    readonly location: string;
    readonly offset: number;
    readonly length: number;
  },
): Message {
  const { path, location, offset, length } = place;
  const kept = partsOf(tensor, path).filter(({ number }) => number !== RAW_DATA);
  const entry = (key: string, value: string) =>
    messageField(EXTERNAL_DATA, [...stringField(KEY, key), ...stringField(VALUE, value)]);
  return [
    ...kept.map(({ begin, end }) => tensor.subarray(begin, end)),
    ...entry("location", location),
    ...entry("offset", String(offset)),
    ...entry("length", String(length)),
    ...integerField(DATA_LOCATION, EXTERNAL),
  ];
}

/** @throws ModelFault for a file that is not ONNX */
function partsOf(message: Uint8Array, path: string): readonly Field[] {
  try {
    return [...fieldsOf(bytesInMemory(message))];
  } catch (cause) {
    if (!(cause instanceof MalformedMessage)) throw cause;
    throw new ModelFault(`${path} is not a whole ONNX file.`, { cause });
  }
}

function placed(parts: Message): readonly MovedTensor[] {
  let offset = 0;
  return parts.map((bytes) => {
    const part = { bytes, offset };
    offset += bytes.length;
    return part;
  });
}

async function writeParts(path: string, parts: readonly MovedTensor[]): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    for (const { bytes, offset } of parts) await file.write(bytes, 0, bytes.length, offset);
    await file.sync();
  } finally {
    await file.close();
  }
}
