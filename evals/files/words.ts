/** Texts as lists of words, and how much of one list another has. */

export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Three words in a row each: unlike words they tell the order, and unlike an alignment they take linear time. */
export function trigrams(words: readonly string[]): readonly string[] {
  return words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`);
}

/** The share of the wanted items that are found, each as often as it is wanted; null when none is wanted. */
export function overlap(wanted: readonly string[], found: readonly string[]): number | null {
  if (wanted.length === 0) return null;
  const left = new Map<string, number>();
  for (const item of found) left.set(item, (left.get(item) ?? 0) + 1);
  let count = 0;
  for (const item of wanted) {
    const available = left.get(item) ?? 0;
    if (available === 0) continue;
    left.set(item, available - 1);
    count++;
  }
  return Math.round((count / wanted.length) * 1_000) / 1_000;
}
