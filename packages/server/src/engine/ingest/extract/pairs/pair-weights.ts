/** Weights of the features of pairs, learned from annotated sentences by evals/truth/fit-pairs.ts. */

export interface PairWeights {
  readonly bias: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly weights: readonly number[];
}

const plain: PairWeights = {
  bias: 0.85,
  weights: [
    0.32, 0.72, 0.13, -0.18, -1.38, -0.8, -3.0, -1.37, 0.44, 1.31, 1.78, 1.31, -0.49, -0.14, -0.74, 0.12,
    -0.61, 0.0, 0.0, 0.65, -1.09, 0.24,
  ],
};
const taught: PairWeights = {
  bias: 1.04,
  weights: [
    0.71, 0.59, 0.41, -0.01, -1.47, -0.59, -2.88, -1.71, 0.65, 1.23, 1.47, 0.92, -0.63, -0.1, -0.95, 0.18,
    -0.64, 0.83, 1.32, 0.51, -0.98, 0.13,
  ],
};

/** The probability that the sentence states it. */
export function scorePair(features: readonly number[], isTaught: boolean): number {
  const { bias, weights } = isTaught ? taught : plain;
  const logit = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return 1 / (1 + Math.exp(-logit));
}
