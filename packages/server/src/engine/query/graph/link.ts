/** Finds the names in a question that passages are about. */

import { findNames, type NameCandidate } from "../../text/names/question-names.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { idOf } from "./graph-reader.ts";
import type { NamedPassages, NameLookup } from "./name-lookup.ts";

/** A name in the question; offsets into its text. */
export interface LinkedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly about: NamedPassages;
  /** Written small: it counts only if the passages near the question mention it as a name. */
  readonly isUncertain: boolean;
}

/** So many documents about one name: it is a heading that all have. */
const MAX_DOCUMENTS = 40;
/** A small word of fewer letters is no name. */
const SMALL_LETTERS = 4;

/** How a candidate is written. */
interface Writing {
  readonly candidate: NameCandidate;
  /** A capital says that it is a name: not only one that begins a sentence. */
  readonly isCapitalized: boolean;
  /** Each word begins with a capital or a digit. */
  readonly isCapitalsOnly: boolean;
  readonly wordCount: number;
}

/**
 * The names of the question that some passage is about, longest first, none over another; in the order of the text. A name
 * begins with a capital, or half of its words do; a question without any capital but at the beginning may have names of several
 * words, and any question an uncertain one of one word. Other forms of a name count where each of its words has a capital.
 * Two rounds of look-ups.
 */
export async function linkNames(question: string, lookup: NameLookup): Promise<readonly LinkedName[]> {
  const all = findNames(question).map((candidate) => readWriting(question, candidate));
  const isSmall = !all.some(({ isCapitalized }) => isCapitalized);
  const candidates = all.filter((writing) => mayBeName(question, writing, isSmall));
  const about = await lookup.find(candidates.map(({ candidate }) => candidate.name));
  const linked: LinkedName[] = [];
  for (const { candidate, isCapitalized, isCapitalsOnly, wordCount } of candidates) {
    const { name, start, end } = candidate;
    const found = about.get(name);
    if (found === undefined || found.documents > MAX_DOCUMENTS || (found.isSynonym && !isCapitalsOnly))
      continue;
    if (linked.some((other) => start < other.end && other.start < end)) continue;
    const isTitled = found.passages.some(({ kind }) => kind === "title" || kind === "alias");
    linked.push({
      name,
      start,
      end,
      about: found,
      isUncertain: !isCapitalized && (wordCount === 1 || !isTitled),
    });
  }
  return linked.sort((one, other) => one.start - other.start);
}

/** The capitalised names beside those already linked that passages near the question mention, though none is about them. */
export function linkMentioned(
  question: string,
  linked: readonly LinkedName[],
  mentioned: ReadonlySet<string>,
): readonly LinkedName[] {
  const found = [...linked];
  for (const candidate of findNames(question)) {
    const { name, start, end } = candidate;
    if (!mentioned.has(name) || !readWriting(question, candidate).isCapitalized) continue;
    if (found.some((other) => start < other.end && other.start < end)) continue;
    found.push({
      name,
      start,
      end,
      about: { documents: 0, passages: [], isSynonym: false },
      isUncertain: false,
    });
  }
  return found.sort((one, other) => one.start - other.start);
}

const CAPITAL = /^[^\p{L}\p{N}]*[\p{Lu}\p{N}]/u;

function readWriting(question: string, candidate: NameCandidate): Writing {
  const words = question.slice(candidate.start, candidate.end).split(/\s+/);
  const capitals = words.filter((word) => CAPITAL.test(word)).length;
  const opensSentence = /(?:^|[.?!:]["”’)]*\s+)["“‘(]*$/.test(
    question.slice(Math.max(0, candidate.start - 8), candidate.start),
  );
  const isOpener = opensSentence && capitals === 1 && CAPITAL.test(words[0] ?? "");
  const isHalf = CAPITAL.test(words[0] ?? "") || 2 * capitals >= words.length;
  return {
    candidate,
    isCapitalized: candidate.isCapitalized && isHalf && !isOpener,
    isCapitalsOnly: capitals === words.length,
    wordCount: words.length,
  };
}

function mayBeName(
  question: string,
  { candidate, isCapitalized, wordCount }: Writing,
  isSmall: boolean,
): boolean {
  if (isCapitalized) return true;
  if (wordCount === 1) return (isSmall || candidate.start === 0) && candidate.name.length >= SMALL_LETTERS;
  const words = question.slice(candidate.start, candidate.end).toLowerCase().split(/\s+/);
  return isSmall && words.some((word) => word.length >= SMALL_LETTERS && !ENGLISH_STOP_WORDS.has(word));
}

/**
 * How much of the question its names may be, 0…1: in a question of an abstract's length a name is one of many words. Questions
 * of up to 30 words are taken for questions about their names.
 */
export function focusOf(question: string): number {
  const words = question.split(/\s+/, 1000).filter((word) => word !== "").length;
  return Math.min(1, (30 / Math.max(1, words)) ** 2);
}

/** Uncertain names count only if a passage near the question is about them. */
export function confirmNames(
  linked: readonly LinkedName[],
  near: ReadonlySet<string>,
): readonly LinkedName[] {
  return linked.filter(
    ({ isUncertain, about }) => !isUncertain || about.passages.some((passage) => near.has(idOf(passage))),
  );
}

/** The question without its linked names; all of it if nothing is left. */
export function restOfQuestion(question: string, linked: readonly LinkedName[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of linked) {
    rest += question.slice(from, start);
    from = end;
  }
  const text = (rest + question.slice(from)).replace(/\s+/g, " ").trim();
  return /\p{L}/u.test(text) ? text : question;
}
