import type { ListedCorrection } from "@kcs/sdk";

type Rejection = Extract<ListedCorrection, { kind: "reject" }>;

/** The rejections of what a sentence of the answer may state: it names both ends, by any of their names. */
export function rejectedIn(
  sentences: readonly string[],
  corrections: readonly ListedCorrection[],
): readonly Rejection[] {
  return corrections.flatMap((each) => {
    if (each.kind !== "reject") return [];
    const names = [each.source, each.target].map(({ name, also }) => [
      name,
      ...also.map((other) => other.name),
    ]);
    const isIn = (sentence: string) =>
      names.every((some) => some.some((name) => sentence.includes(name))) &&
      (each.sentence === null || sentence.includes(each.sentence) || each.sentence.includes(sentence.trim()));
    return sentences.some(isIn) ? [each] : [];
  });
}
