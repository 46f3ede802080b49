/**
 * Reads the weights of a TensorFlow.js graph model: a JSON manifest and one binary file with the values of all
 * tensors one after another. Format: https://github.com/tensorflow/tfjs/tree/master/tfjs-converter
 */

/** A uint8 value q represents the real number scale * (q - zeroPoint). */
export interface QuantizedTensor {
  readonly shape: readonly number[];
  readonly values: Uint8Array;
  readonly scale: number;
  readonly zeroPoint: number;
}

export interface TfjsWeights {
  /** A quantised tensor. Its zero point is an integer, so that an integer matrix product is exact. */
  requireQuantized(name: string): QuantizedTensor;
  /** A quantised tensor, converted to floats. */
  requireFloats(name: string): Float32Array;
}

interface ManifestEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly quantization?: { readonly dtype: string; readonly scale: number; readonly min: number };
}

interface Manifest {
  readonly weightsManifest: readonly { readonly weights: readonly ManifestEntry[] }[];
}

/** `graph` (model.json) describes the tensors in `binary`. Both files are trusted, because their hashes are pinned. */
export function readTfjsWeights(graph: Uint8Array, binary: Uint8Array): TfjsWeights {
  const tensors = sliceTensors(JSON.parse(new TextDecoder().decode(graph)) as Manifest, binary);
  const requireTensor = (name: string) => {
    const tensor = tensors.get(name);
    if (tensor === undefined) throw new Error(`The model has no quantised tensor ${name}`);
    return tensor;
  };
  return {
    requireQuantized(name) {
      const { entry, values, scale, min } = requireTensor(name);
      const zeroPoint = Math.round(-min / scale);
      if (Math.abs(-min / scale - zeroPoint) > 1e-3 || zeroPoint < 0 || zeroPoint > 255) {
        throw new Error(`The zero point of ${name} is not a uint8: ${-min / scale}`);
      }
      return { shape: entry.shape, values, scale, zeroPoint };
    },
    requireFloats(name) {
      const { values, scale, min } = requireTensor(name);
      return Float32Array.from(values, (value) => value * scale + min);
    },
  };
}

interface TensorSlice {
  readonly entry: ManifestEntry;
  readonly values: Uint8Array;
  readonly scale: number;
  readonly min: number;
}

function sliceTensors(manifest: Manifest, binary: Uint8Array): ReadonlyMap<string, TensorSlice> {
  const tensors = new Map<string, TensorSlice>();
  let offset = 0;
  for (const entry of manifest.weightsManifest.flatMap((group) => group.weights)) {
    const count = entry.shape.reduce((product, size) => product * size, 1);
    const { quantization } = entry;
    // Unquantised entries are int32 shapes and axes of the original graph, which this graph does not use.
    const end = offset + count * (quantization === undefined ? 4 : 1);
    if (quantization !== undefined) {
      const { scale, min } = quantization;
      tensors.set(entry.name, { entry, values: binary.subarray(offset, end), scale, min });
    }
    offset = end;
  }
  if (offset !== binary.length) throw new Error(`The manifest describes ${offset} bytes of ${binary.length}`);
  return tensors;
}
