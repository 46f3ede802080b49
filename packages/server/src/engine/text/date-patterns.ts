/** Finds dates and years by the shape of their words. */

const word = /[\p{L}\p{N}]+(?:[-/.'’][\p{L}\p{N}]+)*|[^\s\p{L}\p{N}]/gu;

export interface Word {
  readonly text: string;
  readonly lower: string;
}

export function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(word)].map(([found]) => ({ text: found, lower: found.toLowerCase() }));
}

const months = new Set(
  "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec".split(
    " ",
  ),
);
const seasons = new Set(["spring", "summer", "autumn", "fall", "winter"]);
const weekdays = new Set(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);
const parts = new Set(["early", "mid", "late"]);
const eras = new Set(["bc", "bce", "ad", "ce"]);

const day = /^(?:[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/;
const year = /^(?:1\d{3}|20\d{2})$/;
const decade = /^(?:1\d|20)?\d0'?s$/;
const ordinal = /^\d{1,2}(?:st|nd|rd|th)$/;
const fullDate = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/;

/** The date that begins at this token; `to` equals `from` where there is none. */
export function dateAt(
  tokens: readonly Word[],
  from: number,
): { readonly from: number; readonly to: number } {
  const is = (at: number, pattern: RegExp) => pattern.test(tokens[at]?.text ?? "");
  const isOf = (at: number, words: ReadonlySet<string>) => words.has(tokens[at]?.lower ?? "");
  let at = from;
  if (isOf(at, weekdays)) {
    at++;
    if (tokens[at]?.text === ",") at++;
    const rest = dateAt(tokens, at);
    return { from, to: rest.to > at ? rest.to : from + 1 };
  }
  if (isOf(at, parts)) at = tokens[at + 1]?.text === "-" ? at + 2 : at + 1;
  if (is(at, day) && isOf(tokens[at + 1]?.lower === "of" ? at + 2 : at + 1, months)) {
    return { from, to: endOfMonth(tokens, tokens[at + 1]?.lower === "of" ? at + 2 : at + 1) };
  }
  if (isMonth(tokens, at) && (at > from || hasDayOrYear(tokens, at + 1) || tokens[at]?.lower !== "may"))
    return { from, to: endOfMonth(tokens, at) };
  if (isOf(at, seasons) && is(tokens[at + 1]?.lower === "of" ? at + 2 : at + 1, year))
    return { from, to: at + (tokens[at + 1]?.lower === "of" ? 3 : 2) };
  if (is(at, fullDate) || is(at, decade)) return { from, to: at + 1 };
  if (is(at, ordinal) && /^centur(?:y|ies)$/.test(tokens[at + 1]?.lower ?? ""))
    return { from, to: at + (isOf(at + 2, eras) ? 3 : 2) };
  if (is(at, year)) return { from, to: at + (isOf(at + 1, eras) ? 2 : 1) };
  if (is(at, /^\d{1,4}$/) && isOf(at + 1, eras)) return { from, to: at + 2 };
  return { from, to: from };
}

function isMonth(tokens: readonly Word[], at: number): boolean {
  const token = tokens[at];
  return token !== undefined && months.has(token.lower.replace(".", "")) && /^\p{Lu}/u.test(token.text);
}

function hasDayOrYear(tokens: readonly Word[], at: number): boolean {
  const text = tokens[at]?.text ?? "";
  return day.test(text) || year.test(text) || (text === "," && year.test(tokens[at + 1]?.text ?? ""));
}

/** Where a date ends whose month stands at this token. */
function endOfMonth(tokens: readonly Word[], month: number): number {
  let at = month + 1;
  if (day.test(tokens[at]?.text ?? "")) at++;
  if (year.test(tokens[at]?.text ?? "")) return at + 1;
  return tokens[at]?.text === "," && year.test(tokens[at + 1]?.text ?? "") ? at + 2 : at;
}
