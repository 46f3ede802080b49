/** Weights of the features of pairs, learned from annotated sentences by evals/truth/fit-pairs.ts. */

export interface PairWeights {
  readonly bias: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly weights: readonly number[];
}

const plain: PairWeights = {
  bias: 0.85,
  weights: [
    0.31, 0.71, 0.14, -0.17, -1.42, -0.82, -2.97, -1.37, 0.44, 1.44, 1.82, 1.21, -0.49, -0.12, -0.72, 0.12,
    -0.63, 0.0, 0.0, 0.67, -0.82, 0.22,
  ],
};
const taught: PairWeights = {
  bias: 1.19,
  weights: [
    0.74, 0.61, 0.41, -0.01, -1.57, -0.63, -2.85, -1.75, 0.66, 1.38, 1.49, 0.83, -0.61, -0.09, -0.95, 0.16,
    -0.68, 0.77, 1.27, 0.4, -0.65, 0.07,
  ],
};

/** The probability that the sentence states it. */
export function scorePair(features: readonly number[], isTaught: boolean): number {
  const { bias, weights } = isTaught ? taught : plain;
  const logit = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return 1 / (1 + Math.exp(-logit));
}
