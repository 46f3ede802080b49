/** Superscripts and subscripts in plain characters: flattened, `10<sup>6</sup>` would be another number. */
import { oneLine } from "./markdown.ts";

const RAISED: Readonly<Record<string, string>> = charactersOf("0123456789+-−–=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾");
const LOWERED: Readonly<Record<string, string>> = charactersOf("0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎");
/** More is text in small letters, not an exponent. */
const MAX_LENGTH = 24;

/** Endings of words that are only written higher: `1st`, `2e`, `Mme`. */
const ENDING_OF_NUMBER = /^(?:st|nd|rd|th|er|ers|re|e|es|ème|ème|me|nde?|os|as)$/i;
const ENDING_OF_WORD = /^(?:mes?|lles?|gr|rs?|os?|th)$/;
const SIGNS: ReadonlyMap<string, string> = new Map([
  ["TM", "™"],
  ["SM", "℠"],
  ["(R)", "®"],
  ["o", "º"],
]);
const SIGN = /^[®™℠©°ºª′″'"]{1,3}$/;

const MARK = /^(?:\d{1,3}(?:[,;–-] ?\d{1,3}){0,9}|\*{1,4}|[†‡§¶]{1,4})$/;
/** Words that take a power. */
const MEASURED =
  /(?:met(?:er|re)s?|metros?|mètres?|inch(?:es)?|feet|foot|miles?|yards?|seconds?|cos|cosh|sinh|tanh)$/i;

/** A superscript. @param before the text that it follows, or the end of it */
export function raise(text: string, before: string): string {
  const content = oneLine(text);
  if (content === "") return text === "" ? "" : " ";
  if (SIGN.test(content)) return content;
  const follows = /\p{N}$/u.test(before) ? "number" : /\p{L}$/u.test(before) ? "word" : null;
  if (follows === "number" && ENDING_OF_NUMBER.test(content)) return content;
  if (follows === "word" && (ENDING_OF_WORD.test(content) || content === "R")) {
    if (content === "R") return "®";
    if (/\p{Lu}$|n$/u.test(before)) return content;
  }
  const sign = content.length > 1 || follows === "number" ? SIGNS.get(content) : undefined;
  if (sign !== undefined) return sign;
  if (isMark(content, before)) return noteMark(content, before);
  return powerOf(content, before);
}

/** A superscript that can be nothing but an exponent or an index. */
export function powerOf(text: string, before: string): string {
  return moved(oneLine(text), before, { characters: RAISED, sign: "^" });
}

/** A subscript. */
export function lower(text: string, before: string): string {
  const content = oneLine(text);
  if (content === "") return text === "" ? "" : " ";
  return moved(content, before, { characters: LOWERED, sign: "_" });
}

/** The number or sign that refers to a note, apart from the word that it follows. */
export function noteMark(text: string, before: string): string {
  const content = oneLine(text.normalize("NFKC"))
    .replace(/^[[(]/, "")
    .replace(/[\])]$/, "");
  if (content === "") return "";
  const space = /\S$/.test(before) ? " " : "";
  return content.length > MAX_LENGTH ? `${space}${content}` : `${space}[${content}]`;
}

/** Not every note is a link: a number after a longer word, or after the end of a sentence, is no power. */
function isMark(content: string, before: string): boolean {
  if (/^\[.{1,40}\]$/.test(content)) return true;
  if (!MARK.test(content)) return false;
  if (/^[†‡§¶]/.test(content)) return before !== "";
  if (content.startsWith("*")) return /[\p{L}\p{N}]{2}$|[.,;:!?”»)]$/u.test(before);
  return /[.,;:!?”»’]$/.test(before) || (/\p{L}{4}$/u.test(before) && !MEASURED.test(before));
}

interface Script {
  readonly characters: Readonly<Record<string, string>>;
  readonly sign: string;
}

function moved(content: string, before: string, { characters, sign }: Script): string {
  const inUnicode = [...content].map((character) => characters[character]);
  if (!inUnicode.includes(undefined)) return inUnicode.join("");
  // Without something before it, it is a label in small letters.
  if (before.trim() === "") return content;
  if (content.length > MAX_LENGTH || /\p{L}{3} \p{L}/u.test(content)) return ` ${content}`;
  return /^\([^()]{0,24}\)$/.test(content) ? `${sign}${content}` : `${sign}(${content})`;
}

function charactersOf(plain: string, others: string): Readonly<Record<string, string>> {
  const targets = [...others];
  return Object.fromEntries([...plain].map((character, at) => [character, targets[at] ?? character]));
}
