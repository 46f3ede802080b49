/** Words as they stand together in a text: part numbers, addresses, identifiers, hyphenated words. */
import { foldText, isAscii } from "./fold-text.ts";

/** One or more words joined by single joiners, in folded text. */
export interface Compound {
  /** Everything from the first word to the last, without {@link HUMP}s. */
  readonly whole: string;
  /** With {@link HUMP}s inside of identifiers and before a {@link CAPITAL_NAMES capital name}. */
  readonly words: readonly string[];
  readonly joiners: ReadonlySet<string>;
  /** A lone word with the signs that belong to its name, `c++`, `c#`, `.net`; otherwise the empty string. */
  readonly signed: string;
}

/** Marks the humps of an identifier, `get⎵User⎵Name`, since folding takes the capitals away. */
export const HUMP = "\u0001";

/** Stop words that are an abbreviation when they stand in capitals among words that do not. */
export const CAPITAL_NAMES: ReadonlySet<string> = new Set(["it", "who"]);

/** A single one of these between two words makes one compound of them: `x-200`, `a.b`, `me@example.org`, `R&D`. */
const JOINERS = "-._@'&+";
const OCTETS = 6;
const IDENTIFIER = /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*/g;
const HUMP_START = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const HAS_IDENTIFIER = /[a-z0-9][A-Z]/;
/** Looks behind last: first would mean at every place of the text. */
const CAPITAL_NAME = /(?:IT|WHO)(?<!(?:[A-Za-z0-9]|[A-Z] )(?:IT|WHO))(?![A-Za-z0-9]| [A-Z]+(?![A-Za-z0-9]))/g;
const ASCII_WORD = new RegExp(`[a-z0-9${HUMP}]+`, "g");
const WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}${HUMP}]+`, "gu");

/** The compounds of a text, as {@link markCapitalNames} returns it, in their order, lazily and in linear time. */
export function* compoundsOf(marked: string): Generator<Compound> {
  const folded = foldText(withHumps(marked));
  // A copy, because a search keeps its place in the expression.
  const pattern = new RegExp(isAscii(folded) ? ASCII_WORD : WORD);
  let words: string[] = [];
  let joiners = new Set<string>();
  let start = 0;
  let end = -1;
  for (let match = pattern.exec(folded); match !== null; match = pattern.exec(folded)) {
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
 * The text with a {@link HUMP} before each {@link CAPITAL_NAMES capital name} and nowhere else. Nothing but this
 * looks beyond white space: the compounds of a marked text are those of its parts between white space.
 */
export function markCapitalNames(text: string): string {
  const plain = withoutHumps(text);
  return plain.includes("IT") || plain.includes("WHO") ? plain.replace(CAPITAL_NAME, `${HUMP}$&`) : plain;
}

/**
 * Of identifiers those have humps that begin in lower case (`getUserName`) or have three humps or more
 * (`HttpRequestHandler`): a name like `JavaScript` is not about scripts.
 */
function withHumps(text: string): string {
  if (!HAS_IDENTIFIER.test(text)) return text;
  return text.replace(IDENTIFIER, (word) => {
    const humps = word.split(HUMP_START);
    return humps.length > 2 || /^[a-z]{2}/.test(word) ? humps.join(HUMP) : word;
  });
}

type Run = Pick<Compound, "words" | "joiners">;

function isJoined({ words, joiners }: Run, joiner: string, next: string): boolean {
  const last = words.at(-1) ?? "";
  // Hardware addresses are joined by colons and by nothing else.
  if (joiner === ":" || joiners.has(":")) {
    const isOnly =
      joiner === ":" && words.length < OCTETS && joiners.size < 2 && joiners.has(":") === words.length > 1;
    return isOnly && isOctet(last) && isOctet(next);
  }
  if (joiner === ",") return /^\d{3}$/.test(next) && /^\d{1,3}$/.test(last);
  if (joiner === "/") return /^\p{L}$/u.test(last) && /^\p{L}$/u.test(next);
  return joiner !== "" && JOINERS.includes(joiner);
}

function isOctet(word: string): boolean {
  return /^[0-9a-f]{2}$/.test(word);
}

function compound(folded: string, found: Run & { readonly start: number; readonly end: number }): Compound {
  const { start, end, words, joiners } = found;
  return {
    whole: withoutHumps(folded.slice(start, end)),
    words,
    joiners,
    signed: words.length === 1 ? signedWord(folded, start, end) : "",
  };
}

/** The word or words without the marks of their humps. */
export function withoutHumps(text: string): string {
  return text.includes(HUMP) ? text.replaceAll(HUMP, "") : text;
}

function signedWord(folded: string, start: number, end: number): string {
  if (end - start === 1) {
    if (folded.startsWith("++", end)) return folded.slice(start, end + 2);
    if (folded.charAt(end) === "#" || folded.charAt(end) === "+") return folded.slice(start, end + 1);
  }
  if (folded.charAt(start - 1) !== "." || /\d/.test(folded.charAt(start))) return "";
  const isBeginning = start === 1 || /[\s(["'`,;:/]/.test(folded.charAt(start - 2));
  return isBeginning ? folded.slice(start - 1, end) : "";
}
