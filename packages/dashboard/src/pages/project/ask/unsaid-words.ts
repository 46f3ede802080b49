/** Words of a question of which the quoted sentences say nothing: a sign that they answer only a part of it. */
import { contentWords } from "./question-words.ts";

/** Words are known of English only. */
const english = /\b(?:what|who|whom|whose|where|when|which|why|how)\b/i;
/** They say what kind of answer is wanted, and an answer need not repeat them. */
const kinds = new Set(
  "place places country countries city cities town year years date name names person people kind type number many company".split(
    " ",
  ),
);
const minCharacters = 4;

export function unsaidWords(question: string, answer: string): readonly string[] {
  if (!english.test(question)) return [];
  const said = contentWords(answer);
  return contentWords(question).filter(
    (word) =>
      word.length >= minCharacters &&
      !kinds.has(word) &&
      !said.some((other) => other.startsWith(word.slice(0, minCharacters))),
  );
}
