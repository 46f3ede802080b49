/** Finds the title that a sentence begins with: what stands before its first finite verb, small words included. */

import { isCapitalised, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";

const finite = new Set(
  "is was are were has had became becomes stars starred features featured includes won served played plays tells follows premiered began remains".split(
    " ",
  ),
);
const pronouns = new Set(
  "it he she they this his her its their there some many these those that nobody everybody everyone".split(
    " ",
  ),
);
const openers = new Set(
  "in on at after before during as by when while since from for written directed produced composed born with although".split(
    " ",
  ),
);
const MAX_TOKENS = 14;
const REACH = 60;

/** After the heuristics of encyclopaedic openings: "The Old Man and the Sea is a …". */
export function findOpeningTitle(tokens: readonly TaggedToken[]): TokenRange | null {
  let from = 0;
  while (/^["“'`*#]$/.test(tokens[from]?.text ?? "")) from++;
  const first = tokens[from];
  if (first === undefined || !/^[\p{Lu}\d]/u.test(first.text)) return null;
  const verb = firstFiniteVerb(tokens, from);
  if (verb < 0) return null;
  const to = trimmedEnd(tokens, from, endBefore(tokens, from, verb));
  return to - from >= 1 && to - from <= MAX_TOKENS && isTitle(tokens, { from, to }, verb)
    ? { from, to }
    : null;
}

function firstFiniteVerb(tokens: readonly TaggedToken[], from: number): number {
  for (let at = from + 1; at < Math.min(tokens.length, from + REACH); at++) {
    const token = tokens[at];
    if (token === undefined) return -1;
    if (finite.has(token.lower) && !isCapitalised(token)) return at;
    const before = tokens[at - 1];
    const isPlainVerb = token.tag === "VERB" && !isCapitalised(token) && /(?:ed|s)$/.test(token.lower);
    if (isPlainVerb && before !== undefined && at > from + 1 && isCapitalised(before)) return at;
  }
  return -1;
}

function endBefore(tokens: readonly TaggedToken[], from: number, verb: number): number {
  for (let at = from + 1; at < verb; at++) {
    // A comma within a firm's name is tagged as a part of it.
    if (/^[(,;"”]$/.test(tokens[at]?.text ?? "") && tokens[at]?.tag !== "PROPN") return at;
  }
  return verb;
}

function trimmedEnd(tokens: readonly TaggedToken[], from: number, end: number): number {
  let to = end;
  for (let last = tokens[to - 1]; to > from && last !== undefined; last = tokens[--to - 1]) {
    const isAdverb = last.tag === "ADV" && !isCapitalised(last);
    if (!isAdverb && (last.tag !== "PUNCT" || /[.!?]/.test(last.text))) break;
  }
  return to;
}

function isTitle(tokens: readonly TaggedToken[], { from, to }: TokenRange, verb: number): boolean {
  const words = tokens.slice(from, to).filter((token) => token.tag !== "PUNCT");
  const capitals = words.filter((token) => /^[\p{Lu}\d]/u.test(token.text)).length;
  const first = tokens[from];
  const second = tokens[from + 1];
  const last = words.at(-1);
  if (first === undefined || last === undefined || capitals / words.length < 0.5) return false;
  if (words.length === 1 && first.tag !== "PROPN" && first.tag !== "NOUN") return false;
  if (first.lower === "the" && second !== undefined && !/^[\p{Lu}\d]/u.test(second.text)) return false;
  if (!/^[\p{Lu}\d]/u.test(last.text) && capitals < 2) return false;
  if (!pronouns.has(first.lower) && !openers.has(first.lower)) return true;
  const isDefinition = /^(?:an?|the|\d{4})$/.test(tokens[verb + 1]?.lower ?? "") && words.length > 1;
  return isDefinition && second !== undefined && isCapitalised(second);
}
