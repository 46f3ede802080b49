/** Finds when something was that a question names, in passages and in the graph. What is not certain is not found. */
import type { VersionId } from "../../domain/document.ts";
import type { EventTime, NamedEvent } from "../../domain/event.ts";
import type { RankedChunk } from "../../domain/query.ts";
import { END_OF_PERIOD, type Moment } from "../../domain/validity.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import { isAsserted } from "../text/asserted.ts";
import { normalizeDate } from "../text/dates.ts";
import { PAST_TENSE } from "../text/past-tense.ts";
import { sentences } from "../text/sentences.ts";
import { stemWord } from "../text/stem.ts";
import { contentTerms, coverOf } from "./content-terms.ts";
import { type PlacedDate, placedDates } from "./dates-in-text.ts";

/** Sentences that the reader reads, 3 to 6 ms each. */
const MAX_READ = 12;
const MAX_SENTENCE_UNITS = 420;
const MAX_HEADER_UNITS = 200;
/** "1987-05-12" */
const DAY_UNITS = 10;
const BOUNDARY =
  /[;:()|–—]|(?<!\p{L})(?:who|whom|whose|which|that|where|when|while|before|after|since|until|because|although|though|as|and|but)(?!\p{L})/giu;
const TODAY = /(?<!\p{L})today(?!\p{L})/iu;
/** Words by which a sentence says that what a noun names has happened. */
const HAPPENED = new Set(
  ["took", "take", "place", "happened", "occurred", "completed", "effect"].map(stemWord),
);
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,60}/gu;
/** Before a date, and behind it: what tells another time than the date, or one of several. */
const APART =
  /(?<!\p{L})(?:before|after|about|around|circa|c\.|nearly|almost|by|between|between [12]\d{3} and|or) $/iu;
const OR = /^ or [12]\d{3}/u;
const PRONOUN = /(?<!\p{L})(?:he|she|it|they)(?!\p{L})/iu;

interface DatedPlace extends PlacedDate {
  readonly time: string;
}

/**
 * What the sentences of these passages tell that say all of the event and have the reader's answer in a date; null where none does, or two
 * tell different times. `dates`: those of the passages' documents.
 */
export async function findTimeInPassages(
  event: NamedEvent,
  chunks: readonly RankedChunk[],
  {
    dates,
    reader,
  }: { readonly dates: ReadonlyMap<VersionId, string | null>; readonly reader: QuestionReader },
): Promise<EventTime | null> {
  const tells = tellerOf(event);
  const found: EventTime[] = [];
  let read = 0;
  for (const chunk of chunks) {
    const near = dates.get(chunk.versionId) ?? null;
    const header = titleOf(chunk).slice(0, MAX_HEADER_UNITS);
    for (const { start, end } of sentences(chunk.text)) {
      const text = chunk.text.slice(start, end);
      if (text.length > MAX_SENTENCE_UNITS || read >= MAX_READ || !isAsserted(text)) continue;
      const dated = datesOf(text, near).filter(
        (date) => isGiven(date.time, event) && tells({ text, header }, date),
      );
      if (dated.length === 0) continue;
      const today = dated.find((date) => TODAY.test(date.text));
      if (today === undefined) read++;
      const answer = today ?? (await readDate(reader, event.query, { header, text, dated }));
      if (answer === null) continue;
      const { versionId, position, sourceDocId } = chunk;
      const place = { versionId, position, sourceDocId, sentence: text };
      found.push({
        ...boundsOf(event, text.slice(0, answer.start), answer.time),
        place: { ...place, start: chunk.start + start, end: chunk.start + end },
      });
    }
  }
  return agreeing(found);
}

/** Of a state, a sentence may name any day: its beginning behind "from" and "since", its end behind "until" and "to". */
function boundsOf(
  { isState, relation }: NamedEvent,
  before: string,
  time: string,
): Pick<EventTime, "from" | "to"> {
  const isBeginning = /(?<!\p{L})(?:from|since) $/iu.test(before);
  const isEnd = /(?<!\p{L})(?:until|to) $/iu.test(before);
  const isAny = !isState || (relation === "during" && isBeginning === isEnd);
  return { from: isAny || isBeginning ? time : null, to: isAny || isEnd ? time : null };
}

/** The date that the reader takes for the answer. */
async function readDate(
  reader: QuestionReader,
  query: string,
  { header, text, dated }: { header: string; text: string; dated: readonly DatedPlace[] },
): Promise<DatedPlace | null> {
  const { logit, span } = await reader.read(query, { header, text });
  if (logit <= 0 || span === null) return null;
  return dated.find(({ start, end }) => start < span.end && span.start < end) ?? null;
}

