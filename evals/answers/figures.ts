/** Figures that evaluations of answers share. */

/** Percent, with half of Wilson's interval of 95 %. */
export function share<T>(asked: readonly T[], is: (one: T) => boolean): string {
  const [n, k] = [asked.length, asked.filter(is).length];
  if (n === 0) return "–";
  const [p, z] = [k / n, 1.96];
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  return `${(100 * p).toFixed(1)} ± ${(100 * half).toFixed(1)}`;
}

interface Scored {
  readonly similarity: number;
}

/** Mann and Whitney 1947: the probability that an answerable question has more, ties counted half; three places. */
export function areaUnderCurve(answerable: readonly Scored[], others: readonly Scored[]): number {
  let sum = 0;
  for (const { similarity } of answerable)
    for (const other of others)
      sum += similarity > other.similarity ? 1 : similarity === other.similarity ? 0.5 : 0;
  return answerable.length === 0 || others.length === 0
    ? 0
    : Math.round((1000 * sum) / (answerable.length * others.length)) / 1000;
}
