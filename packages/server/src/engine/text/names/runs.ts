/** Finds runs of capitalized words, which are the names in a text. */

import {
  calendarWords,
  connectors,
  functionWords,
  honorifics,
  openers,
  timePrepositions,
} from "./name-words.ts";
import type { Token } from "./tokens.ts";

/** Evidence on whether a capital at the start of a sentence, or in a line of capitals, indicates a name. */
export interface CaseEvidence {
  /** Whether the document has the word in lower case more often than capitalized inside sentences. */
  isCommon(lower: string): boolean;
  /** Whether the document has the word capitalized inside a sentence. */
  isProper(lower: string): boolean;
}

/** A run, given by the indexes of its first and last token. */
export interface Run {
  readonly first: number;
  readonly last: number;
  /**
   * The index of a capitalized word that begins the sentence directly before the run and may be part of the
   * name ("In Flames"); otherwise equal to `first`.
   */
  readonly lead: number;
}

/** The maximum length of a name; longer runs are lists or headings. */
const runTokens = 14;

/** The runs of a sentence's tokens, in order, without overlap. Linear. */
export function findRuns(tokens: readonly Token[], evidence: CaseEvidence): readonly Run[] {
  const isAllCaps = inCapitals(tokens);
  const isName = (place: number): boolean => {
    const token = tokens[place];
    if (token?.kind !== "name") return false;
    return !isAllCaps || (!functionWords.has(token.lower) && !evidence.isCommon(token.lower));
  };
  const runs: Run[] = [];
  for (let place = 0; place < tokens.length; place++) {
    if (!isName(place) && !opensWithNumber(tokens, place, isName)) continue;
    const last = runEnd(tokens, place, isName);
    const first = isAllCaps ? place : runStart(tokens, { first: place, last, evidence });
    const run = first === null ? null : trimRun(tokens, { first, last, lead: place });
    if (run !== null) runs.push(run);
    place = last;
  }
  return runs;
}

/** Whether most words of a sentence are all capitals, so that capitals are not informative. */
function inCapitals(tokens: readonly Token[]): boolean {
  let capitals = 0;
  let smalls = 0;
  for (const token of tokens) {
    if (token.kind === "lower") smalls++;
    else if (token.kind === "name" && token.text.length > 1) {
      if (token.text === token.text.toUpperCase()) capitals++;
      else smalls++;
    }
  }
  return capitals >= 3 && capitals >= smalls * 3;
}

/** "1st Baron Revelstoke", "20th Century Fox", "2014 World Cup". */
function opensWithNumber(tokens: readonly Token[], place: number, isName: (place: number) => boolean) {
  const token = tokens[place];
  const next = tokens[place + 1];
  if (token?.kind !== "number" || next === undefined || !next.isAdjacent || !isName(place + 1)) return false;
  // "2005–06 Cup": the second year alone is not part of a name.
  if (/^[–-]$/.test(tokens[place - 1]?.text ?? "")) return false;
  if (isTime(tokens, place)) return false;
  return !calendarWords.has(next.lower) && /^(?:\d{1,3}(?:st|nd|rd|th)|\d{1,4})$/.test(token.lower);
}

/** The index of the last token of the run that begins at `first`. */
function runEnd(tokens: readonly Token[], first: number, isName: (place: number) => boolean): number {
  let last = first;
  while (last - first < runTokens && tokens[last]?.isPossessive === false) {
    const next = tokens[last + 1];
    if (next === undefined || !next.isAdjacent) break;
    if (isName(last + 1) || isNumberInName(tokens, last + 1)) {
      last++;
      continue;
    }
    let joined = last + 1;
    while (joined - last <= 3 && isConnector(tokens[joined], joined - last)) joined++;
    if (joined === last + 1 || !isName(joined) || tokens[joined]?.isAdjacent !== true) break;
    if (tokens[last]?.kind === "number") break;
    last = joined;
  }
  return last;
}

function isConnector(token: Token | undefined, distance: number): boolean {
  if (token === undefined || !token.isAdjacent) return false;
  if (token.kind === "mark") return token.text === "&";
  return connectors.has(token.lower) || (distance > 1 && token.lower === "the");
}

/** "Apollo 11", "World War 2", but not the year after a month or an amount. */
function isNumberInName(tokens: readonly Token[], place: number): boolean {
  const token = tokens[place];
  const before = tokens[place - 1];
  if (token?.kind !== "number" || before?.kind !== "name" || token.text.length > 5) return false;
  return !calendarWords.has(before.lower) && !/[.,]/.test(token.text);
}

interface RunRange {
  readonly first: number;
  readonly last: number;
}

