/**
 * Reads the year of an event from a sentence that states it of a named thing: "A was built in 1790.", "A (3 May 1852 – 1911) …", "A is a 1948 film",
 * "She was born in Velden in 1921." English only.
 */

/** "died", or what something "was": "born"; several where any of these tells it. */
export type TimedEvent = "died" | readonly string[];

export interface StatedYears {
  readonly year: number;
  /** The year of the end of a life that brackets give: for how long somebody lived. */
  readonly end: number | null;
}

export interface Sentence {
  readonly text: string;
  /** It stands in a passage about the thing, where a pronoun or a fuller form of its name is of it. */
  readonly isAbout: boolean;
  /** It is the first of such a passage: the first life in brackets is that of the thing. */
  readonly isFirst: boolean;
}

const MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)";
const DATE = `(?:(?:\\d{1,2} )?${MONTH},? (?:\\d{1,2},? )?)?([12]\\d{3})(?!\\p{N})`;
/** Years of another count, and one of two that may be meant, are not read: "1240 AH", "1240 (old count)", "1790 or 1850". */
const SAME_COUNT = "(?! (?:or|of|AH|AM|BC|BCE|bc|O\\.C\\.|\\())";
const YEAR = /(?<![\p{N}.,])([12]\d{3})(?!\p{N})/gu;
const DAY = new RegExp(`\\d{1,2} ${MONTH}|${MONTH} \\d{1,2}`, "u");
const BRACKETS = /\(([^()]{4,200})\)/gu;
/** Brackets further behind are of something else. */
const LIFE_UNITS = 240;
/** "is a 1988 Danish comedy film" */
const KIND_OF_YEAR =
  /^(?:,? ?\([^()]{1,120}\)|, (?:also )?known as [^,]{1,60},)? (?:is|was) (?:an? |the )?(?:[\p{Ll}-]{1,20} ){0,2}([12]\d{3}) (?:[\p{L}-]{1,30} ){0,8}(?:film|movie|album|single|song|novel|book|game|documentary|miniseries)\b/u;
