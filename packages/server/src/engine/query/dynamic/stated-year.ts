/**
 * Reads the year of an event from sentences that state it of a name, in a few forms that leave no room for more: "A was built in 1790.", "A (3 May 1852 –
 * 1911) …". A word more ("after 1790", "her father died", "in 1790 of another calendar") would make it another statement. English only.
 */

/** "died", or what something "was": "born"; several where any of these tells it. */
export type TimedEvent = "died" | readonly string[];

export interface StatedYear {
  readonly year: number;
  /** The first and last year of a life that brackets give; elsewhere the year itself. No last one: infinity. */
  readonly span: readonly [number, number];
  /** "A was built in 1790.": another sentence may take it back. What stands in brackets and "A is a 1948 film" are data of the thing. */
  readonly isSaid: boolean;
}

const LIFE =
  /^,? ?\( ?(?:born )?(?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) |(?:January|February|March|April|May|June|July|August|September|October|November|December) (?:\d{1,2},? )?)?([12]\d{3})(?:(?:,| in)(?: \p{Lu}[\p{L}'’-]{0,30},?){1,6})?(?:\s?[–—-]\s?(?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) |(?:January|February|March|April|May|June|July|August|September|October|November|December) (?:\d{1,2},? )?)?([12]\d{3})(?:(?:,| in)(?: \p{Lu}[\p{L}'’-]{0,30},?){1,6})?)? ?\)/u;
const BORN = /\( ?born /u;
const WHEN =
  /^,? (?:in|on) (?:\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) |(?:January|February|March|April|May|June|July|August|September|October|November|December) (?:\d{1,2},? )?)?([12]\d{3})(?: (?:in|at|by|near)(?: \p{Lu}[\p{L}'’-]{0,30}){1,6})?[.!]?["”’)*_]{0,3}$/u;
const WHERE = /^,? (?:in|at|near)(?: \p{Lu}[\p{L}'’-]{0,30},?){1,6}/u;
/** "is a 1988 Danish comedy film" */
const KIND_OF_YEAR =
  /^ (?:is|was) an? ([12]\d{3}) (?:[\p{L}-]{1,30} ){0,5}(?:film|movie|album|single|song|novel|book|game|documentary|miniseries)\b/u;
const STATED = /^ (?:(died)|(?:was|were) (\p{Ll}{3,20}))(?![\p{L}-])/u;
const FULL_NAME = /^\p{Lu}[\p{L}.'’-]{0,30}(?: \p{Lu}[\p{L}.'’-]{0,30}){1,6}/u;
const OPENING = /^["“‘'*_]{0,2}(?:The )?/u;
const YEARS = /(?<!\p{N})[12]\d{3}(?!\p{N})/gu;
const DAY_AND_MONTH =
  /\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December)|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}/u;

/**
 * null where the sentence does not begin with the name, or states no year of the event in one of the forms. `isTitled`: it stands below the name as a
 * title; then it may begin with a fuller form, "Odile Maria Brandt".
 */
export function statedYear(
  { text, isTitled }: { readonly text: string; readonly isTitled: boolean },
  name: string,
  event: TimedEvent,
): StatedYear | null {
  const sentence = text.trim().replace(/\s{1,20}/gu, " ");
  const rest = afterName(sentence, name) ?? (isTitled ? afterFullName(sentence, name) : null);
  if (rest === null) return null;
  const known = ofLife(rest, event) ?? ofKind(rest, event);
  if (known !== null) return known;
  const year = statedOf(rest, event);
  return year === null ? null : { ...only(year), isSaid: true };
}

/** The name that a sentence begins with, as far as its words are capitalised; null = it begins with none. */
export function leadingName(sentence: string): string | null {
  return FULL_NAME.exec(sentence)?.[0] ?? null;
}

function only(digits: string): Pick<StatedYear, "year" | "span"> {
  const year = Number(digits);
  return { year, span: [year, year] };
}

function ofLife(rest: string, event: TimedEvent): StatedYear | null {
  const life = event === "died" || event.includes("born") ? lifeIn(rest) : null;
  if (life === null) return null;
  const [from, to] = [Number(life[1]), life[2] === undefined ? Number.POSITIVE_INFINITY : Number(life[2])];
  const year = event === "died" ? to : from;
  return Number.isFinite(year) ? { year, span: [from, to], isSaid: false } : null;
}

/** "is a 1988 film" */
function ofKind(rest: string, event: TimedEvent): StatedYear | null {
  if (!event.includes("released") || countYears(rest) !== 1) return null;
  const year = KIND_OF_YEAR.exec(rest)?.[1];
  return year === undefined ? null : { ...only(year), isSaid: false };
}

/** Years alone may be those of an office: a life says "born", or days. */
function lifeIn(rest: string): RegExpExecArray | null {
  const life = LIFE.exec(rest);
  return life !== null && (BORN.test(life[0]) || DAY_AND_MONTH.test(life[0])) ? life : null;
}

function countYears(text: string): number {
  return new Set(text.match(YEARS)).size;
}

/** "died in Velden on 3 May 1852" */
function statedOf(rest: string, event: TimedEvent): string | null {
  const stated = STATED.exec(rest);
  // Another year may be the one that counts: "in 1305 of one calendar, which is 1888 of ours".
  if (stated === null || countYears(rest) > 1) return null;
  const [all, died, participle = ""] = stated;
  if (event === "died" ? died === undefined : !event.includes(participle)) return null;
  const after = rest.slice(all.length);
  const place = WHERE.exec(after)?.[0] ?? "";
  return (WHEN.exec(after) ?? WHEN.exec(after.slice(place.length)))?.[1] ?? null;
}

function afterName(sentence: string, name: string): string | null {
  const bare = withoutMarks(name).toLowerCase();
  const start = sentence.slice(OPENING.exec(sentence)?.[0].length ?? 0);
  const own = [start, sentence].find((text) => text.toLowerCase().startsWith(bare));
  return own === undefined ? null : own.slice(bare.length).replace(/^["”’'*_]{1,2}/u, "");
}

/** Where further names stand between those of the name. */
function afterFullName(sentence: string, name: string): string | null {
  const full = FULL_NAME.exec(sentence)?.[0] ?? "";
  const [words, own] = [full.split(" "), withoutMarks(name).split(" ")];
  let found = 0;
  for (const word of words) if (word === own[found]) found++;
  const isSame = own.length > 1 && found === own.length && words[0] === own[0] && words.at(-1) === own.at(-1);
  return isSame ? sentence.slice(full.length) : null;
}

function withoutMarks(name: string): string {
  return name
    .replace(/^["“‘']/u, "")
    .replace(/["”’']$/u, "")
    .replace(/^The /u, "");
}
