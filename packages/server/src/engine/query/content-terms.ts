/** The words of a text that carry its topic, as stems, and whether another text has them all. */
import { foldText } from "../text/fold-text.ts";
import { stemWord } from "../text/stem.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";
import { findRelatedTerms } from "./related-words.ts";

const WORD = /[\p{L}\p{N}]{2,60}/gu;

/** In their order, with repetitions. */
export function contentTerms(text: string): readonly string[] {
  const words = foldText(text).match(WORD) ?? [];
  return words.filter((word) => !ENGLISH_STOP_WORDS.has(word)).map(stemWord);
}

/** Returns a test whether a text has all of the terms, or words that are related to them. */
export function coverOf(terms: readonly string[]): (text: string) => boolean {
  const related = findRelatedTerms(terms);
  return (text) => {
    const found = new Set(contentTerms(text));
    return terms.every((term) => found.has(term) || related.get(term)?.some((other) => found.has(other)));
  };
}
