/** Brings names into the one form in which they are compared, stored and looked up. */

import { foldText } from "../fold-text.ts";

const POSSESSIVES = /['´`ʼʻ]s(?![\p{L}\p{N}])/gu;
const APOSTROPHES = /['´`ʼʻ]/g;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu;
/** "i b m" and "j r r tolkien": letters that stand alone, as dotted acronyms and initials leave them. */
const LONE_LETTERS = /(?<![^ ])\p{L}(?: \p{L}(?![^ ]))+/gu;
/** Most names: nothing to fold but case. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;
const ARTICLE = /^(?:the|an?)(?: |$)/;
/** Longer names are cut: nobody writes them, but a text may hold them. */
const nameUnits = 400;

/**
 * The normal form of a name: lower case without marks, possessives and a leading English article, punctuation as single spaces,
 * acronyms and initials as one word ("I.B.M." and "J. R. R. Tolkien" give "ibm" and "jrr tolkien"), a lone "&" as "and".
 * Idempotent but for names that begin with two articles; the empty string when nothing is left. Linear in the length.
 */
export function normalizeName(text: string): string {
  if (text.length <= nameUnits && PLAIN.test(text)) return withoutArticle(text.toLowerCase());
  const folded = foldText(text.length > nameUnits ? text.slice(0, nameUnits).toWellFormed() : text);
  const words = folded
    .replace(POSSESSIVES, "")
    .replace(APOSTROPHES, "")
    .replaceAll(" & ", " and ")
    .replace(SEPARATORS, " ")
    .trim();
  return withoutArticle(words);
}

/** Joins letters that stand alone, then drops a leading article. */
function withoutArticle(words: string): string {
  return words.replace(LONE_LETTERS, (letters) => letters.replaceAll(" ", "")).replace(ARTICLE, "");
}

/**
 * The normal forms under which a titled text may be mentioned: the title, the title without its parentheses, and the
 * part before the first comma or colon where that says enough. First the title's own; no duplicates, none empty.
 */
export function nameAliases(title: string): readonly string[] {
  const bare = withoutParentheses(title.slice(0, nameUnits));
  const beforeComma = bare.includes(",") ? bare.slice(0, bare.indexOf(",")) : "";
  const subtitle = bare.indexOf(": ");
  // One word before a colon is mostly a kind of thing: "Report: …".
  const beforeColon = /\S\s+\S/.test(bare.slice(0, Math.max(0, subtitle))) ? bare.slice(0, subtitle) : "";
  const forms = [title, bare, beforeComma, beforeColon].map(normalizeName);
  return [...new Set(forms)].filter((name) => name !== "");
}

/** The first and last word of a normal form, "first|last"; equal for a name of one word. */
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
