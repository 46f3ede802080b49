/** The time that a question names: "in 1990", "as of May 2014", "at the end of 2012". */
import { type Moment, momentOf } from "../../domain/validity.ts";
import { dateAt, type Word, wordsOf } from "../text/date-patterns.ts";
import { normalizeDate } from "../text/dates.ts";
import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";

/** Longer ones are texts, of which no single time is asked. */
const MAX_WORDS = 60;
const MAX_UNITS = 1_000;
/** What is asked for is no time of which it is asked. */
const asksForTime = /\b(?:when|how long|(?:what|which) (?:year|month|date|day|time))\b/i;
const around = new Set(["in", "on", "during"]);
const auxiliaries = new Set("is are was were be been being has have had does did do get got".split(" "));
/** "built in 1990": of which bridge, not of when. */
const participle = /(?:ed|en|wn|rn|ilt|aid|ade|ought|old)$/;

/** The request's time, else the one that the question names, else now. */
export function momentOfQuestion(
  { query, asOf = null }: { readonly query: string; readonly asOf?: string | null },
  now: number,
): Moment {
  const named = asOf === null ? timeOfQuestion(query) : null;
  return named === null ? momentOf(asOf, now) : { date: named, by: "question" };
}

/** null where it names none, or more than one, asks for a time, or where the year is a part of a name. */
export function timeOfQuestion(query: string): string | null {
  if (query.length > MAX_UNITS || asksForTime.test(query)) return null;
  const words = wordsOf(query);
  if (words.length > MAX_WORDS) return null;
  const named = new Set<string | null>();
  for (let at = 0; at < words.length; at++) {
    const { to } = dateAt(words, at);
    if (to === at) continue;
    const written = words.slice(at, to).map(({ text }) => text);
    const date = normalizeDate(written.join(" ").replace(" ,", ","));
    // Without a year it may be of any.
    if (date !== null) named.add(isPartOfName(words, to) ? null : placed(words, at, date));
    at = to - 1;
  }
  const [only = null, ...more] = named;
  return more.length === 0 ? only : null;
}

/** "in 1990" and "as of 1990" are times of which is asked; "the end of 1990" is its last day. */
function placed(words: readonly Word[], at: number, date: string): string | null {
  const before = (steps: number) => words[at - steps]?.lower ?? "";
  if (before(1) === "of" && before(2) === "as") return date;
  if (before(1) === "of" && /^(?:at|by)$/.test(before(4))) {
    if (before(2) === "end") return lastDayOf(date);
    return /^(?:beginning|start)$/.test(before(2)) ? `${date}-01-01`.slice(0, 10) : null;
  }
  const isAround = around.has(before(1)) && !isDescription(before(2), before(3));
  return isAround ? date : null;
}

/** "the bridge built in 1990" says which bridge; "was built in 1990" and "who joined in 1990" say when. */
function isDescription(last: string, previous: string): boolean {
  return participle.test(last) && !auxiliaries.has(previous) && !ENGLISH_STOP_WORDS.has(previous);
}

/** "in 2012 Summer Games", "2001: A Space Odyssey", "in 1500 cases" */
function isPartOfName(words: readonly Word[], to: number): boolean {
  const next = words[to];
  if (next === undefined || /^[?.,;!)]$/.test(next.text)) return false;
  return !ENGLISH_STOP_WORDS.has(next.lower) || /^\p{Lu}/u.test(next.text);
}

function lastDayOf(date: string): string {
  if (date.length === 4) return `${date}-12-31`;
  const [year, month] = date.split("-").map(Number);
  if (date.length > 7) return date;
  return `${date}-${new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate()}`;
}
