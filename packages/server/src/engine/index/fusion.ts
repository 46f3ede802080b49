/** Combines the lexical and the dense score into one. */

export interface RetrievalScores {
  /** BM25; 0 if no term of the question occurs in the chunk. */
  readonly lexical: number;
  /** Cosine, −1…1, exact or estimated. */
  readonly dense: number;
}

/** The factors of the two scores, for one question. */
export interface FusionWeights {
  readonly lexical: number;
  readonly dense: number;
}

/** The weight of the cosine if the question has terms; docs/decisions/0004 has the measurements. */
export const DENSE_WEIGHT = 0.41;

/**
 * Fused score = 0.59 · BM25 / ceiling + 0.41 · cosine. `ceiling` is the limit of the BM25 score as all terms
 * of the question, including those that occur nowhere in the index, occur infinitely often (a convex
 * combination with theoretical bounds; Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid
 * Retrieval", 2023). The score depends on the question, the chunk and the collection statistics, not on other
 * results, so scores of different questions can be compared and each chunk can be scored separately. A
 * question without terms (ceiling 0) is scored by the cosine alone.
 */
export function fusionWeights(ceiling: number): FusionWeights {
  if (!(ceiling > 0)) return { lexical: 0, dense: 1 };
  return { lexical: (1 - DENSE_WEIGHT) / ceiling, dense: DENSE_WEIGHT };
}

/** 0…1; a negative sum, caused by a negative cosine, is raised to 0. */
export function fuseScores({ lexical, dense }: RetrievalScores, weights: FusionWeights): number {
  return Math.min(1, Math.max(0, weights.lexical * lexical + weights.dense * dense));
}
