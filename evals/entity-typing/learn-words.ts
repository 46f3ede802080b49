/** The words' half of the network, forwards and back: what spans read of each word (see typing-network.ts). */
import { NETWORK } from "../../packages/server/src/engine/ingest/extract/types/weights.ts";
import { addOuter, multiplyAdd, multiplyAddBack, rowOf } from "./dense.ts";
import type { LearningSentence } from "./learning-set.ts";
import type { Parameters } from "./parameters.ts";

const { input, shape, hidden, span } = NETWORK;

/** The names of the matrices by which spans read words; `middle` reads the words themselves, the others also their neighbours. */
export const READINGS = ["first", "last", "before", "after", "middle"] as const;
export type Readings = Readonly<Record<(typeof READINGS)[number], Float32Array>>;

export interface WordPass {
  readonly readings: Readings;
  /** Adds the gradients, given the slopes of the readings. */
  back(slopes: Readings, gradients: Parameters): void;
}

/** `states` are centred, some of their numbers left out while learning. */
export function passWords(
  { count, shapes }: LearningSentence,
  states: Float32Array,
  parameters: Parameters,
): WordPass {
  const own = new Float32Array(count * hidden);
  for (let at = 0; at < count; at++) {
    const row = rowOf(own, at, hidden);
    row.set(parameters.projectBias!);
    multiplyAdd(rowOf(states, at, input), parameters.project!, row);
    multiplyAdd(rowOf(shapes, at, shape), parameters.projectShape!, row);
    for (let k = 0; k < hidden; k++) row[k] = Math.tanh(row[k]!);
  }
  const seen = own.slice();
  for (let at = 0; at < count; at++) {
    const row = rowOf(seen, at, hidden);
    if (at > 0) multiplyAdd(rowOf(own, at - 1, hidden), parameters.left!, row);
    if (at + 1 < count) multiplyAdd(rowOf(own, at + 1, hidden), parameters.right!, row);
    for (let k = 0; k < hidden; k++) row[k] = Math.max(0, row[k]!);
  }
  const sources = { first: seen, last: seen, before: seen, after: seen, middle: own };
  const readings = zeroReadings(count);
  for (const name of READINGS) {
    for (let at = 0; at < count; at++)
      multiplyAdd(rowOf(sources[name], at, hidden), parameters[name]!, rowOf(readings[name], at, span));
  }
  return {
    readings,
    back(slopes, gradients) {
      const ownSlopes = new Float32Array(count * hidden);
      const seenSlopes = new Float32Array(count * hidden);
      for (const name of READINGS) {
        const target = name === "middle" ? ownSlopes : seenSlopes;
        for (let at = 0; at < count; at++) {
          const slope = rowOf(slopes[name], at, span);
          addOuter(rowOf(sources[name], at, hidden), slope, gradients[name]!);
          multiplyAddBack(slope, parameters[name]!, rowOf(target, at, hidden));
        }
      }
      backToOwn({ count, own, seen, ownSlopes, seenSlopes }, parameters, gradients);
      for (let at = 0; at < count; at++) {
        const slope = rowOf(ownSlopes, at, hidden);
        for (let k = 0; k < hidden; k++) slope[k] = slope[k]! * (1 - own[at * hidden + k]! ** 2);
        for (let k = 0; k < hidden; k++) gradients.projectBias![k] = gradients.projectBias![k]! + slope[k]!;
        addOuter(rowOf(states, at, input), slope, gradients.project!);
        addOuter(rowOf(shapes, at, shape), slope, gradients.projectShape!);
      }
    },
  };
}

export function zeroReadings(count: number): Readings {
  const zeros = () => new Float32Array(count * span);
  return { first: zeros(), last: zeros(), before: zeros(), after: zeros(), middle: zeros() };
}

interface Slopes {
  readonly count: number;
  readonly own: Float32Array;
  readonly seen: Float32Array;
  readonly ownSlopes: Float32Array;
  readonly seenSlopes: Float32Array;
}

function backToOwn(
  { count, own, seen, ownSlopes, seenSlopes }: Slopes,
  parameters: Parameters,
  gradients: Parameters,
): void {
  for (let k = 0; k < seen.length; k++) {
    if (seen[k] === 0) seenSlopes[k] = 0;
    ownSlopes[k] = ownSlopes[k]! + seenSlopes[k]!;
  }
  for (let at = 0; at < count; at++) {
    const slope = rowOf(seenSlopes, at, hidden);
    if (at > 0) {
      addOuter(rowOf(own, at - 1, hidden), slope, gradients.left!);
      multiplyAddBack(slope, parameters.left!, rowOf(ownSlopes, at - 1, hidden));
    }
    if (at + 1 < count) {
      addOuter(rowOf(own, at + 1, hidden), slope, gradients.right!);
      multiplyAddBack(slope, parameters.right!, rowOf(ownSlopes, at + 1, hidden));
    }
  }
}
