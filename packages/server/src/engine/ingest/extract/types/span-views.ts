/** Looks at a mention and the words around it as meanings, to be compared with the meaning of a type. */
import type { EntityMention } from "../mentions/entity-mention.ts";
import { NETWORK, type Weights } from "./weights.ts";

const { input } = NETWORK;
/** Keeps the length of a window of no words from being a division by zero. */
const leastSquare = 1e-2;

/** Reads a mention as the weighted sum of its views, each of unit length: its words, two before, two after, its last. */
export type ReadView = (centred: Float32Array, count: number, mention: EntityMention) => Float32Array;

export function createViewReader({ view }: Weights): ReadView {
  return (centred, count, { from, to }) => {
    const joined = new Float32Array(input);
    const windows = [from, to, from - 2, from, to, to + 2, to - 1, to];
    const sum = new Float32Array(input);
    for (let at = 0; at < NETWORK.views; at++) {
      sumRows(centred, Math.max(0, windows[2 * at]!), Math.min(count, windows[2 * at + 1]!), sum);
      addUnit(sum, view.subarray(at * input, (at + 1) * input), joined);
    }
    return joined;
  };
}

function sumRows(rows: Float32Array, from: number, to: number, sum: Float32Array): void {
  sum.fill(0);
  for (let row = from; row < to; row++) {
    for (let k = 0; k < input; k++) sum[k] = sum[k]! + rows[row * input + k]!;
  }
}

function addUnit(vector: Float32Array, weights: Float32Array, target: Float32Array): void {
  let square = leastSquare;
  for (let k = 0; k < input; k++) square += vector[k]! * vector[k]!;
  const scale = 1 / Math.sqrt(square);
  for (let k = 0; k < input; k++) target[k] = target[k]! + vector[k]! * scale * weights[k]!;
}