/** Up to the date there is at most a place. */
const WHEN = new RegExp(
  `^(?: (?:in|at|near|the|of|again|first|originally|theatrically|internationally|worldwide|\\p{Lu}[\\p{L}.’'-]{0,30}),?){0,8}? (?:in|on) ${DATE}${SAME_COUNT}`,
  "u",
);
/** By whom, and then the date: "by the English musician Jimmy Stevens in 1972". */
const BY_WHOM = new RegExp(`^ by (?:[\\p{L}.’'&-]{1,30},? ){1,8}?(?:in|on) ${DATE}${SAME_COUNT}`, "u");
const STATED = /^ (?:(died)|(?:was|were) (\p{Ll}{3,20}))(?![\p{L}-])/u;
/** "is a director who was born", "was made by X and released" */
const RELATIVE = /^ (?:is|was) (?:an?|the) (?:[\p{L}'’-]{1,30} ){1,8}who (?:(died)|was (born))(?![\p{L}-])/u;
const SECOND =
  /^ (?:is|was|were) \p{Ll}{3,20} (?:[\p{L}.'’&-]{1,30} ){0,8}and (?:was |were )?(?:(died)|(\p{Ll}{3,20}))(?![\p{L}-])/u;
/** "Founded in 1966, it" */
const OPENING = new RegExp(`^(\\p{Lu}\\p{Ll}{3,20}) (?:in|on) ${DATE}, `, "u");
const FULL_NAME =
  /^(?!The |It |Born )\p{Lu}[\p{L}.'’-]{0,30}(?: (?:al|bin|da|de|del|della|den|der|di|du|ibn|la|le|van|von|zu|\p{Lu}[\p{L}.'’-]{0,30})(?![\p{L}])){1,6}/u;
/** Of "The", quotation marks and what tells where the name ends. */
const MAX_OPENING_UNITS = 12;
const QUOTES = /^["“‘'*_]{0,2}(?:The )?/u;
/** What a sentence below the title of a person, or of a thing, calls it. */
const PERSON = /^(?:he|she|they)(?= )/iu;
const THING =
  /^(?:it|they|the (?:film|movie|album|single|song|novel|book|game|documentary|miniseries))(?= )/iu;
const OF_ELSE =
  /\b(?:who|which|that|whose|when|where|while|during|after|before|until|since|than|and|but|not|never|his|her|their|born|built|\p{L}{2,20}ed)\b/u;

/** null where the sentence states no year of the event in one of the forms. */
export function statedYear(sentence: Sentence, name: string, event: TimedEvent): StatedYears | null {
  const text = spaced(sentence.text);
  const rest = afterName(text, name) ?? (sentence.isAbout ? afterOtherName(text, name, event) : null);
  const known = rest ?? (sentence.isFirst ? afterLastName(text, name) : null);
  const life = isOfLife(event) && known !== null ? ofLife(known, event) : null;
  if (life !== null) return life;
  const year = rest === null ? null : (ofKind(rest, event) ?? ofVerb(rest, event));
  const found = year ?? (sentence.isAbout || rest !== null ? ofOpening(text, name, event) : null);
  return found === null ? null : { year: Number(found), end: null };
}

/** What the sentence says behind the name of the thing, a pronoun or "the film"; null where it does not begin with one of them. */
export function afterThing(sentence: Sentence, name: string): string | null {
  const text = spaced(sentence.text);
  return afterName(text, name) ?? (sentence.isAbout ? afterOtherName(text, name, []) : null);
}

/** One space between words, and one before brackets. */
function spaced(text: string): string {
  return text
    .trim()
    .replace(/\s{1,20}/gu, " ")
    .replace(/(?<=[\p{L}\p{N}])\( ?/gu, " (");
}

export function isOfLife(event: TimedEvent): boolean {
  return event === "died" || event.includes("born");
}

function ofLife(text: string, event: TimedEvent): StatedYears | null {
  for (const [, inner = ""] of text.slice(0, LIFE_UNITS).matchAll(BRACKETS)) {
    const years = [...inner.matchAll(YEAR)];
    const [first, second] = years.map(([digits]) => Number(digits));
    if (first === undefined || years.length > 2) continue;
    if (second !== undefined) {
      const between = inner.slice(years[0]?.index, years[1]?.index);
      // Years alone may be those of an office: a life has days.
      const isLife = /[–—-]/u.test(between) && (DAY.test(inner) || /\bborn\b/u.test(inner));
      if (isLife && first <= second) return { year: event === "died" ? second : first, end: second };
    } else if (event !== "died" && /\b(?:born|b\.) /u.test(inner)) return { year: first, end: null };
    else if (event === "died" && /\b(?:died|d\.) /u.test(inner)) return { year: first, end: null };
  }
  return null;
}

/** What brackets behind a name say of the two ends of a life, as they say it: "6 June 1906, Graz". null where they do not say it. */
export interface BracketedLife {
  readonly born: string | null;
  readonly died: string | null;
}

/** "Karla Moss (6 June 1906, Velden – 2 November 1994, Orsk) was …": null where the sentence gives no life behind the name. */
export function bracketedLife(sentence: Sentence, name: string): BracketedLife | null {
  const text = spaced(sentence.text);
  const rest = afterName(text, name) ?? (sentence.isFirst ? afterLastName(text, name) : null);
  if (rest === null) return null;
  const [, inner = ""] = [...rest.slice(0, LIFE_UNITS).matchAll(BRACKETS)].find((each) => isLife(each)) ?? [];
  const [first, second] = [...inner.matchAll(YEAR)];
  if (first === undefined) return null;
  if (second === undefined)
    return /\b(?:died|d\.) /u.test(inner) ? { born: null, died: inner } : { born: inner, died: null };
  const between = inner.slice(first.index, second.index);
  // A place may have a hyphen: "Baden-Baden".
  const dash = [...between.matchAll(/ - |[–—]/gu)].at(-1) ?? [...between.matchAll(/-/gu)].at(-1);
  const split = first.index + (dash?.index ?? between.length);
  return { born: inner.slice(0, split), died: inner.slice(split) };
}

function isLife([, inner = ""]: RegExpMatchArray): boolean {
  return ofLife(`(${inner})`, ["born"]) !== null || ofLife(`(${inner})`, "died") !== null;
}

/** "is a 1988 film" */
function ofKind(rest: string, event: TimedEvent): string | null {
  if (!event.includes("released")) return null;
  return KIND_OF_YEAR.exec(rest)?.[1] ?? null;
}

/** "died in Velden on 3 May 1852" */
function ofVerb(rest: string, event: TimedEvent): string | null {
  for (const form of [STATED, RELATIVE, SECOND]) {
    const found = form.exec(rest);
    if (found === null) continue;
    const [all, died, participle = ""] = found;
    if (event === "died" ? died === undefined : !event.includes(participle)) continue;
    const after = rest.slice(all.length);
    const when = WHEN.exec(after) ?? BY_WHOM.exec(after);
    if (when !== null && !OF_ELSE.test(when[0])) return when[1] ?? null;
  }
  return null;
}

/** "Founded in 1966, it is …", below its title, or with its name. */
function ofOpening(text: string, name: string, event: TimedEvent): string | null {
  const [all = "", participle = "", year] = OPENING.exec(text) ?? [];
  if (event === "died" || year === undefined || !event.includes(participle.toLowerCase())) return null;
  const after = text.slice(all.length);
  const isOfThis = pronounOf(event).test(after) || afterName(after, name) !== null;
  return isOfThis ? year : null;
}

/** Also behind "The" and quotation marks. */
export function beginsWithName(sentence: string, name: string): boolean {
  return afterName(sentence.trimStart().slice(0, name.length + MAX_OPENING_UNITS), name) !== null;
}

function afterName(sentence: string, name: string): string | null {
  const bare = withoutMarks(name).toLowerCase();
  const start = sentence.replace(/^the /u, "The ").slice(QUOTES.exec(sentence)?.[0].length ?? 0);
  const own = [start, sentence, sentence.replace(/^the /u, "")].find((text) =>
    text.toLowerCase().startsWith(bare),
  );
  const rest = own?.slice(bare.length).replace(/^["”’'*_]{1,2}/u, "");
  return rest === undefined || /^[\p{L}\p{N}]/u.test(rest) ? null : rest;
}

function pronounOf(event: TimedEvent): RegExp {
  return isOfLife(event) ? PERSON : THING;
}

/** Behind the last word of the name, where brackets follow it: "Karla Moss, best known as Odile Brandt (born 1852)". */
function afterLastName(sentence: string, name: string): string | null {
  const last = withoutMarks(name).split(" ").at(-1) ?? "";
  const end = sentence.indexOf(`${last} (`);
  return last === "" || end < 0 || end > LIFE_UNITS ? null : sentence.slice(end + last.length);
}

/** A pronoun, "the film", or a name in which further ones stand between or before those of the name. */
function afterOtherName(sentence: string, name: string, event: TimedEvent): string | null {
  const pronoun = pronounOf(event).exec(sentence)?.[0];
  if (pronoun !== undefined) return sentence.slice(pronoun.length);
  const full = FULL_NAME.exec(sentence)?.[0] ?? "";
  const [words, own] = [full.split(" "), withoutMarks(name).split(" ")];
  const last = own.at(-1) ?? "";
  const end = words.lastIndexOf(last);
  let found = 0;
  for (const word of words.slice(0, end + 1)) if (word === own[found]) found++;
  if (own.length < 2 || end < 0 || found !== own.length) return null;
  return sentence.slice(words.slice(0, end + 1).join(" ").length);
}

function withoutMarks(name: string): string {
  return name
    .replace(/^["“‘']/u, "")
    .replace(/["”’']$/u, "")
    .replace(/^The /u, "");
}
