/** Splits text into words and marks for the recognition of names. */

import type { Span } from "../../../domain/graph.ts";
import { dottedWords, prefixes } from "./name-words.ts";

/**
 * name: begins with a capital. lower: a word in lower case. number: begins with a digit. caseless: a run of
 * letters of a script without case. mark: one punctuation character. address: an e-mail or web address.
 */
export type TokenKind = "name" | "lower" | "number" | "caseless" | "mark" | "address";

export interface Token extends Span {
  readonly kind: TokenKind;
  /** Without a possessive ending. */
  readonly text: string;
  readonly lower: string;
  readonly isPossessive: boolean;
  /** Only white space, without the end of a paragraph, is between this token and the previous one. */
  readonly isAdjacent: boolean;
}

const CASED = "\\p{Lu}\\p{Ll}\\p{Lt}\\p{N}";
/**
 * A full stop belongs to a word after a single capital ("U.S") and before a lower-case letter or a digit
 * ("3.5").
 */
const JOIN = `(?:['’ʼʻ‘´\`\\-‐‑·&]|\\.(?=[\\p{Ll}\\p{N}])|(?<=(?<![\\p{L}\\p{N}])\\p{Lu})\\.)`;
const PART = `[${CASED}][${CASED}\\p{M}]*`;
/**
 * Each alternative begins with a different character class and no part can match in two ways, so matching is
 * linear.
 */
const TOKEN = new RegExp(`(${PART}(?:${JOIN}${PART})*)|([\\p{Lo}\\p{Lm}\\p{M}]+)|(\\S)`, "gu");
const ADDRESS = /@|:\/\/|www\./g;
const POSSESSIVE = /['’ʼ´`][sS]$/;

/** The tokens of a span of text, with offsets into the text; linear. */
export function tokenize(text: string, { start, end }: Span): readonly Token[] {
  const body = text.slice(start, end);
  const addresses = findAddresses(body);
  const tokens: Token[] = [];
  let nextAddress = 0;
  let last = 0;
  const pattern = new RegExp(TOKEN);
  for (let found = pattern.exec(body); found !== null; found = pattern.exec(body)) {
    const isAdjacent = tokens.length > 0 && isSmallGap(text, start + last, start + found.index);
    while ((addresses[nextAddress]?.end ?? Number.POSITIVE_INFINITY) <= found.index) nextAddress++;
    const address = addresses[nextAddress];
    const isAddress = address !== undefined && address.start <= found.index;
    const token = isAddress
      ? { ...plainToken("address", body.slice(found.index, address.end)), length: address.end - found.index }
      : tokenOf(found, body);
    last = found.index + token.length;
    pattern.lastIndex = last;
    tokens.push({
      kind: token.kind,
      text: token.text,
      lower: token.lower,
      isPossessive: token.isPossessive,
      isAdjacent,
      start: start + found.index,
      end: start + found.index + token.text.length,
    });
  }
  return tokens;
}

/** Names that are wrapped to the next line stand at the ends of longer lines. */
const SHORT_LINE = 50;

/** At most one character, or up to four without a blank line; not the end of a short line, as in lists and forms. */
function isSmallGap(text: string, from: number, to: number): boolean {
  if (to - from > 4) return false;
  const gap = text.slice(from, to);
  if (!gap.includes("\n")) return true;
  return from >= SHORT_LINE && !text.slice(from - SHORT_LINE, from).includes("\n") && !/\n\s*\n/.test(gap);
}

interface RawToken extends Pick<Token, "kind" | "text" | "lower" | "isPossessive"> {
  readonly length: number;
}

function plainToken(kind: TokenKind, text: string): RawToken {
  return { kind, text, lower: text.toLowerCase(), isPossessive: false, length: text.length };
}

function tokenOf(match: RegExpExecArray, body: string): RawToken {
  const [text, word, caseless] = match;
  if (word === undefined) return plainToken(caseless === undefined ? "mark" : "caseless", text);
  const final = word.charCodeAt(word.length - 1) | 32;
  const isPossessive = final === 115 && word.length > 2 && POSSESSIVE.test(word);
  const bare = isPossessive ? word.slice(0, -2) : word;
  const lower = bare.toLowerCase();
  const isDotted = !isPossessive && body[match.index + word.length] === "." && takesStop(bare, lower);
  const length = word.length + (isDotted ? 1 : 0);
  return { kind: kindOf(bare), text: isDotted ? `${bare}.` : bare, lower, isPossessive, length };
}

/** Initials, dotted acronyms and abbreviations include their full stop, so that it does not end a name. */
function takesStop(word: string, lower: string): boolean {
  if (word.length === 1) return /\p{Lu}/u.test(word);
  return dottedWords.has(lower) || (word.length < 16 && /^(?:\p{Lu}\.)+\p{Lu}$/u.test(word));
}

function kindOf(word: string): TokenKind {
  const first = word.charCodeAt(0);
  if (first >= 97 && first <= 122) return /\p{Lu}/u.test(word) && isInnerCapital(word) ? "name" : "lower";
  if (first >= 65 && first <= 90) return "name";
  if (first >= 48 && first <= 57) return "number";
  if (/^[\p{Lu}\p{Lt}]/u.test(word)) return "name";
  return /^\p{N}/u.test(word) ? "number" : "lower";
}

/** "iPhone" and "al-Rashid", but not "anti-American". */
function isInnerCapital(word: string): boolean {
  const second = word.charCodeAt(1);
  if (second >= 65 && second <= 90) return true;
  const prefix = /^(\p{Ll}{1,5})['’ʼ‘`-]\p{Lu}/u.exec(word)?.[1];
  return prefix !== undefined && prefixes.has(prefix);
}

/** Spans without white space that contain an "@" or the mark of a web address; in order, without overlap. */
function findAddresses(body: string): readonly Span[] {
  const spans: Span[] = [];
  const pattern = new RegExp(ADDRESS);
  for (let found = pattern.exec(body); found !== null; found = pattern.exec(body)) {
    let start = found.index;
    let end = found.index;
    const floor = spans.at(-1)?.end ?? 0;
    while (start > floor && !/\s/.test(body.charAt(start - 1))) start--;
    while (end < body.length && !/\s/.test(body.charAt(end))) end++;
    // "@name" and a single "@" are not addresses; skipping them entirely keeps the scan linear.
    if (found[0] !== "@" || start < found.index) spans.push({ start, end });
    pattern.lastIndex = Math.max(end, found.index + 1);
  }
  return spans;
}