/** The index at which the name in a run begins; null if the run is not a name. */
function runStart(
  tokens: readonly Token[],
  { first, last, evidence }: RunRange & { readonly evidence: CaseEvidence },
): number | null {
  const token = tokens[first];
  if (token === undefined) return null;
  const isInitial = opensSentence(tokens, first);
  if (first === last)
    return isLoneName(token, { isInitial, evidence, next: tokens[first + 1] }) ? first : null;
  const isWeak =
    functionWords.has(token.lower) ||
    (isInitial &&
      (evidence.isCommon(token.lower) || (openers.has(token.lower) && !evidence.isProper(token.lower))));
  if (!isWeak || (!isInitial && token.lower.length > 1)) return first;
  if (!isInitial && /^\p{Lu}\.?$/u.test(token.text) && token.lower !== "i") return first;
  let start = first + 1;
  while (start <= last && tokens[start]?.kind !== "name" && !isYearBefore(tokens, start)) start++;
  const rest = tokens[start];
  if (rest === undefined || start > last) return null;
  if (start === last && !isLoneName(rest, { isInitial: false, evidence, next: undefined })) return null;
  return start;
}

/** "The 2014 World Cup": the year belongs to the name. */
function isYearBefore(tokens: readonly Token[], place: number): boolean {
  return tokens[place]?.kind === "number" && tokens[place + 1]?.kind === "name" && !isTime(tokens, place);
}

/** "In 1974 Halvorsen founded …": the year tells when. */
function isTime(tokens: readonly Token[], place: number): boolean {
  return /^\d{4}$/.test(tokens[place]?.lower ?? "") && timePrepositions.has(tokens[place - 1]?.lower ?? "");
}

interface LoneContext {
  readonly isInitial: boolean;
  readonly evidence: CaseEvidence;
  readonly next: Token | undefined;
}

function isLoneName(token: Token, { isInitial, evidence, next }: LoneContext): boolean {
  const { lower } = token;
  if (token.kind !== "name" || functionWords.has(lower) || calendarWords.has(lower)) return false;
  if (!/\p{L}.*\p{L}/u.test(lower) || /^[ivxlcdm]{1,4}$/.test(lower)) return false;
  if (!isInitial) return true;
  // A capital inside the word does not result from the start of a sentence.
  if (/\p{Lu}/u.test(token.text.slice(1))) return true;
  if (evidence.isProper(lower)) return !evidence.isCommon(lower);
  if (evidence.isCommon(lower) || openers.has(lower)) return false;
  return next?.kind === "mark" || !/(?:tion|ment|ness|ously|ally|ingly)s?$/.test(lower);
}

/** Whether only opening or introducing marks precede the token in its sentence. */
export function opensSentence(tokens: readonly Token[], place: number): boolean {
  const before = tokens[place - 1];
  if (before === undefined) return true;
  if (before.kind !== "mark") return false;
  if (/[.!?:;•*#>|…]/.test(before.text)) return true;
  return /["“„‘«‹(\-–—'_[]/.test(before.text) && (place === 1 || /["“„«]/.test(before.text));
}

/** Removes days, honorifics and numbers at the ends; null if nothing remains. */
function trimRun(tokens: readonly Token[], run: Run): Run | null {
  let { first, last } = run;
  const previous = tokens[first - 1];
  const isTold = previous?.kind === "number" || timePrepositions.has(previous?.lower ?? "");
  if (isDay(tokens[first]) && (isTold || first < last)) {
    // "On Monday Microsoft said", but "Black Monday", "March of Dimes".
    const next = tokens[first + 1];
    if (first === last) return null;
    if (isTold || next?.kind === "number") first++;
  }
  while (first <= last && (honorifics.has(tokens[first]?.lower ?? "") || isLooseStart(tokens[first])))
    first++;
  while (
    last > first &&
    isDay(tokens[last]) &&
    first === last - 1 &&
    functionWords.has(tokens[first]?.lower ?? "")
  )
    last--;
  const rest = tokens[first];
  if (rest === undefined || first > last) return null;
  if (first === last && (functionWords.has(rest.lower) || isDay(rest) || rest.kind === "number")) return null;
  if (first === last && !/\p{L}.*\p{L}/u.test(rest.lower)) return null;
  return { first, last, lead: first === run.first ? Math.min(run.lead, first) : first };
}

function isLooseStart(token: Token | undefined): boolean {
  return token?.kind === "lower" || token?.kind === "mark";
}

function isDay(token: Token | undefined): boolean {
  return token !== undefined && calendarWords.has(token.lower);
}
