/** Ranking metrics over document ids in ranked order, each id once. `relevant` maps ids to their grade. */

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

/** The part of the relevant documents that is among the first `depth`. */
export function recall(
  ranked: readonly string[],
  relevant: ReadonlyMap<string, number>,
  depth: number,
): number {
  const wanted = [...relevant].filter(([, grade]) => grade > 0).map(([id]) => id);
  if (wanted.length === 0) return 0;
  const found = new Set(ranked.slice(0, depth));
  return wanted.filter((id) => found.has(id)).length / wanted.length;
}
