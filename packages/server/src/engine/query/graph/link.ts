/** Links names in a question to the passages about them. */

import { findNames, type NameCandidate } from "../../text/names/question-names.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { idOf } from "./graph-reader.ts";
import type { NamedPassages, NameLookup } from "./name-lookup.ts";

/** A name in the question, in normal form; offsets into the question's text. */
export interface LinkedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly about: NamedPassages;
  /** Written in lower case: the name counts only if one of the best hybrid passages is about it. */
  readonly isUncertain: boolean;
}

/** A name that more documents are about is a heading that many documents share. */
const MAX_DOCUMENTS = 40;
/** A lower-case word with fewer letters is not taken for a name. */
const MIN_LOWER_CASE_LETTERS = 4;

interface SpelledCandidate {
  readonly candidate: NameCandidate;
  /** It has a capital that the start of a sentence does not explain. */
  readonly isCapitalized: boolean;
  /** Each word starts with a capital or a digit. */
  readonly isCapitalsOnly: boolean;
  readonly wordCount: number;
}

/**
 * The names in the question that passages are about, in the order of the text. Of overlapping names the
 * longest is kept. A name starts with a capital, or half of its words do. A question without capitals, except
 * at its start, may also contain lower-case names: of several words, or uncertain ones of one word; any
 * question may start with an uncertain name of one word. A name is linked through another form of it only if
 * each of its words has a capital. Makes two rounds of look-ups.
 */
export async function linkNames(question: string, lookup: NameLookup): Promise<readonly LinkedName[]> {
  const all = findNames(question).map((candidate) => readSpelling(question, candidate));
  const isLowerCase = !all.some(({ isCapitalized }) => isCapitalized);
  const candidates = all.filter((candidate) => mayBeName(question, candidate, isLowerCase));
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

/** Adds the capitalised names that passages near the question mention although no passage is about them. */
export function linkMentioned(
  question: string,
  linked: readonly LinkedName[],
  mentioned: ReadonlySet<string>,
): readonly LinkedName[] {
  const found = [...linked];
  for (const candidate of findNames(question)) {
    const { name, start, end } = candidate;
    if (!mentioned.has(name) || !readSpelling(question, candidate).isCapitalized) continue;
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

function readSpelling(question: string, candidate: NameCandidate): SpelledCandidate {
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
  { candidate, isCapitalized, wordCount }: SpelledCandidate,
  isLowerCase: boolean,
): boolean {
  if (isCapitalized) return true;
  if (wordCount === 1) {
    return (isLowerCase || candidate.start === 0) && candidate.name.length >= MIN_LOWER_CASE_LETTERS;
  }
  const words = question.slice(candidate.start, candidate.end).toLowerCase().split(/\s+/);
  return (
    isLowerCase &&
    words.some((word) => word.length >= MIN_LOWER_CASE_LETTERS && !ENGLISH_STOP_WORDS.has(word))
  );
}

/**
 * The weight of the names in a question, 0…1. It is 1 for questions of up to 30 words, which are taken to
 * be about their names, and falls with the square of the length: in a question as long as an abstract, a name
 * is one of many words.
 */
export function focusOf(question: string): number {
  const words = question.split(/\s+/, 1000).filter((word) => word !== "").length;
  return Math.min(1, (30 / Math.max(1, words)) ** 2);
}

/** Drops uncertain names unless one of the passages in `near` is about them. */
export function confirmNames(
  linked: readonly LinkedName[],
  near: ReadonlySet<string>,
): readonly LinkedName[] {
  return linked.filter(
    ({ isUncertain, about }) => !isUncertain || about.passages.some((passage) => near.has(idOf(passage))),
  );
}

/** The question without its linked names; the unchanged question if no letter would remain. */
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
