/** One score of a passage's features. */
import type { FeatureVector } from "./features.ts";
import { BIAS, WEIGHTS } from "./weights.ts";

/**
 * How likely the passage is among those that the question needs, 0…1: a weighted sum through the logistic function. The weights are learned
 * listwise (softmax over a question's passages: Cao et al., "Learning to Rank: From Pairwise Approach to Listwise Approach",
 * 2007), slope and bias then by how often a passage of a sum is one; evals/graph-ranking has both.
 */
export function scoreFeatures(vector: FeatureVector): number {
  const sum = WEIGHTS.reduce((all, weight, at) => all + weight * (vector[at] ?? 0), BIAS);
  return 1 / (1 + Math.exp(-sum));
}
