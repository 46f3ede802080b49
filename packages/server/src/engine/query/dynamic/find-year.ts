/** Finds the year of an event in sentences that state it plainly, unless anything else that was found speaks against it. */
import type { RankedChunk } from "../../../domain/query.ts";
import { nameFinder, normalizeName } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import { stemWord } from "../../text/stem.ts";
import { hasOuterSubject } from "../quotation.ts";
import { keyOf } from "./read-step.ts";
import { leadingName, type StatedYear, statedYear, type TimedEvent } from "./stated-year.ts";
import { tellsUnreadTime } from "./unread-time.ts";

export interface Stated {
  readonly year: number;
  readonly sentence: string;
}

export interface DatedThing {
  readonly name: string;
  /** The name of what it is compared with: sentences about that say nothing of this. */
  readonly other: string;
  readonly event: TimedEvent;
}

const YEAR = /(?<!\p{N})[12]\d{3}(?!\p{N})/gu;
/** Only white space is between chunks that follow each other. */
const MAX_GAP_UNITS = 10;
/** What is read before a sentence: the title that it stands below, or how the sentence before ends. */
const MAX_BEFORE_UNITS = 400;
const POINTS_BACK = /^(?:this|that|these|those|such|both)\b/iu;
const BORN: TimedEvent = ["born"];
const WORDS_OF_LIFE = { died: ["died", "death", "dead"], born: ["born", "birth"] };

/** One sentence of a passage that names the thing. */
interface Told {
  readonly text: string;
  readonly years: readonly number[];
  /** The year of the event; null = it does not state it in a plain form. */
  readonly stated: StatedYear | null;
  /** It states in a plain form an event of another thing, or another event of this one's life. */
  readonly isOfElse: boolean;
  /** Has the name of the thing; of a person, the last of its words is enough. */
  readonly isNamed: boolean;
  /** Has the whole name of one of the two things. */
  readonly isPlain: boolean;
  /** Has the names of both; of persons, the last of their words are enough. */
  readonly isOfBoth: boolean;
  readonly isHeading: boolean;
}

/**
 * null where no passage states it, or two state different years. And where a sentence names both things; where another one about the thing has another year,
 * tells of the event otherwise or of a time in a form that is not read; or where one stands beside the statement without naming what it speaks of: it may take
 * the statement back. No words that take back are looked for, since each list of them leaves further ways.
 */
export function findYear(chunks: readonly RankedChunk[], thing: DatedThing): Stated | null {
  const key = shortestName(thing);
  const passages = joinNeighbours(chunks)
    .filter(({ header, text }) => nameFinder(`${header}\n${text}`)(key))
    .map((passage) => readPassage(passage, thing));
  const stated = passages.flat(2).flatMap(({ stated, text }) => (stated === null ? [] : { ...stated, text }));
  const [first] = stated;
  if (first === undefined || stated.some(({ year }) => year !== first.year)) return null;
  const words = eventStems(thing.event);
  const isSaid = stated.some((one) => one.isSaid);
  const speaksAgainst = (told: Told): boolean => {
    if (told.isOfBoth) return true;
    if (told.stated !== null || told.isOfElse) return false;
    const isOfThis = told.isNamed || hasOuterSubject(told.text);
    if (isOfThis && tellsUnreadTime(told.text)) return true;
    if (told.isHeading) return false;
    const isForeign = told.years.some((year) => stated.every(({ span }) => !span.includes(year)));
    if (isForeign && hasWord(told.text, words)) return true;
    if (!isOfThis) return false;
    const isOutside = (year: number) => stated.every(({ span: [from, to] }) => year < from || year > to);
    return told.years.some(isOutside) || (isSaid && hasWord(told.text, words));
  };
  const isDisputed = passages.some(
    (paragraphs) =>
      paragraphs.some((paragraph) => paragraph.some(speaksAgainst) || isOpen(paragraph)) ||
      paragraphs.some((paragraph, at) => isTakenUp(paragraph, paragraphs[at + 1])),
  );
  return isDisputed ? null : { year: first.year, sentence: first.text };
}

interface Passage {
  readonly header: string;
  readonly text: string;
}

/** What follows a statement may stand in the next chunk. */
function joinNeighbours(chunks: readonly RankedChunk[]): readonly Passage[] {
  const passages: { versionId: number; header: string; text: string; end: number }[] = [];
  for (const chunk of chunks.toSorted((a, b) => a.versionId - b.versionId || a.start - b.start)) {
    const { versionId, header = "", text, start, end } = chunk;
    const last = passages.at(-1);
    if (last?.versionId !== versionId || start - last.end > MAX_GAP_UNITS) {
      passages.push({ versionId, header, text, end });
      continue;
    }
    const gap = start - last.end;
    last.text += (gap > 1 ? "\n\n" : gap === 1 ? " " : "") + text.slice(Math.max(0, -gap));
    last.end = Math.max(last.end, end);
  }
  return passages;
}

