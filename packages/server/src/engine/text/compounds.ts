/**
 * Splits a text into compounds, groups of words that are written together: part numbers, addresses,
 * identifiers, hyphenated words.
 */
import { foldText, isAscii } from "./fold-text.ts";

/** One or more words joined by single joiners, in folded text. */
export interface Compound {
  /** The text from the first word to the last, without {@link HUMP}s. */
  readonly text: string;
  /** With {@link HUMP}s inside identifiers and before a {@link CAPITAL_NAMES capital name}. */
  readonly words: readonly string[];
  readonly joiners: ReadonlySet<string>;
  /**
   * A single word with the symbols that belong to its name: `c++`, `c#`, `.net`; otherwise the empty string.
   */
  readonly symbolForm: string;
}

/** Marks the humps of a camel-case identifier, `get⎵User⎵Name`, because folding removes the capitals. */
export const HUMP = "\u0001";

/** Stop words that are abbreviations when they are in capitals and the words around them are not. */
export const CAPITAL_NAMES: ReadonlySet<string> = new Set(["it", "who"]);

/** One of these between two words joins them into a compound: `x-200`, `a.b`, `me@example.org`, `R&D`. */
const JOINERS = "-._@'&+";
const OCTETS = 6;
const IDENTIFIER = /(?:\b|_)[A-Za-z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*/g;
const HUMP_START = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const HAS_IDENTIFIER = /[a-z0-9][A-Z]/;
/**
 * The lookbehind comes after the name, because at the start it would be evaluated at every position of the
 * text.
 */
const CAPITAL_NAME =
  /(?:IT|WHO)(?<!(?:[A-Za-z0-9]|[A-Z] )(?:IT|WHO))(?![A-Za-z0-9]| [A-Z]{1,64}(?![A-Za-z0-9]))/g;
const ASCII_WORD = new RegExp(`[a-z0-9${HUMP}]+`, "g");
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}${HUMP}]+`, "gu");

/**
 * Yields the compounds of a text that {@link markCapitalNames} has marked, in order, lazily and in linear
 * time.
 */
export function* compoundsOf(marked: string): Generator<Compound> {
  const folded = foldText(withHumps(marked));
  let words: string[] = [];
  let joiners = new Set<string>();
  let start = 0;
  let end = -1;
  for (const match of folded.matchAll(isAscii(folded) ? ASCII_WORD : WORD)) {
    const [word] = match;
    const joiner = folded.charAt(end);
    if (match.index === end + 1 && isJoined({ words, joiners }, joiner, word)) {
      joiners.add(joiner);
    } else {
      if (words.length > 0) yield compound(folded, { start, end, words, joiners });
      words = [];
      if (joiners.size > 0) joiners = new Set();
      start = match.index;
    }
    words.push(word);
    end = match.index + word.length;
  }
  if (words.length > 0) yield compound(folded, { start, end, words, joiners });
}

/**
 * Inserts a {@link HUMP} before each {@link CAPITAL_NAMES capital name} and removes all others. No other step
 * uses context beyond white space, so the compounds of a marked text are those of its parts between white
 * space.
 */
export function markCapitalNames(text: string): string {
  const plain = withoutHumps(text);
  return plain.includes("IT") || plain.includes("WHO") ? plain.replace(CAPITAL_NAME, `${HUMP}$&`) : plain;
}

/**
 * Marks the humps of identifiers that begin in lower case (`getUserName`) or have at least three humps
 * (`HttpRequestHandler`): a name like `JavaScript` is not about scripts.
 */
function withHumps(text: string): string {
  if (!HAS_IDENTIFIER.test(text)) return text;
  return text.replace(IDENTIFIER, (word) => {
    const humps = word.split(HUMP_START);
    return humps.length > 2 || /^_?[a-z]{2}/.test(word) ? humps.join(HUMP) : word;
  });
}

type Run = Pick<Compound, "words" | "joiners">;

function isJoined({ words, joiners }: Run, joiner: string, next: string): boolean {
  const last = words.at(-1) ?? "";
  // Hardware addresses are joined by colons only.
  if (joiner === ":" || joiners.has(":")) {
    const isAddress =
      joiner === ":" && words.length < OCTETS && joiners.size < 2 && joiners.has(":") === words.length > 1;
    return isAddress && isOctet(last) && isOctet(next);
  }
  if (joiner === ",") return /^\d{3}$/.test(next) && /^\d{1,3}$/.test(last);
  if (joiner === "/") return /^\p{L}$/u.test(last) && /^\p{L}$/u.test(next);
  return joiner !== "" && JOINERS.includes(joiner);
}

function isOctet(word: string): boolean {
  return /^[0-9a-f]{2}$/.test(word);
}

function compound(folded: string, run: Run & { readonly start: number; readonly end: number }): Compound {
  const { start, end, words, joiners } = run;
  return {
    text: withoutHumps(folded.slice(start, end)),
    words,
    joiners,
    symbolForm: words.length === 1 ? withSymbols(folded, start, end) : "",
  };
}

export function withoutHumps(text: string): string {
  return text.includes(HUMP) ? text.replaceAll(HUMP, "") : text;
}

function withSymbols(folded: string, start: number, end: number): string {
  if (end - start === 1) {
    if (folded.startsWith("++", end)) return folded.slice(start, end + 2);
    if (folded.charAt(end) === "#" || folded.charAt(end) === "+") return folded.slice(start, end + 1);
  }
  if (folded.charAt(start - 1) !== "." || /\d/.test(folded.charAt(start))) return "";
  const isBeginning = start === 1 || /[\s(["'`,;:/]/.test(folded.charAt(start - 2));
  return isBeginning ? folded.slice(start - 1, end) : "";
}