/** Returns a test whether a sentence names what the event is of, and says the rest of it in the clause of a date. */
function tellerOf({ names, terms, isNoun }: NamedEvent) {
  const [hasNames, hasRest] = [coverOf(names), coverOf(terms)];
  const own = new Set([...terms, ...names]);
  /** Not "Talks about the merger began in 1985", nor "The merger was cancelled in 1985". */
  const isPlain = (clause: string, date: PlacedDate) => {
    const words = clause.replace(date.text, " ").match(WORD) ?? [];
    const at = words.findIndex((word) => contentTerms(word).some((term) => own.has(term)));
    const isOther = (word: string) =>
      contentTerms(word).some((term) => !own.has(term) && !HAPPENED.has(term));
    return !words.slice(0, at).some(isOther) && !words.some((word) => PAST_TENSE.test(word) && isOther(word));
  };
  return ({ text, header }: { text: string; header: string }, date: PlacedDate): boolean => {
    // What a passage stands under is what a pronoun in it is of.
    const clause = clauseAround(text, date);
    const isNamed = hasNames(text) || (PRONOUN.test(clause) && hasNames(`${header}\n${text}`));
    if (APART.test(text.slice(0, date.start)) || OR.test(text.slice(date.end))) return false;
    return (
      isNamed &&
      hasRest(clause) &&
      (terms.length > 0 || hasNames(clause)) &&
      (!isNoun || TODAY.test(date.text) || isPlain(clause, date))
    );
  };
}

function clauseAround(text: string, { start, end }: PlacedDate): string {
  let [from, to] = [0, text.length];
  for (const { index, 0: found } of text.matchAll(BOUNDARY)) {
    // "since 1990"
    if (index + found.length + 1 < start) from = index + found.length;
    else if (index >= end) {
      to = index;
      break;
    }
  }
  return text.slice(from, to);
}

/** `near`: the date of the document, by which days without a year are read, and "today". */
function datesOf(text: string, near: string | null): readonly DatedPlace[] {
  const dates = placedDates(text).flatMap((date) => {
    const time = normalizeDate(date.text, near);
    return time === null ? [] : [{ ...date, time }];
  });
  const today = near?.length === DAY_UNITS ? TODAY.exec(text) : null;
  if (near === null || today === null) return dates;
  return [...dates, { text: today[0], start: today.index, end: today.index + today[0].length, time: near }];
}

/** The most exact of them, if each contains or is within it. */
export function agreeing(times: readonly EventTime[]): EventTime | null {
  const exactness = ({ from, to }: EventTime) => (from ?? "").length + (to ?? "").length;
  const [first = null] = times.toSorted((one, other) => exactness(other) - exactness(one));
  const agrees = (one: string | null, other: string | null) =>
    one === null || other === null || one.startsWith(other);
  const { from = null, to = null } = first ?? {};
  return times.every((each) => agrees(from, each.from) && agrees(to, each.to)) ? first : null;
}

function isGiven(time: string, { given }: NamedEvent): boolean {
  return given === null || time.startsWith(given) || given.startsWith(time);
}

/** What the passage stands under; its first line where that is a title of its own. */
function titleOf({ header = "", text }: RankedChunk): string {
  const line = text.slice(0, text.search(/\n|$/u));
  return /[.!?]$|\|/u.test(line) ? header : `${header}\n${line}`;
}

/** null where the bound is not known that is asked of. */
export function momentOfEvent(
  { relation }: NamedEvent,
  { from, to }: Pick<EventTime, "from" | "to">,
): Moment | null {
  const by = "question";
  if (relation === "before") return from === null ? null : { date: shifted(from, -1), by };
  if (relation === "after") return to === null ? null : { date: shifted(to, 1), by };
  const [first, last] = [from ?? to, to ?? from];
  if (first === null || last === null || first > `${last}${END_OF_PERIOD}`) return null;
  return first === last ? { date: first, by } : { date: first, until: last, by };
}

/** The day before the first one of a year, month or day, or the one after its last. */
function shifted(date: string, by: -1 | 1): string {
  const [year = 0, month, day] = date.split("-").map(Number);
  const first = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  const end =
    month === undefined
      ? Date.UTC(year + 1, 0, 1)
      : day === undefined
        ? Date.UTC(year, month, 1)
        : Date.UTC(year, month - 1, day + 1);
  return new Date(by === 1 ? end : first - 86_400_000).toISOString().slice(0, 10);
}
