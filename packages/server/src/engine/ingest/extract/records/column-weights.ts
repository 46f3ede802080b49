/** Weights of columns' types and of pairs of columns, learned from real tables by evals/records/fit.ts. */

interface Weights {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** In the order of `TYPE_FEATURES`. */
const typeWeights: Weights = {
  bias: -1.6,
  weights: [1.52, 0.0, 0.6, 1.23, 1.27, 0.95, 1.81, 0.04, -0.34, -0.88, 0.36, -0.7],
};

/** In the order of `PAIR_FEATURES`. */
const pairWeights: Weights = {
  bias: -1.4,
  weights: [0.14, 0.13, 0.69, 1.61, 0.0, 3.93, 0.0, 0.0, 0.55, 0.87, 0.0, 0.04, -0.73, 0.44, 0.01, -1.63],
};

/** Log odds that the column is of the type. */
export function scoreColumnType(features: readonly number[]): number {
  return logitOf(typeWeights, features);
}

/** The probability that the columns tell the edge type. */
export function scoreColumnPair(features: readonly number[]): number {
  return 1 / (1 + Math.exp(-logitOf(pairWeights, features)));
}

function logitOf({ bias, weights }: Weights, features: readonly number[]): number {
  return features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
}
