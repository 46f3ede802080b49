/** Weights of columns' types and of pairs of columns, learned from real tables by evals/records/fit.ts. */

interface Weights {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** In the order of `TYPE_FEATURES`. */
const typeWeights: Weights = {
  bias: -1.61,
  weights: [1.53, 0.6, 1.27, 1.23, 0.95, 1.81, 0.03, -0.35, -0.86, 0.36, -0.7],
};

/** In the order of `PAIR_FEATURES`. */
const pairWeights: Weights = {
  bias: -1.41,
  weights: [0.13, 0.15, 0.67, 1.57, 4.06, 0.64, 0.92, 0.05, -0.74, 0.43, 0.02, -1.62],
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
