/** Converts names to the normal form in which they are compared, stored and looked up. */

import { foldText } from "../fold-text.ts";

const POSSESSIVES = /['´`ʼʻ]s(?![\p{L}\p{N}])/gu;
const APOSTROPHES = /['´`ʼʻ]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;
/** "i b m" and "j r r tolkien": single letters that result from dotted acronyms and initials. */
const LONE_LETTERS = /(?<![^ ])\p{L}(?: \p{L}(?![^ ])){1,200}/gu;
/** Names for which only case must be folded; these are most names. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
const ARTICLE = /^(?:the|an?)(?: |$)/;
/** Longer names are truncated: no real name is that long, but a text may contain one. */
const nameUnits = 400;

/**
 * The normal form of a name: lower case, without diacritics, possessives and a leading English article;
 * punctuation becomes single spaces, acronyms and initials become one word ("I.B.M." and "J. R. R. Tolkien"
 * give "ibm" and "jrr tolkien"), a separate "&" becomes "and". Idempotent except for names that begin with
 * two articles; the empty string if nothing remains. Linear in the length.
 */
export function normalizeName(text: string): string {
  return toWords(text).replace(ARTICLE, "");
}

/** The normal form of a part of a name. An article alone is kept: it can be the beginning of a word that is still being typed. */
export function normalizePart(text: string): string {
  return normalizeName(text) || toWords(text);
}

/** One of them stands for up to 18 letters, so that a passage of them would take as many times as long as others. */
const WHOLE_WORDS = /[\u3300-\u3357\u337b-\u337f\ufdf0-\ufdff]/gu;

export function hasWholeWords(text: string): boolean {
  return text.search(WHOLE_WORDS) >= 0;
}

/**
 * Returns a function that tells whether a text of any length has a name, given as its normal form. Linear in the length. Characters that
 * stand for whole words are passed over.
 */
export function nameFinder(text: string): (name: string) => boolean {
  const words = ` ${wordsOf(text.replace(WHOLE_WORDS, " "))} `;
  return (name) => words.includes(` ${name} `);
}

/** Words between the first and the last one of a fuller form: "Maud Pell" is "Maud (Marguerite) van der Pell". */
const MAX_FURTHER_WORDS = 3;

/** Like {@link nameFinder}, also for fuller forms of a name of two words or more. */
export function fullNameFinder(text: string): (name: string) => boolean {
  const all = ` ${wordsOf(text.replace(WHOLE_WORDS, " "))} `;
  let words: readonly string[] | null = null;
  return (name) => {
    if (all.includes(` ${name} `)) return true;
    const [first = "", ...rest] = name.split(" ");
    const last = rest.at(-1);
    if (last === undefined || !all.includes(` ${last} `)) return false;
    words ??= all.split(" ");
    return words.some(
      (word, at) => word === first && words?.slice(at + 1, at + 2 + MAX_FURTHER_WORDS).includes(last),
    );
  };
}

/** The normal form with a leading article. */
function toWords(text: string): string {
  if (text.length <= nameUnits && PLAIN.test(text)) return joinLetters(text.toLowerCase());
  return wordsOf(text.length > nameUnits ? text.slice(0, nameUnits).toWellFormed() : text);
}

function wordsOf(text: string): string {
  const words = foldText(text)
    .replace(POSSESSIVES, "")
    .replace(APOSTROPHES, "")
    .replaceAll(" & ", " and ")
    .replace(SEPARATORS, " ")
    .trim();
  return joinLetters(words);
}

function joinLetters(words: string): string {
  return words.replace(LONE_LETTERS, (letters) => letters.replaceAll(" ", ""));
}

/**
 * The normal forms under which a titled text may be mentioned: the title, the title without its parentheses,
 * and the part before the first comma or colon if that is specific enough. The title's own form comes first;
 * no duplicates, no empty strings.
 */
export function nameAliases(title: string): readonly string[] {
  const bare = withoutParentheses(title.slice(0, nameUnits));
  const beforeComma = bare.includes(",") ? bare.slice(0, bare.indexOf(",")) : "";
  const subtitle = bare.indexOf(": ");
  // A single word before a colon usually names a kind of text: "Report: …".
  const beforeColon = /\S\s+\S/.test(bare.slice(0, Math.max(0, subtitle))) ? bare.slice(0, subtitle) : "";
  const forms = [title, bare, beforeComma, beforeColon].map(normalizeName);
  return [...new Set(forms)].filter((name) => name !== "");
}

/** The first and last word of a normal form as "first|last"; equal for a name of one word. */
export function endsOf(name: string): string {
  const words = name.split(" ");
  return `${words[0] ?? ""}|${words.at(-1) ?? ""}`;
}

function withoutParentheses(title: string): string {
  let depth = 0;
  let bare = "";
  for (const unit of title) {
    if (unit === "(" || unit === "（") depth++;
    else if ((unit === ")" || unit === "）") && depth > 0) depth--;
    else if (depth === 0) bare += unit;
  }
  return bare;
}
