/** What a text is found by: the terms of the lexical index, the same for chunks and for questions. */
import { foldText, isAscii } from "./fold-text.ts";
import { type Stem, stemWord } from "./stem.ts";
import { ENGLISH_STOP_WORDS } from "./stop-words.ts";

/** The longest term in UTF-16 code units; a longer one keeps its beginning and a hash of the whole. */
export const MAX_TERM_LENGTH = 64;

const HASH_LENGTH = 16;
/** A single one of these between two words makes one compound of them: `x-200`, `a.b`, `me@example.org`, `R&D`. */
const JOINERS = "-._@'&+";
const CONTRACTED = new Set(["s", "t", "d", "m", "re", "ve", "ll"]);
const SPACELESS_RUN = new RegExp(
  `([${["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"].map((script) => `\\p{scx=${script}}`).join("")}]+)`,
  "u",
);

/** One or more words joined by single joiners, as they stand in the folded text. */
interface Compound {
  readonly whole: string;
  readonly words: readonly string[];
  readonly joiners: ReadonlySet<string>;
}

/**
 * The index terms of a text in the order of the text, repeated as often as they occur.
 *
 * - Case, compatibility forms and diacritics are folded; English words are Porter-stemmed, stop words dropped.
 *   A question of stop words alone has no terms: the dense retriever answers it alone, because stop words in
 *   the index would double the postings for questions that keywords cannot answer anyway.
 * - Words with digits stay as they are. Compounds (part numbers, error codes, versions, e-mail addresses,
 *   identifiers) are found whole and by their words, e-mail addresses also by account and by host; hyphenated
 *   plain words also in one word (`e-mail`, `email`), dotted initials only so (`U.S.A.`, `usa`).
 * - `1,234,567` is also `1234567`; `3.14` is only itself.
 * - Runs of scripts that write no spaces become overlapping pairs of code points; other scripts whole words.
 *
 * A term has at most {@link MAX_TERM_LENGTH} code units. Time is linear in the text, whatever it holds.
 */
export function indexTerms(text: string, stem: Stem = stemWord): string[] {
  const terms: string[] = [];
  for (const compound of compoundsOf(foldText(text))) {
    const [word = ""] = compound.words;
    if (compound.words.length > 1) {
      addCompound(withoutContraction(compound), stem, terms);
    } else {
      addWord(word, stem, terms);
      if (compound.whole !== word) terms.push(compound.whole);
    }
  }
  return terms;
}

function* compoundsOf(folded: string): Generator<Compound> {
  const pattern = isAscii(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}\p{M}]+/gu;
  let words: string[] = [];
  let joiners = new Set<string>();
  let start = 0;
  let end = -1;
  for (let match = pattern.exec(folded); match !== null; match = pattern.exec(folded)) {
    const [word] = match;
    const joiner = folded.charAt(end);
    if (match.index === end + 1 && isJoined(words, joiner, word)) {
      joiners.add(joiner);
    } else {
      if (words.length > 0) yield { whole: wholeOf(folded, start, end), words, joiners };
      words = [];
      if (joiners.size > 0) joiners = new Set();
      start = match.index;
    }
    words.push(word);
    end = match.index + word.length;
  }
  if (words.length > 0) yield { whole: wholeOf(folded, start, end), words, joiners };
}

function isJoined(words: readonly string[], joiner: string, next: string): boolean {
  if (joiner === ",") return /^\d{3}$/.test(next) && /^\d{1,3}$/.test(words.at(-1) ?? "");
  return joiner !== "" && JOINERS.includes(joiner);
}

/** A lone letter takes the signs behind it along, for the sake of `C++`, `C#` and their kind. */
function wholeOf(folded: string, start: number, end: number): string {
  if (end - start === 1 && folded.charAt(end) === "#") return folded.slice(start, end + 1);
  if (end - start === 1 && folded.startsWith("++", end)) return folded.slice(start, end + 2);
  return folded.slice(start, end);
}

/** `Ann's` → `Ann`, `we'll` → `we`; `don't` and its kind are auxiliaries, stop words all, and vanish. */
function withoutContraction({ whole, words, joiners }: Compound): Compound {
  const last = words.at(-1) ?? "";
  if (!CONTRACTED.has(last) || !whole.endsWith(`'${last}`)) return { whole, words, joiners };
  const isAuxiliary = words.length === 2 && last === "t" && words[0]?.endsWith("n") === true;
  return {
    whole: whole.slice(0, -last.length - 1),
    words: isAuxiliary ? [] : words.slice(0, -1),
    joiners,
  };
}

function addCompound({ whole, words, joiners }: Compound, stem: Stem, terms: string[]): void {
  const only = (allowed: string) => [...joiners].every((joiner) => allowed.includes(joiner));
  const all = (pattern: RegExp) => words.every((word) => pattern.test(word));
  if (words.length > 1) {
    if (only(".") && all(/^\p{L}$/u)) {
      addWord(words.join(""), stem, terms);
      return;
    }
    if (only("-'") && all(/^[\p{L}\p{M}]+$/u)) terms.push(stemmedTerm(words.join(""), stem));
    else addIdentifier({ whole, words, joiners }, terms);
    if (words.length === 2 && only(".") && all(/^\d+$/)) return;
  }
  for (const word of words) addWord(word, stem, terms);
}

function addIdentifier({ whole, joiners }: Compound, terms: string[]): void {
  terms.push(boundedTerm(joiners.has(",") ? whole.replaceAll(",", "") : whole));
  if (!joiners.has("@")) return;
  for (const side of whole.split("@")) if (/[^\p{L}\p{N}\p{M}]/u.test(side)) terms.push(boundedTerm(side));
}

function addWord(word: string, stem: Stem, terms: string[]): void {
  if (ENGLISH_STOP_WORDS.has(word)) return;
  if (isAscii(word)) {
    terms.push(stemmedTerm(word, stem));
    return;
  }
  // Splitting by a captured group puts the captured runs at the odd places.
  for (const [place, run] of word.split(SPACELESS_RUN).entries()) {
    if (place % 2 === 1) addPairs(run, terms);
    else if (run !== "") terms.push(stemmedTerm(run, stem));
  }
}

function addPairs(run: string, terms: string[]): void {
  let previous = "";
  for (const character of run) {
    if (previous !== "") terms.push(previous + character);
    else if (character === run) terms.push(character);
    previous = character;
  }
}

function stemmedTerm(word: string, stem: Stem): string {
  return boundedTerm(/^[a-z]+$/.test(word) ? stem(word) : word);
}

function boundedTerm(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  const prefix = term.slice(0, MAX_TERM_LENGTH - HASH_LENGTH - 1).toWellFormed();
  return `${prefix}~${fingerprint(term)}`;
}

/** 64 bits as hexadecimal digits: two 32-bit FNV-1a hashes from different bases, the second over rotated state. */
function fingerprint(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(((high << 13) | (high >>> 19)) ^ unit, 0x01000193);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
