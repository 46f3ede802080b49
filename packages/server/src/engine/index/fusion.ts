/** One score out of a lexical and a dense one. */

export interface RetrievalScores {
  /** BM25; 0 if no term of the question occurs. */
  readonly lexical: number;
  /** Cosine, −1…1. */
  readonly dense: number;
}

/** What the dense score counts; the rest is the lexical one's. Best of those measured on four public collections. */
export const DENSE_WEIGHT = 0.5;

/**
 * Fused scores, 0…1, in the order of the candidates: ½ · lexical + ½ · dense, each first stretched so that the least of
 * these candidates has 0 and the greatest 1 (convex combination; Bruch, Gai and Ingber, "An Analysis of Fusion
 * Functions for Hybrid Retrieval", 2023).
 *
 * **What such a score means:** a place between the worst and the best candidate of *this* question. The best has a
 * score near 1 even if nothing fits well; scores of two questions, or of one question before and after
 * an ingestion, cannot be compared, and a fixed threshold on them means nothing. `lexical` and `dense` can be used so.
 *
 * Where stretching has nothing to go by:
 * - No candidate has a lexical score: the score is the cosine alone, as it is, negative ones as 0.
 * - All lexical scores are equal: 1 for each.
 * - All cosines are equal, or there is one candidate: the cosine as it is, negative ones as 0.
 */
export function fuseScores(candidates: readonly RetrievalScores[]): number[] {
  const cosines = candidates.map(({ dense }) => Math.max(0, dense));
  if (candidates.every(({ lexical }) => lexical === 0)) return cosines;
  const lexical = stretch(candidates.map((candidate) => candidate.lexical)) ?? candidates.map(() => 1);
  const dense = stretch(candidates.map((candidate) => candidate.dense)) ?? cosines;
  return candidates.map(
    (_, index) => (1 - DENSE_WEIGHT) * (lexical[index] ?? 0) + DENSE_WEIGHT * (dense[index] ?? 0),
  );
}

/** Null if all values are equal. */
function stretch(values: readonly number[]): number[] | null {
  const least = Math.min(...values);
  const spread = Math.max(...values) - least;
  return spread > 0 ? values.map((value) => (value - least) / spread) : null;
}
