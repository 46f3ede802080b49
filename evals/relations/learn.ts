/** Learns the weights of the relation scorer: Adam on the softmax of each group of candidates and "none of these". */

import type { ScoringModel } from "../../packages/server/src/engine/ingest/extract/relations/score.ts";

/** Candidates that compete, of one sentence. */
export interface Group {
  readonly rows: readonly Float32Array[];
  readonly isTrue: Uint8Array;
}

export interface LearningOptions {
  readonly units: number;
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
  /** Weight of groups without a true candidate: the gold is incomplete. */
  readonly noneWeight: number;
  readonly seed: number;
}

export const defaultLearning: LearningOptions = {
  units: 3,
  epochs: 3,
  rate: 0.004,
  decay: 4e-3,
  noneWeight: 1,
  seed: 1,
};

const BATCH = 8;
const MAX_DEVIATIONS = 5;
const LEAK = 0.05;

/** mulberry32 */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SEEDS = [1, 2, 3, 4] as const;

/** The mean of several models that differ in their beginnings only, as one model. */
export function learnMany(groups: readonly Group[], options: LearningOptions): ScoringModel {
  const models = SEEDS.map((seed) => learn(groups, { ...options, seed }));
  const [first] = models;
  if (first === undefined) throw new RangeError("no seeds");
  const { features, units } = first;
  const biases = units * features;
  const outputs = biases + units;
  const part = (from: number, to: number, share = 1) =>
    models.flatMap(({ weights }) => weights.slice(from, to).map((weight) => weight * share));
  const mean = (from: number, to: number) =>
    first.weights.slice(from, to).map((_, at) => {
      return models.reduce((sum, { weights }) => sum + (weights[from + at] ?? 0), 0) / models.length;
    });
  const weights = [
    ...part(0, biases),
    ...part(biases, outputs),
    ...part(outputs, outputs + units, 1 / models.length),
    ...mean(outputs + units, first.weights.length),
  ];
  return { ...first, units: units * models.length, weights };
}

export function learn(groups: readonly Group[], options: LearningOptions): ScoringModel {
  const features = groups[0]?.rows[0]?.length ?? 0;
  const { mean, deviation } = moments(groups, features);
  const random = createRandom(options.seed);
  const size = options.units * features + 2 * options.units + 1 + features;
  const weights = Float64Array.from({ length: size }, () => (random() - 0.5) * 1.2 * Math.sqrt(1 / features));
  weights[options.units * (features + 2)] = -2;
  const state = {
    weights,
    gradient: new Float64Array(size),
    first: new Float64Array(size),
    second: new Float64Array(size),
  };
  const standard = groups.map(({ rows, isTrue }) => ({
    isTrue,
    rows: rows.map((row) => standardise(row, mean, deviation)),
  }));
  let step = 0;
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const order = shuffled(standard.length, random);
    const rate = options.rate * (1 - (0.85 * epoch) / options.epochs);
    let inBatch = 0;
    for (const [position, index] of order.entries()) {
      const group = standard[index];
      if (group === undefined) continue;
      accumulate(state, group, { units: options.units, features, noneWeight: options.noneWeight });
      inBatch++;
      if (inBatch < BATCH && position < order.length - 1) continue;
      update(state, { rate, decay: options.decay, count: inBatch, step: ++step });
      inBatch = 0;
    }
  }
  const calibration = { slope: 1, offset: 0 };
  return {
    units: options.units,
    features,
    mean: [...mean],
    deviation: [...deviation],
    weights: [...weights],
    calibration,
  };
}

function moments(groups: readonly Group[], features: number) {
  const mean = new Float64Array(features);
  const deviation = new Float64Array(features);
  let count = 0;
  for (const { rows } of groups)
    for (const row of rows) {
      count++;
      for (let at = 0; at < features; at++) mean[at] = (mean[at] ?? 0) + (row[at] ?? 0);
    }
  for (let at = 0; at < features; at++) mean[at] = (mean[at] ?? 0) / count;
  for (const { rows } of groups)
    for (const row of rows)
      for (let at = 0; at < features; at++)
        deviation[at] = (deviation[at] ?? 0) + ((row[at] ?? 0) - (mean[at] ?? 0)) ** 2;
  return { mean, deviation: deviation.map((sum) => Math.sqrt(sum / count) + 0.02) };
}

function standardise(row: Float32Array, mean: Float64Array, deviation: Float64Array): Float32Array {
  return row.map((value, at) => {
    const standard = (value - (mean[at] ?? 0)) / (deviation[at] ?? 1);
    return Math.max(-MAX_DEVIATIONS, Math.min(MAX_DEVIATIONS, standard));
  });
}

