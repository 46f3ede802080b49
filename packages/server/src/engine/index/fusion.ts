/** One score out of a lexical and a dense one. */

export interface RetrievalScores {
  /** BM25; 0 if no term of the question occurs. */
  readonly lexical: number;
  /** Cosine, −1…1, exact or estimated. */
  readonly dense: number;
}

/** What one unit of each score counts, for one question. */
export interface FusionWeights {
  readonly lexical: number;
  readonly dense: number;
}

/** What the cosine counts where the question has terms; docs/decisions/0004 has the measurements. */
export const DENSE_WEIGHT = 0.41;

/**
 * Fused score = 0.59 · BM25 / ceiling + 0.41 · cosine, with `ceiling` what a chunk would have in which all the question's
 * terms, also those that are nowhere in the index, occurred without end (a convex combination with theoretical bounds;
 * Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023). It depends on the question, the
 * chunk and the collection's statistics, not on what else was found: scores of several questions can be compared,
 * and each chunk can be scored by itself. A question without terms (ceiling 0) is scored by the cosine alone.
 */
export function fusionWeights(ceiling: number): FusionWeights {
  if (!(ceiling > 0)) return { lexical: 0, dense: 1 };
  return { lexical: (1 - DENSE_WEIGHT) / ceiling, dense: DENSE_WEIGHT };
}

/** 0…1; a cosine so low that the sum is negative counts as nothing. */
export function fuseScores({ lexical, dense }: RetrievalScores, weights: FusionWeights): number {
  return Math.min(1, Math.max(0, weights.lexical * lexical + weights.dense * dense));
}
