/** Weights of the features of pairs, learned from annotated sentences by evals/truth/fit-pairs.ts. */

export interface PairWeights {
  readonly bias: number;
  /** In the order of `PAIR_FEATURES`. */
  readonly weights: readonly number[];
}

const plain: PairWeights = {
  bias: 0.864,
  weights: [
    0.298, 0.712, 0.143, -0.164, -1.379, -0.82, -3.026, -1.382, 0.44, 1.431, 1.758, 1.301, -0.501, -0.1,
    -0.748, 0.113, -0.644, 0.0, 0.0, 0.71, -1.099, 0.239,
  ],
};
const taught: PairWeights = {
  bias: 0.945,
  weights: [
    0.674, 0.542, 0.413, -0.016, -1.438, -0.629, -2.932, -1.672, 0.664, 1.328, 1.552, 0.936, -0.693, -0.038,
    -0.966, 0.197, -0.68, 0.898, 1.366, 0.711, -1.035, 0.15,
  ],
};

/** The probability that the sentence states it. */
export function scorePair(features: readonly number[], isTaught: boolean): number {
  const { bias, weights } = isTaught ? taught : plain;
  const logit = features.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias);
  return 1 / (1 + Math.exp(-logit));
}
