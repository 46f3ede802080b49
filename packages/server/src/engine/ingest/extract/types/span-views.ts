/** Looks at a mention and the words around it as meanings, to be compared with the meaning of a type. */
import type { EntityMention } from "../mentions/entity-mention.ts";
import { NETWORK, type Weights } from "./weights.ts";

const { input } = NETWORK;
/** Keeps the length of a window of no words from being a division by zero. */
const leastSquare = 1e-2;

/** Reads a mention as the weighted sum of its views, each of unit length: its words, two before, two after, its last. */
export type ReadView = (centred: Float32Array, count: number, mention: EntityMention) => Float32Array;

export function createViewReader({ view }: Weights): ReadView {
  const sum = new Float32Array(input);
  return (centred, count, { from, to }) => {
    const joined = new Float32Array(input);
    const windows = [from, to, from - 2, from, to, to + 2, to - 1, to];
    for (let at = 0; at < NETWORK.views; at++) {
      const low = Math.max(0, windows[2 * at]!);
      const high = Math.min(count, windows[2 * at + 1]!);
      if (low >= high) continue;
      sum.set(centred.subarray(low * input, (low + 1) * input));
      for (let row = low + 1; row < high; row++) addRow(centred, row * input, sum);
      addUnit(sum, at * input, { weights: view, target: joined });
    }
    return joined;
  };
}

function addRow(rows: Float32Array, first: number, sum: Float32Array): void {
  for (let k = 0; k < input; k++) sum[k] = sum[k]! + rows[first + k]!;
}

interface Weighted {
  readonly weights: Float32Array;
  readonly target: Float32Array;
}

function addUnit(vector: Float32Array, first: number, { weights, target }: Weighted): void {
  let square = leastSquare;
  for (let k = 0; k < input; k++) square += vector[k]! * vector[k]!;
  const scale = 1 / Math.sqrt(square);
  for (let k = 0; k < input; k++) target[k] = target[k]! + vector[k]! * scale * weights[first + k]!;
}
