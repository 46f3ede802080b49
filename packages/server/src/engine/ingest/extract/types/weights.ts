/** Reads the learned weights of the typing network from their file. */
import { readFileSync } from "node:fs";

/** Sizes of the network; the training script and the file agree on them. */
export const NETWORK = {
  input: 384,
  shape: 21,
  hidden: 64,
  span: 64,
  anchors: 13,
  lengths: 10,
  kinds: 14,
  views: 4,
  lexical: 32,
} as const;

const { input, shape, hidden, span, anchors, lengths, kinds, views, lexical } = NETWORK;

/** Tensors by name, in the order of the file: rows times columns. */
export const LAYOUT = [
  ["mean", 1, input],
  ["project", input, hidden],
  ["projectShape", shape, hidden],
  ["projectBias", 1, hidden],
  ["left", hidden, hidden],
  ["right", hidden, hidden],
  ["first", hidden, span],
  ["last", hidden, span],
  ["middle", hidden, span],
  ["before", hidden, span],
  ["after", hidden, span],
  ["kind", kinds, span],
  ["length", lengths, span],
  ["spanBias", 1, span],
  ["anchor", span, anchors],
  ["anchorBias", 1, anchors],
  ["none", 1, span],
  ["noneBias", 1, 1],
  ["view", views, input],
  ["lexical", 1, lexical],
] as const;

export type WeightName = (typeof LAYOUT)[number][0];
export type Weights = Readonly<Record<WeightName, Float32Array>>;

/** Bytes of the file: a scale as float32 and int8 values for each tensor. */
export const WEIGHT_BYTES = LAYOUT.reduce((sum, [, rows, columns]) => sum + 4 + rows * columns, 0);

/** The weights of this version. @throws RangeError when the file has not the size of the network */
export function readWeights(): Weights {
  return decodeWeights(readFileSync(new URL("./typing-weights.bin", import.meta.url)));
}

/** @throws RangeError as `readWeights` does */
export function decodeWeights(bytes: Uint8Array): Weights {
  if (bytes.length !== WEIGHT_BYTES)
    throw new RangeError(`The typing weights have ${bytes.length} bytes, expected ${WEIGHT_BYTES}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const entries = LAYOUT.map(([name, rows, columns]) => {
    const scale = view.getFloat32(at, true);
    at += 4;
    const values = Float32Array.from(
      { length: rows * columns },
      (_, index) => view.getInt8(at + index) * scale,
    );
    at += rows * columns;
    return [name, values] as const;
  });
  return Object.fromEntries(entries) as Record<WeightName, Float32Array>; // `LAYOUT` has every name.
}
