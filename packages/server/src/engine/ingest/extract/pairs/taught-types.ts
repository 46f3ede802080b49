/** Learns from the ends of examples what names of each node type look like in their sentences. */

import { dot, dotAll } from "../relations/word-vectors.ts";
import type { TokenRange } from "../statements/tagged-token.ts";
import type { SentenceStates } from "./sentence-states.ts";

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
/** Of all examples: learning takes time by the square. */
const MAX_NAMES = 400;

/**
 * A softmax over the types, learned by gradient steps over the names in their order: deterministic. While it learns, weights are kept as
 * shares of the names, which are fewer than the features: a fifth of the time.
 */
export function learnTypes(all: readonly TaughtName[], types: number): TaughtTypes {
  const names = all.slice(0, MAX_NAMES);
  const count = names.length;
  const products = innerProducts(names.map(({ features }) => features));
  const shares = new Float64Array(count * types);
  const bias = new Float64Array(types);
  let scale = 1;
  for (let step = 0; step < STEPS; step++) {
    for (const [at, { type: wanted, prior }] of names.entries()) {
      const logits = Array.from(bias, (own, type) => PRIOR_SHARE * (prior[type] ?? 0) + own);
      for (let other = 0; other < count; other++) {
        const product = scale * products[at * count + other]!;
        for (let type = 0; type < types; type++) logits[type]! += product * shares[other * types + type]!;
      }
      scale *= 1 - DECAY;
      for (const [type, share] of softmax(logits).entries()) {
        const change = RATE * (share - (type === wanted ? 1 : 0));
        shares[at * types + type]! -= change / scale;
        bias[type]! -= change;
      }
    }
  }
  const rows = Array.from({ length: types }, (_, type) =>
    sumOf(names, (at) => scale * shares[at * types + type]!),
  );
  return (features, prior) =>
    rows.map((row, type) => PRIOR_SHARE * (prior[type] ?? 0) + bias[type]! + dot(row, features));
}

function innerProducts(rows: readonly Float32Array[]): Float64Array {
  const products = new Float64Array(rows.length * rows.length);
  for (const [at, row] of rows.entries()) products.set(dotAll(row, rows), at * rows.length);
  return products;
}

function sumOf(names: readonly TaughtName[], weightOf: (at: number) => number): Float32Array {
  const sum = new Float32Array(names[0]?.features.length ?? 0);
  for (const [at, { features }] of names.entries()) {
    const weight = weightOf(at);
    for (let k = 0; k < sum.length; k++) sum[k] = sum[k]! + weight * features[k]!;
  }
  return sum;
}

export function softmax(logits: readonly number[]): readonly number[] {
  const highest = Math.max(...logits);
  const parts = logits.map((logit) => Math.exp(logit - highest));
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.map((part) => part / sum);
}

/** Reads the states of names and of the words beside them, and the form of the names. */
export function createNameFeatures({
  stateOf,
  dimensions,
}: SentenceStates): (range: TokenRange, name: string) => Float32Array {
  return ({ from, to }, name) => {
    const form = formOf(name).map((is) => (is ? SHAPE_WEIGHT : 0));
    const features = new Float32Array(3 * dimensions + form.length);
    const weighted = (range: TokenRange) => stateOf(range).map((value) => value * CONTEXT.weight);
    features.set(stateOf({ from, to }));
    features.set(weighted({ from: from - CONTEXT.words, to: from }), dimensions);
    features.set(weighted({ from: to, to: to + CONTEXT.words }), 2 * dimensions);
    features.set(form, 3 * dimensions);
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
