/** Finds candidates for names in a question; the caller looks up which of them exist. */

import type { Span } from "../../../domain/graph.ts";
import { ENGLISH_STOP_WORDS } from "../stop-words.ts";
import { normalizeName } from "./normal-form.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A span of a question that may be a name, with its normal form. */
export interface NameCandidate extends Span {
  readonly name: string;
  /** It contains a capitalized word other than the question's first word. */
  readonly isCapitalized: boolean;
}

const candidateWords = 8;
const mostCandidates = 200;
/** Only this much of a question is read; further text is assumed to be pasted. */
const questionUnits = 2000;

/**
 * Candidates for the names in a question, longest first, at most 200, each span once: every run of up to
 * eight words that does not cross the end of a sentence. If there are too many, runs that begin and end with
 * capitals are preferred, and runs that begin or end with a stop word are dropped first. Runs of stop words
 * only are included only if capitalized ("The Who"). Questions in lower case and in scripts without case are
 * handled in the same way; words are separated by spaces.
 */
export function findNames(question: string): readonly NameCandidate[] {
  const tokens = tokenize(question, { start: 0, end: Math.min(question.length, questionUnits) });
  const runs: Run[] = [];
  for (let first = 0; first < tokens.length; first++) {
    if (!isWord(tokens[first])) continue;
    let words = 0;
    for (let last = first; last < tokens.length && words < candidateWords; last++) {
      const token = tokens[last];
      if (token === undefined || endsPhrase(tokens, last)) break;
      if (!isWord(token)) continue;
      words++;
      const run = runOf(tokens.slice(first, last + 1).filter(isWord), first === 0);
      if (run !== null) runs.push(run);
    }
  }
  if (runs.length > mostCandidates) runs.sort(byTier);
  return takeCandidates(question, runs).sort(byLength);
}

interface Run extends Span {
  readonly isCapitalized: boolean;
  /** The lowest is preferred. */
  readonly tier: number;
}

function runOf(words: readonly Token[], isOpening: boolean): Run | null {
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (words.length === 1 && ENGLISH_STOP_WORDS.has(first.lower)) return null;
  const isCapitalized =
    words.some((word, place) => word.kind === "name" && !(isOpening && place === 0)) ||
    (words.length === 1 && /\p{Lu}/u.test(first.text.slice(1)));
  if (!isCapitalized && words.every((word) => ENGLISH_STOP_WORDS.has(word.lower))) return null;
  const hasPlainEnd = [first, last].some((word) => ENGLISH_STOP_WORDS.has(word.lower));
  const isName = [first, last].every((word) => word.kind !== "lower");
  const tier = isName && !hasPlainEnd ? 0 : isCapitalized && isName ? 1 : hasPlainEnd ? 3 : 2;
  return { start: first.start, end: last.end, isCapitalized, tier };
}

/** Only of runs that are taken the normal form is found, which takes most of the time: a long question has thousands of runs. */
function takeCandidates(question: string, runs: readonly Run[]): NameCandidate[] {
  const taken: NameCandidate[] = [];
  for (const { start, end, isCapitalized } of runs) {
    if (taken.length === mostCandidates) break;
    const name = normalizeName(question.slice(start, end));
    if (name !== "") taken.push({ name, start, end, isCapitalized });
  }
  return taken;
}

function isWord(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== "mark" && token.kind !== "address";
}

/** Names may contain commas, colons and even "!", but no "?" or ";" and no CJK mark that ends a sentence. */
function endsPhrase(tokens: readonly Token[], place: number): boolean {
  const token = tokens[place];
  if (token?.kind === "address") return true;
  return token?.kind === "mark" && /[?;。？！]/.test(token.text);
}

function byTier(a: Run, b: Run): number {
  return a.tier - b.tier || byLength(a, b);
}

function byLength(a: Span, b: Span): number {
  return b.end - b.start - (a.end - a.start) || a.start - b.start;
}
