/** Tells which things that a question names by a word and a number no chunk has, although chunks have others of them: "Bridge 52", "room 218". */
import { foldText } from "../text/fold-text.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";

const NUMBERED =
  /(?<![\p{L}\p{N}])(?<lead>(?:\p{Lu}\p{L}{0,40} ){0,6})(?<word>\p{L}{2,40})(?:\.? |\.? ?[#№])(?<number>\d{1,9}(?:\.\d{1,9}){0,3})(?![\p{L}\p{N}%]|[,:/]\d)(?<after>[ ]\p{L}{1,40})?/gu;
/** A word before a number. */
const LABEL = /(?<![\p{L}\p{N}])\p{L}{2,40}(?=(?:\.? |\.? ?[#№])\d)/gu;
const NUMBER = /(?<![\p{L}\p{N}.,])\d{1,9}(?:\.\d{1,9}){0,3}(?![\p{L}\p{N}]|,\d)/gu;
const YEAR = /^(?:1\d|20)\d\d$/;
const MAX_NUMBERED = 4;

/** As the question writes them. `texts`: folded. Neither amounts ("within 30 days") nor years after plain words ("since 1998") name a thing. */
export function missingNumbers(query: string, texts: readonly string[]): readonly string[] {
  const named = [...query.matchAll(NUMBERED)].filter(isName).slice(0, MAX_NUMBERED);
  return named.flatMap(({ 0: whole, index, groups }) => {
    const { lead = "", word = "", number = "", after = "" } = groups ?? {};
    const isProper = /^\p{Lu}/u.test(word);
    const folded = foldText(word);
    const hasOthers = texts.some((text) => [...text.matchAll(LABEL)].some(([label]) => label === folded));
    const read = isProper ? texts.filter((text) => text.includes(folded)) : texts;
    const isMissing = hasOthers && !read.some((text) => hasNumber(text, number));
    // The first word of a question is seldom a part of the name.
    const from = index === 0 ? lead.indexOf(" ") + 1 : 0;
    return isMissing ? [whole.slice(from, whole.length - after.length)] : [];
  });
}

function isName({ index, groups }: RegExpExecArray): boolean {
  const { lead = "", word = "", number = "", after = "" } = groups ?? {};
  if (/^\p{Lu}/u.test(word)) return index + lead.length > 0;
  if (ENGLISH_STOP_WORDS.has(word)) return false;
  return !YEAR.test(number) && (after === "" || ENGLISH_STOP_WORDS.has(after.trim().toLowerCase()));
}

/** "3" is in "3.8", too. */
function hasNumber(text: string, number: string): boolean {
  return [...text.matchAll(NUMBER)].some(([found]) => found === number || found.startsWith(`${number}.`));
}

const HOW_MANY = /^(?:and |so |but )?how (?:many|much)\b/iu;
/** At the end: what goes on behind it may say of something else when it was. */
const IN_YEAR = /\bin (?:the year |\p{Lu}\p{Ll}{2,8} )?((?:1[5-9]|20)\d\d)\s{0,3}[?!.]{0,3}\s{0,3}$/u;
const OF_ELSE = /\b(?:after|before|since|until|when|while|who|which|that)\b/iu;

/** The year at the end of "How many … did … have in 1998?"; null for any other question, and where a clause may have the year. English only. */
export function countedYear(query: string): number | null {
  const year = HOW_MANY.test(query.trim()) && !OF_ELSE.test(query) ? IN_YEAR.exec(query)?.[1] : undefined;
  return year === undefined ? null : Number(year);
}

/** A year, also of a date ("2024-08-10"), the years of a span, a decade, or a short form ("'98", "8/10/98"). */
const TOLD_YEAR =
  /(?<!\p{N})(?<first>(?:1[5-9]|20)\d\d)(?: ?[/–-] ?(?<last>\d\d))?(?!\p{N})(?<decade>s)?|(?<=['’]|\d[./])(?<short>\d\d)(?!\p{N})/gu;

/** Also as "1997/98", "’98" or "1990s". A row of a table has the year of what is in the row: `isOf` tells whether that is what is asked. */
export function hasYear(text: string, year: number, isOf: (row: string) => boolean): boolean {
  const lines = text.split("\n");
  return lines.some((line, at) => {
    // The first row has what the columns are of.
    const isOfRow = isRow(line) && isRow(lines[at - 1] ?? "");
    return [...line.matchAll(TOLD_YEAR)].some((told) => tells(told, year)) && (!isOfRow || isOf(line));
  });
}

function tells({ groups }: RegExpExecArray, year: number): boolean {
  const { first, last, decade, short } = groups ?? {};
  if (first === undefined) return Number(short) === year % 100;
  const from = Number(first);
  if (decade !== undefined) return from <= year && year <= from + 9;
  // "2024-08" is a month.
  const to = last === undefined ? from : from - (from % 100) + Number(last);
  return from === year || (from < year && year <= to);
}

const isRow = (line: string) => /^\s{0,8}\|/u.test(line) || (line.match(/[,;\t](?! )/gu) ?? []).length >= 3;
