/** Ranking metrics for document ids in ranked order without duplicates. `relevant` maps ids to their grade. */

/** Järvelin and Kekäläinen 2002, with gain = grade and discount log2(rank + 1), as in trec_eval. */
export function ndcg(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  const gain = (grades: readonly number[]) =>
    grades.slice(0, depth).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
  const ideal = gain([...relevant.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranked.map((id) => relevant.get(id) ?? 0)) / ideal;
}

/** The share of the relevant documents that are among the first `depth`. */
export function recall(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  const relevantIds = [...relevant].filter(([, grade]) => grade > 0).map(([id]) => id);
  if (relevantIds.length === 0) return 0;
  const retrieved = new Set(ranked.slice(0, depth));
  return relevantIds.filter((id) => retrieved.has(id)).length / relevantIds.length;
}
