/**
 * Reads the file `answer-reader.bin`: what was learned on top of the weights of all-MiniLM-L6-v2, as the differences from them.
 *
 * Layout: the length of the header as uint32, the header in JSON, then the values of its tensors one after another, all little-endian.
 * Each row of a tensor is a float32 scale and its values, int8 or two int4 in a byte, the first one in the lower half.
 */
import type { QuantizedTensor, TfjsWeights } from "./tfjs-weights.ts";

export interface Adapter {
  /** A tensor that the model itself does not have, such as a layer that follows it. @throws Error where it is missing */
  requireTensor(name: string): Float32Array;
  /** The matrix of a layer that the model itself does not have, of 8 bits. @throws Error where it is missing */
  requireLinear(name: string): LinearWeights;
  /** The weights of the model with what was learned. */
  apply(weights: TfjsWeights): ModelWeights;
}

/** The matrix of a linear layer, [inputs, outputs]: a code q is the number scale * (q - zero point), for all outputs or for each of them. */
export interface LinearWeights {
  readonly codes: Int8Array;
  readonly scales: Float32Array;
  readonly zeroPoints: Int8Array;
}

export interface ModelWeights extends Pick<TfjsWeights, "requireFloats"> {
  requireTable(name: string): QuantizedTensor;
  requireLinear(name: string): LinearWeights;
}

interface TensorEntry {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly bits: 4 | 8;
}

interface Tensor {
  readonly entry: TensorEntry;
  readonly values: Float32Array;
}

const SCALE_BYTES = 4;
const HIGHEST_CODE = 127;

/** The weights as they are. */
export function plainWeights(weights: TfjsWeights): ModelWeights {
  return {
    requireFloats: weights.requireFloats,
    requireTable: weights.requireQuantized,
    requireLinear(name) {
      const { values, scale, zeroPoint } = weights.requireQuantized(name);
      return {
        // Subtracting 128 from q and from the zero point converts uint8 to int8 without loss. The faster kernels require int8.
        codes: Int8Array.from(values, (value) => value - 128),
        scales: Float32Array.of(scale),
        zeroPoints: Int8Array.of(zeroPoint - 128),
      };
    },
  };
}

/** `bytes` are trusted, because they are part of this package. */
export function readAdapter(bytes: Uint8Array): Adapter {
  const tensors = readTensors(bytes);

  function requireTensor(name: string): Tensor {
    const found = tensors.get(name);
    if (found === undefined) throw new Error(`The adapter has no tensor ${name}`);
    return found;
  }

  return {
    requireTensor: (name) => requireTensor(name).values,
    requireLinear(name) {
      const tensor = requireTensor(name);
      return quantize(new Float32Array(tensor.values.length), tensor);
    },
    apply(weights) {
      const plain = plainWeights(weights);
      return {
        requireTable: plain.requireTable,
        requireFloats(name) {
          const floats = plain.requireFloats(name);
          const learned = tensors.get(name);
          return learned === undefined
            ? floats
            : floats.map((value, index) => value + learned.values[index]!);
        },
        requireLinear: (name) => quantize(plain.requireFloats(name), requireTensor(name)),
      };
    },
  };
}

function readTensors(bytes: Uint8Array): ReadonlyMap<string, Tensor> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerEnd = 4 + view.getUint32(0, true);
  const entries = JSON.parse(new TextDecoder().decode(bytes.subarray(4, headerEnd))) as TensorEntry[]; // Our own file.
  const tensors = new Map<string, Tensor>();
  let offset = headerEnd;
  for (const entry of entries) {
    const rowBytes = SCALE_BYTES + (entry.columns * entry.bits) / 8;
    const values = new Float32Array(entry.rows * entry.columns);
    for (let row = 0; row < entry.rows; row++)
      readRow(view, offset + row * rowBytes, {
        bits: entry.bits,
        target: values.subarray(row * entry.columns, (row + 1) * entry.columns),
      });
    tensors.set(entry.name, { entry, values });
    offset += entry.rows * rowBytes;
  }
  if (offset !== bytes.length) throw new Error(`The header describes ${offset} bytes of ${bytes.length}`);
  return tensors;
}

function readRow(
  view: DataView,
  start: number,
  { bits, target }: { readonly bits: 4 | 8; readonly target: Float32Array },
): void {
  const scale = view.getFloat32(start, true);
  const first = start + SCALE_BYTES;
  for (let at = 0; at < target.length; at++) {
    if (bits === 8) target[at] = scale * view.getInt8(first + at);
    else {
      const both = view.getInt8(first + (at >> 1));
      // The shifts carry the sign of the half.
      target[at] = scale * (at % 2 === 0 ? (both << 28) >> 28 : both >> 4);
    }
  }
}

/** The sum with one scale for each output: a single one would round away most of what was learned. `learned` has a row for each output. */
function quantize(floats: Float32Array, { entry, values: learned }: Tensor): LinearWeights {
  const { rows: outputs, columns: inputs } = entry;
  const codes = new Int8Array(floats.length);
  const scales = new Float32Array(outputs);
  const sums = new Float32Array(inputs);
  for (let output = 0; output < outputs; output++) {
    let most = 0;
    for (let input = 0; input < inputs; input++) {
      const sum = floats[input * outputs + output]! + learned[output * inputs + input]!;
      sums[input] = sum;
      most = Math.max(most, Math.abs(sum));
    }
    const scale = Math.fround(most / HIGHEST_CODE) || 1;
    scales[output] = scale;
    for (let input = 0; input < inputs; input++)
      codes[input * outputs + output] = Math.max(
        -HIGHEST_CODE,
        Math.min(HIGHEST_CODE, Math.round(sums[input]! / scale)),
      );
  }
  return { codes, scales, zeroPoints: new Int8Array(outputs) };
}
