/** Weights of the features of pairs, learned from annotated sentences by evals/truth/fit-pairs.ts. */

export interface PairWeights {
  readonly bias: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly weights: readonly number[];
}

const plain: PairWeights = {
  bias: -1.042,
  weights: [
    0.71, 0.46, 0.13, 0.29, -1.64, -2.21, -2.28, -1.01, 0.1, 2.06, -0.33, 0.9, -0.17, -0.22, -0.63, -0.05,
    -0.3, 0.0, 0.0, 0.25, -0.08, 0.22, 3.9, 1.76, 0.18, 0.0,
  ],
};

const taught: PairWeights = {
  bias: -1.326,
  weights: [
    1.08, 0.71, 0.35, 0.19, -1.56, -2.02, -2.34, -1.11, 0.19, 1.85, -0.19, 0.14, -0.32, -0.15, -0.88, -0.07,
    -0.31, 1.8, 1.75, 0.01, -0.05, 0.18, 3.81, 0.77, 0.19, 1.01,
  ],
};

/** The probability that the sentence states it. */
export function scorePair(features: readonly number[], isTaught: boolean): number {
  const { bias, weights } = isTaught ? taught : plain;
  const logit = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return 1 / (1 + Math.exp(-logit));
}
