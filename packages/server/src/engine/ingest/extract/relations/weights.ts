/** Reads the learned weights of the relation scorers from their file. */

import { readFileSync } from "node:fs";
import type { RelationModels, ScoringModel } from "./score.ts";

/** Numbers of a model before its weights: units, features, slope and offset of the calibration. */
const HEADER = 4;

const sizeOf = (units: number, features: number): number => HEADER + (units + 3) * features + 2 * units + 1;

/** The weights of this version. @throws RangeError when the file has not the size that it names */
export function readRelationWeights(): RelationModels {
  return decodeRelationWeights(readFileSync(new URL("./relation-weights.bin", import.meta.url)));
}

/**
 * Two models behind one another, the one without examples first; each as float32, little endian: units, features, slope and
 * offset of the calibration, means and deviations of the features, then the weights in the order of `ScoringModel`.
 */
export function encodeRelationWeights({ plain, withExamples }: RelationModels): Uint8Array {
  const numbers = [plain, withExamples].flatMap(
    ({ units, features, calibration, mean, deviation, weights }) => {
      const { slope, offset } = calibration;
      return [units, features, slope, offset, ...mean, ...deviation, ...weights];
    },
  );
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, number] of numbers.entries()) view.setFloat32(index * 4, number, true);
  return new Uint8Array(view.buffer);
}

/** @throws RangeError as `readRelationWeights` does */
export function decodeRelationWeights(bytes: Uint8Array): RelationModels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers = Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) =>
    view.getFloat32(index * 4, true),
  );
  const plain = decodeModel(numbers, 0);
  const next = sizeOf(plain.units, plain.features);
  const withExamples = decodeModel(numbers, next);
  if ((next + sizeOf(withExamples.units, withExamples.features)) * 4 !== bytes.length)
    throw wrongSize(bytes.length);
  return { plain, withExamples };
}

function decodeModel(numbers: Float32Array, from: number): ScoringModel {
  const [units = 0, features = 0, slope = 1, offset = 0] = numbers.subarray(from, from + HEADER);
  const to = from + sizeOf(units, features);
  if (features < 1 || !(to <= numbers.length)) throw wrongSize(numbers.length * 4);
  const means = from + HEADER;
  const weights = means + 2 * features;
  return {
    units,
    features,
    mean: [...numbers.subarray(means, means + features)],
    deviation: [...numbers.subarray(means + features, weights)],
    weights: [...numbers.subarray(weights, to)],
    calibration: { slope, offset },
  };
}

const wrongSize = (bytes: number) =>
  new RangeError(`The relation weights have an unexpected size: ${bytes} bytes`);