/** Whether a sentence beside the statement may speak of it: it names neither thing, or follows with another year, or points back. */
function isOpen(paragraph: readonly Told[]): boolean {
  const isLoose = ({ stated, isOfElse, isPlain, isHeading }: Told) =>
    stated === null && !isOfElse && !isPlain && !isHeading;
  if (paragraph.some(({ stated }) => stated?.isSaid === true) && paragraph.some(isLoose)) return true;
  return paragraph.some(({ stated, years }, at) => {
    const next = paragraph[at + 1];
    if (stated === null || next === undefined || next.stated !== null || next.isOfElse) return false;
    return POINTS_BACK.test(next.text) || next.years.some((year) => !years.includes(year));
  });
}

/** Whether the next paragraph begins by referring back to the statement at the end of this one. */
function isTakenUp(paragraph: readonly Told[], next: readonly Told[] | undefined): boolean {
  const [stated, first] = [paragraph.at(-1)?.stated ?? null, next?.[0]];
  if (stated === null || first === undefined) return false;
  return stated.isSaid ? hasOuterSubject(first.text) : POINTS_BACK.test(first.text);
}

/** By paragraph: the sentences of those that name the thing, of all where the passage is titled with its name. */
function readPassage({ text, header }: Passage, thing: DatedThing): readonly (readonly Told[])[] {
  const paragraphs: Told[][] = [];
  let end = 0;
  for (const span of sentences(text)) {
    const isNew = /\n\s{0,10}\n/u.test(text.slice(end, span.start));
    if (paragraphs.length === 0 || isNew) paragraphs.push([]);
    paragraphs.at(-1)?.push(readSentence(text, span, thing));
    ({ end } = span);
  }
  const title = `${header}\n${text.slice(0, text.search(/\n|$/u))}`;
  const isTitled = nameFinder(title)(keyOf(thing.name));
  return isTitled ? paragraphs : paragraphs.filter((paragraph) => paragraph.some(({ isNamed }) => isNamed));
}

function readSentence(
  whole: string,
  { start, end }: { readonly start: number; readonly end: number },
  { name, other, event }: DatedThing,
): Told {
  const text = whole.slice(start, end);
  const hasName = nameFinder(text);
  const [isOfThis, isOfOther] = [hasName(keyOf(name)), hasName(keyOf(other))];
  const isNamed = isOfThis || (!isOfOther && hasName(shortestName({ name, event })));
  const years = yearsIn(text);
  const before = whole.slice(Math.max(0, start - MAX_BEFORE_UNITS), start);
  // Most sentences have no year: the rest costs more than all else.
  const stated = years.length === 0 ? null : statedAfter(before, text, { name, event });
  return {
    ...{ text, years, stated },
    isOfElse: stated === null && years.length > 0 && statesElse(text, { name, other, event }),
    isNamed,
    isPlain: isOfThis || isOfOther,
    isOfBoth: hasName(shortestName({ name, event })) && hasName(shortestName({ name: other, event })),
    isHeading: /^#{1,6}\s/u.test(text),
  };
}

function statedAfter(
  before: string,
  text: string,
  { name, event }: Pick<DatedThing, "name" | "event">,
): StatedYear | null {
  const kind = kindOf(before, name);
  return kind === "unfinished" ? null : statedYear({ text, isTitled: kind === "title" }, name, event);
}

function statesElse(text: string, { name, other, event }: DatedThing): boolean {
  const states = (of: string, what: TimedEvent) => statedYear({ text, isTitled: false }, of, what) !== null;
  if (states(other, event) || (isOfLife(event) && (states(name, BORN) || states(name, "died")))) return true;
  const leading = leadingName(text);
  if (leading === null || !states(leading, event)) return false;
  const own = new Set(normalizeName(name).split(" "));
  return !normalizeName(leading)
    .split(" ")
    .some((word) => own.has(word));
}

/** The normal form of the name; of a person, of the last of its words. */
function shortestName({ name, event }: Pick<DatedThing, "name" | "event">): string {
  const key = keyOf(name);
  return isOfLife(event) ? (key.split(" ").at(-1) ?? key) : key;
}

function isOfLife(event: TimedEvent): boolean {
  return event === "died" || event.includes("born");
}

function eventStems(event: TimedEvent): ReadonlySet<string> {
  const words = event === "died" ? WORDS_OF_LIFE.died : event.includes("born") ? WORDS_OF_LIFE.born : event;
  return new Set(words.map(stemWord));
}

function hasWord(text: string, stems: ReadonlySet<string>): boolean {
  const letters = new Set([...stems].map((stem) => stem.charAt(0)));
  const words = text.toLowerCase().split(/[^\p{L}]+/u);
  // Stemming costs the most.
  return words.some((word) => letters.has(word.charAt(0)) && stems.has(stemWord(word)));
}

function yearsIn(text: string): readonly number[] {
  return (text.match(YEAR) ?? []).map(Number);
}

/** A line of hard-wrapped text may begin in the middle of a sentence; what ends in a colon says whose statement follows. */
function kindOf(before: string, name: string): "title" | "finished" | "unfinished" {
  const text = before.trimEnd();
  if (text !== "" && keyOf(text.slice(text.lastIndexOf("\n") + 1)) === keyOf(name)) return "title";
  const isFinished =
    text === "" ||
    /[.!?…)"”]$/u.test(text) ||
    (!/[:;,]$/u.test(text) && /\n\s{0,10}\n/u.test(before.slice(text.length)));
  return isFinished ? "finished" : "unfinished";
}
