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
/** Products of a step, names² × classes: 400 names of 125 types. So many in each step take about three seconds in all. */
export const MAX_PRODUCTS = 2e7;

/**
 * A softmax over the types, learned by gradient steps over the names in their order: deterministic. While it learns, weights are kept as
 * shares of the names, which are fewer than the features: a fifth of the time. `turn` is called between steps, which take up to 30 ms.
 */
export async function learnTypes(
  all: readonly TaughtName[],
  types: number,
  turn?: () => Promise<void>,
): Promise<TaughtTypes> {
  const { names, classOf, classes } = boundWork(all.slice(0, MAX_NAMES), types);
  const wanted = names.map(({ type }) => classOf[type]!);
  const known = names.map(({ prior }) => joinPriors(prior, classOf, classes));
  const count = names.length;
  const products = innerProducts(names.map(({ features }) => features));
  const shares = new Float64Array(count * classes);
  const bias = new Float64Array(classes);
  let scale = 1;
  for (let step = 0; step < STEPS; step++) {
    for (let at = 0; at < count; at++) {
      const logits = bias.map((own, type) => known[at]![type]! + own);
      for (let other = 0; other < count; other++) {
        const product = scale * products[at * count + other]!;
        const from = other * classes;
        for (let type = 0; type < classes; type++) logits[type]! += product * shares[from + type]!;
      }
      scale *= 1 - DECAY;
      for (const [type, share] of softmax(logits).entries()) {
        const change = RATE * (share - (type === wanted[at] ? 1 : 0));
        shares[at * classes + type]! -= change / scale;
        bias[type]! -= change;
      }
    }
    await turn?.();
  }
  const rows = Array.from({ length: classes }, (_, type) =>
    sumOf(names, (at) => scale * shares[at * classes + type]!),
  );
  return (features, prior) => {
    const learned = rows.map((row) => dot(row, features));
    return classOf.map((own, type) => PRIOR_SHARE * (prior[type] ?? 0) + bias[own]! + learned[own]!);
  };
}

interface BoundedWork {
  readonly names: readonly TaughtName[];
  /** For each type. */
  readonly classOf: readonly number[];
  readonly classes: number;
}

/**
 * Each type is a class of its own where there is room. Else all types of which no name is known are one class, as nothing tells them apart,
 * and every type keeps as many of its first names as there is room for.
 */
export function boundWork(all: readonly TaughtName[], types: number): BoundedWork {
  const each = Array.from({ length: types }, (_, type) => type);
  if (all.length ** 2 * types <= MAX_PRODUCTS) return { names: all, classOf: each, classes: types };
  const known = new Set(all.map(({ type }) => type)).size;
  const names = firstOfEach(all, Math.floor(Math.sqrt(MAX_PRODUCTS / (known + 1))));
  const learned = [...new Set(names.map(({ type }) => type))];
  const classes = new Map(learned.map((type, at) => [type, at]));
  return {
    names,
    classOf: each.map((type) => classes.get(type) ?? learned.length),
    classes: learned.length + 1,
  };
}

function firstOfEach(names: readonly TaughtName[], most: number): readonly TaughtName[] {
  const counts = new Map<number, number>();
  const ranked = names.map((name, at) => {
    const rank = counts.get(name.type) ?? 0;
    counts.set(name.type, rank + 1);
    return { name, rank, at };
  });
  const kept = ranked.sort((a, b) => a.rank - b.rank || a.at - b.at).slice(0, most);
  return kept.sort((a, b) => a.at - b.at).map(({ name }) => name);
}

/** What else speaks for each class, as a logit: for one of many types together the log of their sum. */
function joinPriors(prior: readonly number[], classOf: readonly number[], classes: number): Float64Array {
  const joined = new Float64Array(classes).fill(Number.NEGATIVE_INFINITY);
  for (const [type, own] of classOf.entries()) {
    const [one, other] = [PRIOR_SHARE * (prior[type] ?? 0), joined[own]!];
    const most = Math.max(one, other);
    joined[own] =
      other === Number.NEGATIVE_INFINITY ? one : most + Math.log1p(Math.exp(Math.min(one, other) - most));
  }
  return joined;
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

export function softmax(logits: ArrayLike<number>): Float64Array {
  const parts = Float64Array.from(logits);
  const highest = parts.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  for (let at = 0; at < parts.length; at++) parts[at] = Math.exp(parts[at]! - highest);
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
