/** Combines the features of a passage into one score. */
import type { FeatureVector } from "./features.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

/**
 * The estimated probability that the question needs the passage, 0…1: the logistic function of a weighted
 * sum. The weights are learned listwise (softmax over a question's passages: Cao et al., "Learning to Rank:
 * From Pairwise Approach to Listwise Approach", 2007); slope and bias are then calibrated to the frequency
 * with which passages of a sum are relevant. Both steps are in evals/graph-ranking.
 */
export function scoreFeatures(vector: FeatureVector): number {
  const sum = WEIGHTS.reduce((all, weight, at) => all + weight * (vector[at] ?? 0), BIAS);
  return 1 / (1 + Math.exp(-sum));
}
