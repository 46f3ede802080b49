/** Questions about documents, made of their own words. */
import type { NewDocument } from "../evals/client.ts";
import { createRandom, type Random } from "./soak/random.ts";

const FORMS: readonly ((words: string) => string)[] = [
  (words) => `What is ${words}?`,
  (words) => `How does ${words} work?`,
  (words) => `When should I use ${words}?`,
  (words) => words,
];

/** `count` questions of three to nine words in a row from anywhere in the documents; they follow from the seed. */
export function makeQuestions(
  documents: readonly NewDocument[],
  count: number,
  seed: number,
): readonly string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () =>
    random.pick(FORMS)(wordsInARow(random.pick(documents).text, random)),
  );
}

function wordsInARow(text: string, random: Random): string {
  const start = random.integer(0, Math.max(0, text.length - 400));
  const words = text.slice(start, start + 400).match(/\p{L}[\p{L}\p{N}_'-]*/gu) ?? ["documentation"];
  // The first may be the end of a word that was cut.
  return words.slice(1, 1 + random.integer(3, 9)).join(" ") || "documentation";
}
