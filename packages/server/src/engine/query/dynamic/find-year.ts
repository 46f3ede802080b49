/** Finds the year of an event in sentences that state it, unless two of them differ. */
import type { QuotedSentence, RankedChunk } from "../../../domain/query.ts";
import { hasWholeWords, nameFinder } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import { keyOf } from "./read-step.ts";
import {
  beginsWithName,
  isOfLife,
  type Sentence,
  type StatedYears,
  statedYear,
  type TimedEvent,
} from "./stated-year.ts";

export interface Stated extends StatedYears {
  readonly sentence: string;
  readonly from: QuotedSentence;
}

export interface DatedThing {
  readonly name: string;
  readonly event: TimedEvent;
}

/** A title may say more than the name, in brackets or behind a comma. */
const ASIDE = /\s?\([^()]{1,80}\)|, .{1,80}$/gu;
/** What is read before a sentence. */
const MAX_BEFORE_UNITS = 100;
const MAX_ASIDE_UNITS = 90;
const PRONOUN = /^(?:he|she|it|they)\b/iu;
const OWNED = /^(?:his|her|its|their)\b/iu;
const YEAR = /(?<!\p{N})[12]\d{3}(?!\p{N})/u;

/** null where no passage states it, or two state different years. */
export function findYear(chunks: readonly RankedChunk[], thing: DatedThing): Stated | null {
  return agreeing(chunks.flatMap((chunk) => statementsIn(chunk, thing)));
}

/** The first of them, if no two differ. */
export function agreeing(stated: readonly Stated[]): Stated | null {
  const lives = stated.filter(({ end }) => end !== null);
  const first = lives[0] ?? stated[0];
  if (first === undefined || stated.some(({ year }) => year !== first.year)) return null;
  return lives.some(({ end }) => end !== first.end) ? null : first;
}

/** The sentences of a passage that state it. Takes up to some milliseconds. */
export function statementsIn(chunk: RankedChunk, thing: DatedThing): readonly Stated[] {
  const { text, header = "", versionId, position, sourceDocId } = chunk;
  if (!YEAR.test(text) || !nameFinder(`${header}\n${text}`)(shortestName(thing))) return [];
  const found: Stated[] = [];
  for (const sentence of sentencesAbout(chunk, thing.name)) {
    const stated =
      YEAR.test(sentence.text) && sentence.begins() ? statedYear(sentence, thing.name, thing.event) : null;
    const from = { versionId, position, sourceDocId, start: chunk.start + sentence.start };
    if (stated !== null) found.push({ ...stated, sentence: sentence.text, from });
  }
  return found;
}

export interface SentenceAbout extends Sentence {
  /** In the passage. */
  readonly start: number;
  readonly end: number;
  /** Whether it begins where a sentence can. */
  begins(): boolean;
}

/** The sentences of a passage, each with whether it is about the thing. */
export function* sentencesAbout(
  { text: whole, header = "" }: Pick<RankedChunk, "text" | "header">,
  name: string,
): Generator<SentenceAbout> {
  const isNameOf = nameTest(name);
  const isTitled = titleIn({ text: whole, header }, isNameOf) !== null;
  let isFirst = isTitled;
  let isOfThis = false;
  let isOfOther = false;
  for (const { start, end } of sentences(whole)) {
    const text = whole.slice(start, end);
    if (isNameOf(text)) continue;
    // A pronoun is of what the sentence before began with.
    isOfThis = beginsWithName(text, name) || (isOfThis && PRONOUN.test(text));
    const isAbout = isOfThis || (isTitled && !isOfOther);
    const begins = () => isBeginning(whole.slice(Math.max(0, start - MAX_BEFORE_UNITS), start), isNameOf);
    yield { text, start, end, isAbout, isFirst, begins };
    isFirst = false;
    // "Her brother was a poet. He died in 1920."
    isOfOther = OWNED.test(text) || (isOfOther && !isOfThis);
  }
}

/** The title or first line of a passage, where it is the name, perhaps with more in brackets. */
export function titleOf(chunk: Pick<RankedChunk, "text" | "header">, name: string): string | null {
  return titleIn(chunk, nameTest(name));
}

type NameTest = (line: string) => boolean;

function titleIn(
  { text, header = "" }: Pick<RankedChunk, "text" | "header">,
  isNameOf: NameTest,
): string | null {
  const firstLine = text.slice(0, text.search(/\n|$/u));
  return [header, firstLine].find(isNameOf) ?? null;
}

/** A line of hard-wrapped text may begin in the middle of a sentence. */
function isBeginning(before: string, isNameOf: NameTest): boolean {
  const text = before.trimEnd();
  const line = text.slice(text.lastIndexOf("\n") + 1);
  if (line.startsWith("#") || isNameOf(line)) return true;
  return text === "" || /[.!?…)"”]$/u.test(text) || /\n\s{0,10}\n/u.test(before.slice(text.length));
}

/** Whether a line is the name and nothing else, but for what stands in brackets. */
function nameTest(name: string): NameTest {
  const key = keyOf(name);
  return (line) => {
    // Normal forms of long lines cost most of all.
    if (line.length > Math.min(name.length, key.length) + MAX_ASIDE_UNITS || hasWholeWords(line))
      return false;
    const title = line.replace(/^#{1,6}\s/u, "");
    return [title, title.replace(ASIDE, "")].some((each) => each !== "" && keyOf(each) === key);
  };
}

/** The normal form of the name; of a person, of the last of its words. */
function shortestName({ name, event }: DatedThing): string {
  const key = keyOf(name);
  return isOfLife(event) ? (key.split(" ").at(-1) ?? key) : key;
}
