/** Weights of the features of pairs, learned from annotated sentences by evals/truth/fit-pairs.ts. */

export interface PairWeights {
  readonly bias: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly weights: readonly number[];
}

const plain: PairWeights = {
  bias: 0.73,
  weights: [
    0.28, 0.69, 0.16, -0.16, -1.39, -0.77, -2.95, -1.39, 0.44, 1.68, 1.5, 1.23, -0.52, -0.14, -0.63, 0.11,
    -0.62, 0.0, 0.0, 0.67, -0.83, 0.21,
  ],
};
const taught: PairWeights = {
  bias: 1.13,
  weights: [
    0.71, 0.61, 0.42, -0.02, -1.54, -0.56, -2.86, -1.78, 0.66, 1.82, 1.17, 0.8, -0.65, -0.1, -0.92, 0.14,
    -0.7, 0.77, 1.13, 0.36, -0.69, 0.04,
  ],
};

/** The probability that the sentence states it. */
export function scorePair(features: readonly number[], isTaught: boolean): number {
  const { bias, weights } = isTaught ? taught : plain;
  const logit = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return 1 / (1 + Math.exp(-logit));
}