function shuffled(length: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length }, (_, index) => index);
  for (let at = length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    const kept = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

interface State {
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

interface Shape {
  readonly units: number;
  readonly features: number;
  readonly noneWeight: number;
}

/** Adds the gradient of −log p(any true candidate), or of −log p(none). */
function accumulate(state: State, { rows, isTrue }: Group, shape: Shape): void {
  const { units } = shape;
  const hidden = new Float64Array(rows.length * units);
  const raw = rows.map((row, index) =>
    forward(state.weights, row, { ...shape, hidden, offset: index * units }),
  );
  const highest = Math.max(0, ...raw);
  const none = Math.exp(-highest);
  const exps = raw.map((value) => Math.exp(value - highest));
  const sum = exps.reduce((total, value) => total + value, none);
  const trues = isTrue.reduce((total, value) => total + value, 0);
  const truth = exps.reduce((total, value, index) => total + (isTrue[index] === 1 ? value : 0), 0);
  const weight = trues > 0 ? 1 : shape.noneWeight;
  for (const [index, row] of rows.entries()) {
    const p = (exps[index] ?? 0) / sum;
    // Half the pull by their own likelihood, half evenly: several candidates of a group may be true.
    const pull = isTrue[index] === 1 ? (0.5 * (exps[index] ?? 0)) / (truth || 1) + 0.5 / trues : 0;
    const delta = (p - pull) * weight;
    if (Math.abs(delta) > 1e-5) backward(state, row, { ...shape, hidden, offset: index * units, delta });
  }
}

interface Place extends Shape {
  readonly hidden: Float64Array;
  readonly offset: number;
}

function forward(
  weights: Float64Array,
  row: Float32Array,
  { units, features, hidden, offset }: Place,
): number {
  const biases = units * features;
  const outputs = biases + units;
  const direct = outputs + units + 1;
  let sum = weights[outputs + units] ?? 0;
  for (let at = 0; at < features; at++) sum += (weights[direct + at] ?? 0) * (row[at] ?? 0);
  for (let unit = 0; unit < units; unit++) {
    let input = weights[biases + unit] ?? 0;
    const first = unit * features;
    for (let at = 0; at < features; at++) input += (weights[first + at] ?? 0) * (row[at] ?? 0);
    const output = input > 0 ? input : LEAK * input;
    hidden[offset + unit] = output;
    sum += (weights[outputs + unit] ?? 0) * output;
  }
  return sum;
}

function backward(
  { weights, gradient }: State,
  row: Float32Array,
  { units, features, hidden, offset, delta }: Place & { readonly delta: number },
): void {
  const biases = units * features;
  const outputs = biases + units;
  const direct = outputs + units + 1;
  gradient[outputs + units] = (gradient[outputs + units] ?? 0) + delta;
  for (let at = 0; at < features; at++)
    gradient[direct + at] = (gradient[direct + at] ?? 0) + delta * (row[at] ?? 0);
  for (let unit = 0; unit < units; unit++) {
    const output = hidden[offset + unit] ?? 0;
    gradient[outputs + unit] = (gradient[outputs + unit] ?? 0) + delta * output;
    const back = delta * (weights[outputs + unit] ?? 0) * (output > 0 ? 1 : LEAK);
    gradient[biases + unit] = (gradient[biases + unit] ?? 0) + back;
    const first = unit * features;
    for (let at = 0; at < features; at++)
      gradient[first + at] = (gradient[first + at] ?? 0) + back * (row[at] ?? 0);
  }
}

interface Update {
  readonly rate: number;
  readonly decay: number;
  readonly count: number;
  readonly step: number;
}

function update({ weights, gradient, first, second }: State, { rate, decay, count, step }: Update): void {
  const c1 = 1 - 0.9 ** step;
  const c2 = 1 - 0.999 ** step;
  for (let at = 0; at < weights.length; at++) {
    const g = (gradient[at] ?? 0) / count + decay * (weights[at] ?? 0);
    const m = 0.9 * (first[at] ?? 0) + 0.1 * g;
    const v = 0.999 * (second[at] ?? 0) + 0.001 * g * g;
    first[at] = m;
    second[at] = v;
    weights[at] = (weights[at] ?? 0) - (rate * (m / c1)) / (Math.sqrt(v / c2) + 1e-8);
  }
  gradient.fill(0);
}
