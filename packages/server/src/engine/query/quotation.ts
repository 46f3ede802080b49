/** Rules for quotations: where a sentence ends, how long it is, how a long one is cut. */

import { isSpace } from "../text/blocks.ts";
import { isAscii } from "../text/fold-text.ts";

/** Fewer are a title or a line rather than a sentence. */
export const SENTENCE_WORDS = 8;
const LEAD_IN = /[:：]["'*_]{0,4}$/;
/** A longer sentence is cut into windows. */
export const MAX_QUOTED_UNITS = 420;

/** Whether the text ends with a sentence terminator, ignoring closing quotes and reference marks. */
export function endsLikeSentence(text: string): boolean {
  return /[.!?…。！？｡।॥؟۔։።]["'”’»›)\]*_`」』）\d[]{0,8}$/.test(text);
}

/** Whether what follows the text says the rest. */
export function isLeadIn(text: string): boolean {
  return LEAD_IN.test(text);
}

/** "In her second letter of 1950, Ida Rell says of the weir:" has more to say than what follows is. */
export function isToldLeadIn(text: string): boolean {
  return isLeadIn(text) && countWords(text) >= SENTENCE_WORDS;
}

/** Whether a line or sentence asks: it ends in a question mark, or is marked "Q:". */
export function isQuestion(text: string): boolean {
  return /[?？؟]["'”’»›)*_`」』]{0,4}$/.test(text) || /^(?:\*\*|__)?Q\d{0,3}\s?[.:)]\s/.test(text);
}

/** Whether a question begins with a mark: "Q:", "Frage 3:", "问：". */
export function isQuestionMarked(text: string): boolean {
  return QUESTION_MARK.test(text);
}

/** Length of the mark before an answer; 0 where its question has none, except for an English one. */
export function answerMark(answer: string, question: string): number {
  const mark = isQuestionMarked(question) ? QUESTION_MARK : /^(?:A|Answer)\s?[.:)]\s{1,8}/;
  return mark.exec(answer.slice(0, 40))?.[0].length ?? 0;
}

const QUESTION_MARK =
  /^(?:\*\*|__)?(?:\p{L}{1,10}(?:\s?\d{1,3})?\s?(?::\s|：)|\p{Lu}\d{0,3}[.)]\s)(?:\*\*|__)?\s{0,8}/u;

/** Whether the text begins with a word that refers back: "It was", "Her house". */
export function refersBack(text: string): boolean {
  return /^(?:it|he|she|they|this|these|that|those|its|his|her|their|such|both)\b/i.test(text);
}

/** {@link refersBack}, or whether a pronoun follows the first words: "In fact it was". Whom such a sentence is about, another one says. */
export function hasOuterSubject(text: string): boolean {
  return refersBack(text) || /^(?:[\p{L}\p{N}’'-]{1,20},? ){1,4}(?:it|he|she|they)\b/iu.test(text);
}

/** The number of words, at most 20; in scripts without spaces, three code units count as two words. */
export function countWords(text: string): number {
  let words = 1;
  for (let at = 0; at < text.length && at < 200 && words < 20; at++) {
    if (isSpace(text.charCodeAt(at)) && (at === 0 || !isSpace(text.charCodeAt(at - 1)))) words++;
  }
  const beginning = text.slice(0, 40);
  if (isAscii(beginning)) return words;
  const dense = beginning.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0;
  return Math.max(words, Math.floor((dense * 2) / 3));
}

export interface Window {
  readonly text: string;
  /** Offsets of what is not left out. */
  readonly at: number;
  readonly end: number;
}

/** The sentence or, if too long, its parts: cut between words, with an ellipsis at each cut. */
export function* windows(sentence: string): Generator<Window> {
  let at = 0;
  while (sentence.length - at > MAX_QUOTED_UNITS) {
    const window = sentence.slice(at, at + MAX_QUOTED_UNITS);
    const space = window.search(/\s\S*$/);
    const length =
      space > MAX_QUOTED_UNITS / 2
        ? space
        : MAX_QUOTED_UNITS - (isCutPair(sentence, at + MAX_QUOTED_UNITS) ? 1 : 0);
    const kept = window.slice(0, length).trimEnd();
    yield { text: `${at > 0 ? "…" : ""}${kept}…`, at, end: at + kept.length };
    at += length;
    while (/\s/.test(sentence.charAt(at))) at++;
  }
  if (at < sentence.length)
    yield { text: `${at > 0 ? "…" : ""}${sentence.slice(at)}`, at, end: sentence.length };
}

function isCutPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}
