/** Learns the weights of a linear listwise ranker. */

export interface Example {
  /** Passages of one question, one row of features each. */
  readonly rows: readonly (readonly number[])[];
  /** For each row whether it is needed: 0 or 1. */
  readonly labels: readonly number[];
}

export interface LinearModel {
  readonly weights: readonly number[];
  readonly bias: number;
}

const EPOCHS = 60;
const BATCH = 16;
const RATE = 0.03;
/** How strongly weights are held to the prior: of 0.003, 0.01, 0.03, 0.1, 0.2 and 0.4 the best on sets that were left out. */
const DECAY = 0.03;

/**
 * Softmax cross-entropy over each question's rows against the uniform distribution over those needed (ListNet; Cao et al. 2007), Adam, in an
 * order fixed by a seed, from `prior` and held to it by an L2 penalty (questions of another kind than those learned from are then
 * ranked nearly as the prior does); then slope and bias of a logistic function by Newton's method, so that a score is a
 * probability. Weights apply to features as they are: they are standardised within only.
 */
export function learn(examples: readonly Example[], prior: readonly number[]): LinearModel {
  const usable = examples.filter(({ labels }) => labels.includes(1));
  const scale = deviations(usable.flatMap(({ rows }) => rows));
  const weights = descend(
    usable,
    scale,
    prior.map((weight, at) => weight * (scale[at] ?? 1)),
  ).map((weight, at) => weight / (scale[at] ?? 1));
  return calibrate(usable, weights);
}

export function dot(weights: readonly number[], row: readonly number[]): number {
  let sum = 0;
  for (const [at, weight] of weights.entries()) sum += weight * (row[at] ?? 0);
  return sum;
}

function deviations(rows: readonly (readonly number[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, at) => {
    const mean = rows.reduce((sum, row) => sum + (row[at] ?? 0), 0) / rows.length;
    const variance = rows.reduce((sum, row) => sum + ((row[at] ?? 0) - mean) ** 2, 0) / rows.length;
    return Math.sqrt(variance) || 1;
  });
}

function descend(
  examples: readonly Example[],
  scale: readonly number[],
  prior: readonly number[],
): readonly number[] {
  const scaled = examples.map(({ rows, labels }) => ({
    labels,
    rows: rows.map((row) => row.map((value, at) => value / (scale[at] ?? 1))),
  }));
  const weights = [...prior];
  const first = scale.map(() => 0);
  const second = scale.map(() => 0);
  const random = createRandom(1);
  let step = 0;
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const order = shuffled(scaled, random);
    for (let from = 0; from < order.length; from += BATCH) {
      const slope = gradient(order.slice(from, from + BATCH), weights, prior);
      step++;
      const rate = RATE * (1 - (0.9 * epoch) / EPOCHS);
      for (const [at, value] of slope.entries()) {
        first[at] = 0.9 * (first[at] ?? 0) + 0.1 * value;
        second[at] = 0.999 * (second[at] ?? 0) + 0.001 * value * value;
        const mean = (first[at] ?? 0) / (1 - 0.9 ** step);
        const size = Math.sqrt((second[at] ?? 0) / (1 - 0.999 ** step));
        weights[at] = (weights[at] ?? 0) - (rate * mean) / (size + 1e-8);
      }
    }
  }
  return weights;
}

function gradient(
  batch: readonly Example[],
  weights: readonly number[],
  prior: readonly number[],
): readonly number[] {
  const slope = weights.map((weight, at) => DECAY * (weight - (prior[at] ?? 0)));
  for (const { rows, labels } of batch) {
    const scores = rows.map((row) => dot(weights, row));
    const most = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - most));
    const sum = powers.reduce((one, other) => one + other, 0);
    const needed = labels.reduce((one, other) => one + other, 0);
    for (const [place, row] of rows.entries()) {
      const excess = ((powers[place] ?? 0) / sum - (labels[place] ?? 0) / needed) / batch.length;
      for (const [at, value] of row.entries()) slope[at] = (slope[at] ?? 0) + excess * value;
    }
  }
  return slope;
}

function calibrate(examples: readonly Example[], weights: readonly number[]): LinearModel {
  const points = examples.flatMap(({ rows, labels }) =>
    rows.map((row, at) => ({ score: dot(weights, row), label: labels[at] ?? 0 })),
  );
  let slope = 1;
  let bias = -Math.max(...points.map(({ score }) => score)) / 2;
  for (let round = 0; round < 100; round++) {
    let [gs, gb, ss, sb, bb] = [0, 0, 1e-6, 0, 1e-6];
    for (const { score, label } of points) {
      const likely = 1 / (1 + Math.exp(-(slope * score + bias)));
      const spread = likely * (1 - likely);
      gs += (likely - label) * score;
      gb += likely - label;
      ss += spread * score * score;
      sb += spread * score;
      bb += spread;
    }
    const determinant = ss * bb - sb * sb;
    slope -= 0.5 * ((gs * bb - gb * sb) / determinant);
    bias -= 0.5 * ((gb * ss - gs * sb) / determinant);
  }
  return { weights: weights.map((weight) => weight * slope), bias };
}

/** Mulberry32: the same numbers on every machine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
