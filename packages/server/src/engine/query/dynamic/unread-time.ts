/** Tells whether a sentence speaks of a time in another form than a year of four figures, which is all that is read of a comparison. English. */
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";

/** "850", "0850", "the 9th", "’96", "18 15", "1 815". A day beside its month is part of a date. */
const FIGURES =
  /(?<![\p{N}.,])(?![12][0-9]{3})\p{Nd}{3,4}(?![\p{N}]|[.,]\p{N})|\p{Nd}(?:st|nd|rd|th)\b|['’‘]\p{Nd}\p{Nd}(?!\p{N})|(?<!\p{N})\p{Nd}{1,2}\s\p{Nd}{2,3}(?!\p{N})|\b(?:hundred|thousand)\b/u;
/** "MDCCCXV"; shorter ones number kings. */
const ROMAN =
  /(?<![\p{L}\p{N}])(?=[MDCLXVI]{3})(?:[MDCLXVI]{4,15}|[MDCLXVI]{0,2}[MDCL][MDCLXVI]{0,2})(?![\p{L}\p{N}])/u;
const PERIODS = /\b(?:centur(?:y|ies)|decades?|millenni(?:um|a)|years?|eras?|ages?|aged|ago|antiquity)\b/iu;
/** "pre-Roman", "antedates", "outlived", "dates from". */
const ORDER =
  /\b(?:old|older|oldest|elder|eldest|young|younger|youngest|newer|newest|ancient|medi(?:ae|e)val|prehistoric|early|earlier|earliest|later|latest|before|after|first|last|firstborn|twins?|dat(?:es?|ing)|dated|(?:ante|post|pre)-?dat(?:e[ds]?|ing)|preced(?:e[ds]?|ing)|predecessors?|succeed(?:s|ed|ing)?|successors?|outliv(?:e[ds]?|ing)|surviv(?:e[ds]?|ing|ors?)|posthumous(?:ly)?|widow(?:s|er|ed)?)\b/iu;
/** A sentence of as many words has one of the commonest of English. */
const MIN_ENGLISH_WORDS = 6;

/** Also true for a sentence of another language, of which nothing is known. */
export function tellsUnreadTime(sentence: string): boolean {
  return [FIGURES, ROMAN, PERIODS, ORDER].some((form) => form.test(sentence)) || !mayBeEnglish(sentence);
}

function mayBeEnglish(sentence: string): boolean {
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length < MIN_ENGLISH_WORDS || words.some((word) => ENGLISH_STOP_WORDS.has(word));
}
