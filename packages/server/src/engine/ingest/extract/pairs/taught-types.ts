/** Learns from the ends of examples what names of each node type look like in their sentences. */

import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import type { TokenStates } from "../types/type-scores.ts";
import { centredWordStates } from "../types/word-states.ts";

/** A name that is known to be of a type. */
export interface TaughtName {
  readonly type: number;
  readonly features: Float32Array;
  /** For each type what else speaks for it, as a logit. */
  readonly prior: readonly number[];
}

/** The logits of the types, given what else speaks for them. */
export type TaughtTypes = (features: Float32Array, prior: readonly number[]) => readonly number[];

const STEPS = 100;
const RATE = 0.1;
const DECAY = 0.0005;
/** What is learned here takes over a part of what else is known. */
const PRIOR_SHARE = 0.7;
const CONTEXT = { words: 2, weight: 0.7 } as const;
const SHAPE_WEIGHT = 0.5;
/** Of all examples: learning takes some 0.3 ms for each. */
const MAX_NAMES = 400;

/** A softmax over the types, learned by gradient steps over the names in their order: deterministic. */
export function learnTypes(all: readonly TaughtName[], types: number): TaughtTypes {
  const names = all.slice(0, MAX_NAMES);
  const size = names[0]?.features.length ?? 0;
  const weights = Array.from({ length: types }, () => new Float64Array(size + 1));
  const logits: TaughtTypes = (features, prior) =>
    weights.map((row, type) => {
      let sum = PRIOR_SHARE * (prior[type] ?? 0) + row[size]!;
      for (let at = 0; at < size; at++) sum += row[at]! * features[at]!;
      return sum;
    });
  for (let step = 0; step < STEPS; step++) {
    for (const { type: wanted, features, prior } of names) {
      const shares = softmax(logits(features, prior));
      for (const [type, row] of weights.entries()) {
        const gradient = (shares[type] ?? 0) - (type === wanted ? 1 : 0);
        for (let at = 0; at < size; at++) row[at] = row[at]! * (1 - DECAY) - RATE * gradient * features[at]!;
        row[size] = row[size]! - RATE * gradient;
      }
    }
  }
  return logits;
}

export function softmax(logits: readonly number[]): readonly number[] {
  const highest = Math.max(...logits);
  const parts = logits.map((logit) => Math.exp(logit - highest));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
}

export interface StatedSentence {
  readonly tokens: readonly TaggedToken[];
  readonly encoded: TokenStates;
  readonly offset: number;
}

/** Reads the states of names and of the words beside them, and the form of the names. */
export function createNameFeatures(
  { tokens, encoded, offset }: StatedSentence,
  mean: Float32Array,
): (range: TokenRange, name: string) => Float32Array {
  const states = centredWordStates(tokens, { states: encoded, offset, mean });
  const { dimensions } = encoded;
  const addMean = (target: Float32Array, [from, to]: readonly [number, number], weight: number) => {
    for (let row = Math.max(0, from); row < Math.min(tokens.length, to); row++)
      for (let k = 0; k < dimensions; k++) target[k] = target[k]! + states[row * dimensions + k]!;
    let square = 0;
    for (const value of target) square += value * value;
    const scale = weight / (Math.sqrt(square) || 1);
    for (let k = 0; k < dimensions; k++) target[k] = target[k]! * scale;
  };
  return ({ from, to }, name) => {
    const form = formOf(name);
    const features = new Float32Array(3 * dimensions + form.length);
    addMean(features.subarray(0, dimensions), [from, to], 1);
    addMean(features.subarray(dimensions, 2 * dimensions), [from - CONTEXT.words, from], CONTEXT.weight);
    addMean(features.subarray(2 * dimensions, 3 * dimensions), [to, to + CONTEXT.words], CONTEXT.weight);
    features.set(
      form.map((is) => (is ? SHAPE_WEIGHT : 0)),
      3 * dimensions,
    );
    return features;
  };
}

function formOf(name: string): readonly boolean[] {
  const words = name.split(/\s+/).length;
  return [
    /\d/.test(name),
    /^[^\p{Ll}]+$/u.test(name),
    /^\p{Ll}/u.test(name),
    words === 1,
    words === 2,
    words > 3,
    name.includes("-"),
  ];
}
