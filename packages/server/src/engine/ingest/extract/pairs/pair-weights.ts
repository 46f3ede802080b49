/** Weights of the features of pairs, learned from annotated sentences by evals/truth/fit-pairs.ts. */

export interface PairWeights {
  readonly bias: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly weights: readonly number[];
}

const plain: PairWeights = {
  bias: -1.53,
  weights: [
    0.15, 0.86, 0.36, -0.16, -1.44, -1.66, -2.89, 0.01, 0.19, 2.07, -0.02, 0.99, -0.44, -0.17, -0.62, 0.07,
    -0.36, 0.0, 0.0, 0.6, -0.47, 0.25, 4.66, 0.97,
  ],
};

const taught: PairWeights = {
  bias: -1.045,
  weights: [
    1.12, 0.81, -0.14, 0.01, -1.08, -1.35, -2.77, -0.46, 0.34, 1.82, -0.07, 0.49, -0.61, -0.06, -0.76, 0.05,
    -0.39, 1.22, 1.48, 0.39, -0.27, 0.13, 4.57, -0.29,
  ],
};

/** The probability that the sentence states it. */
export function scorePair(features: readonly number[], isTaught: boolean): number {
  const { bias, weights } = isTaught ? taught : plain;
  const logit = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return 1 / (1 + Math.exp(-logit));
}
