/** What a noun phrase may be: a type, or a word of the request. */
import { FRAMING_NOUNS, FRAMING_SUBJECTS } from "./framing-words.ts";
import type { NounPhrase } from "./phrases.ts";

export function canBeType({ isReference, head, words }: NounPhrase): boolean {
  if (isReference || head.length < 2 || !/^\p{L}/u.test(head)) return false;
  return words.length > 1 ? !isFramingCompound(words, head) : !FRAMING_NOUNS.has(head);
}

/** "knowledge base", "search system"; but "payment system" may be a thing of its own. */
function isFramingCompound(words: readonly string[], head: string): boolean {
  return (
    FRAMING_NOUNS.has(head) &&
    (words.slice(0, -1).some((word) => FRAMING_NOUNS.has(word)) ||
      head === "base" ||
      head === "graph" ||
      head === "information" ||
      head === "data" ||
      head === "database")
  );
}

/** Whoever asks, and what is built for it. */
export function isFramingSubject({ isReference, head, words, determiner }: NounPhrase): boolean {
  if (isReference || determiner === "our" || determiner === "my") return true;
  return words.length === 1
    ? FRAMING_SUBJECTS.has(head) || FRAMING_NOUNS.has(head)
    : FRAMING_NOUNS.has(head) && isFramingCompound(words, head);
}
