/** The time that a question names: "in 1990", "as of May 2014", "at the end of 2012". */
import type { Question } from "../../domain/query.ts";
import { type Moment, momentOf } from "../../domain/validity.ts";
import { dateAt, type Word, wordsOf } from "../text/date-patterns.ts";
import { normalizeDate } from "../text/dates.ts";
import { PAST_TENSE } from "../text/past-tense.ts";
import { isMonth } from "./dates-in-text.ts";
import { canBeTwoClauses, isOfNoun, isOfVerb } from "./question-clauses.ts";

/** Longer ones are texts, of which no single time is asked. */
export const MAX_WORDS = 60;
export const MAX_UNITS = 1_000;
/** What is asked for is no time of which it is asked. */
export const asksForTime = /\b(?:when|how long|(?:what|which) (?:year|month|date|day|time))\b/i;
export const opens =
  /^(?:,|who|whom|whose|which|what|where|why|how|is|are|was|were|has|had|have|did|does|do|will|would|could)$/;

const PAST = /^(?:was|were|did|had)$/;
/** "Who has left", "Where is it located" */
const PRESENT = /^(?:is|are|am|has|have|do|does|can|could|must|should|shall|may|might|will|would)$/;

/** Whether a question that names no time is of the past, by its verb. English only. */
export function asksOfThePast(query: string): boolean {
  if (query.length > MAX_UNITS) return false;
  const words = wordsOf(query).map(({ lower }) => lower);
  if (words.some((word) => PAST.test(word))) return true;
  return !words.some((word) => PRESENT.test(word)) && words.some((word) => PAST_TENSE.test(word));
}

/** null where what has ended is asked for, too: in the past tense, or for a time. */
export function heldTime({ query, asOf = null }: Pick<Question, "query" | "asOf">): Moment | null {
  const isOpen = asOf?.by === "today" && (asksForTime.test(query) || asksOfThePast(query));
  return isOpen ? null : asOf;
}

interface NamedTime {
  readonly date: string;
  /** Words, with the preposition; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** The request's time, else the one that the question names, else now. */
export function momentOfQuestion(
  { query, asOf = null }: { readonly query: string; readonly asOf?: string | null },
  now: number,
): Moment {
  const named = asOf === null ? timeOfQuestion(query) : null;
  return named === null ? momentOf(asOf, now) : { date: named, by: "question" };
}

/** Only what begins or ends a question of one clause is the time of what is asked; null for all others. */
export function timeOfQuestion(query: string): string | null {
  if (query.length > MAX_UNITS || asksForTime.test(query)) return null;
  const words = wordsOf(query.trim().replace(/[?.!]$/, ""));
  if (words.length > MAX_WORDS) return null;
  const [time, ...more] = timesOf(words);
  if (time == null || more.length > 0) return null;
  const { date, from, to } = time;
  if (from === 0) {
    const next = words[to]?.lower ?? "";
    const rest = words.slice(next === "," ? to + 1 : to);
    return opens.test(next) && !canBeTwoClauses(rest) ? date : null;
  }
  const rest = words.slice(0, from);
  const isOfWhole = to === words.length && !canBeTwoClauses(rest) && !isOfVerb(rest) && !isOfNoun(rest);
  return isOfWhole ? date : null;
}

/** null for one that no preposition makes the time of something. */
function timesOf(words: readonly Word[]): readonly (NamedTime | null)[] {
  const times: (NamedTime | null)[] = [];
  for (let at = 0; at < words.length; at++) {
    const to = isMonth(words[at]?.text ?? "") ? at + 1 : dateAt(words, at).to;
    if (to === at) continue;
    const written = words.slice(at, to).map(({ text }) => text);
    const isPart = /^(?:early|mid|late)$/i.test(written[0] ?? "");
    const exact = written.slice(isPart ? (written[1] === "-" ? 2 : 1) : 0);
    const date = normalizeDate(exact.join(" ").replace(" ,", ","));
    // Without a year it may be of any.
    if (date !== null) times.push(placed(words, { at, to, date }));
    at = to - 1;
  }
  return times;
}

/** "in 1990" and "as of 1990" are times of which is asked; "the end of 1990" is its last day. */
function placed(
  words: readonly Word[],
  { at, to, date }: { readonly at: number; readonly to: number; readonly date: string },
): NamedTime | null {
  const before = words
    .slice(Math.max(0, at - 4), at)
    .map(({ lower }) => lower)
    .join(" ");
  const edge = /(?:^| )(?:at|by) the (end|beginning|start) of$/.exec(before)?.[1];
  if (edge !== undefined)
    return { date: edge === "end" ? lastDayOf(date) : `${date}-01-01`.slice(0, 10), from: at - 4, to };
  const phrase = /(?:^| )(as of|(?:in|on|during)(?: the year)?)$/.exec(before)?.[1];
  return phrase === undefined ? null : { date, from: at - phrase.split(" ").length, to };
}

function lastDayOf(date: string): string {
  if (date.length === 4) return `${date}-12-31`;
  const [year, month] = date.split("-").map(Number);
  if (date.length > 7) return date;
  return `${date}-${new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate()}`;
}
