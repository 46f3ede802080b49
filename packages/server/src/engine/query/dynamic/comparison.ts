/** Reads questions that compare two things by a time: "Who died first, A or B?". */

export interface Comparison {
  /** As the question writes them. */
  readonly names: readonly [string, string];
  /** Who or what of the named thing the time belongs to: "director"; null = the thing itself. */
  readonly role: string | null;
  /** Asks for the time of one of them. */
  askTime(name: string): string;
  /** What a sentence that states the time must say; a text is one word. */
  readonly event: RegExp | string;
  /** Whether the question asks for the later one. */
  readonly isLater: boolean;
  /** What is said of the one that it asks for: "was born later". */
  readonly verdict: string;
}

const LATER = /\b(?:later|last|latest|more recently|most recently|newer|newest|younger|youngest)\b/i;
const EARLIER = /\b(?:earlier|first|earliest|older|oldest)\b/i;
const BORN = /\bborn\b/i;
const AGE = /\b(?:older|oldest|younger|youngest|newer|newest)\b/i;
const WHO = /\bwho\b/i;
const DIED = /\bd(?:ie|ies|ied)\b/i;
const CAME_OUT = /\bc[ao]me out\b/i;
const PARTICIPLE = /\b(?:[Ww]as|[Ww]ere|[Ii]s|been)\s{1,3}(\p{Ll}{3,20}(?:ed|lt|wn|en|ung))\b/u;
const ROLE =
  /\b(?:whose|(?:has|have|with) (?:the|a)) ((?!who|that|was)\p{Ll}[\p{Ll}-]{2,24}(?: (?!who|that|was|died|born)\p{Ll}[\p{Ll}-]{2,24})?) (?:who|that|is|was|were|died|born)\b/u;
const YEARS = /(?<!\p{N})[12]\d{3}(?!\p{N})/gu;
const BEFORE_COMMON_ERA = /\d\s{0,2}(?:BCE?|B\.\s?C\.)/u;
const DENIED = /\b(?:not|never|nor|neither|instead|supposed|planned)\b|n['’]t\b/iu;
/** "is a 1988 comedy" */
const KIND_OF_YEAR = /\b(?:is|was) (?:an?|the) (?:\p{L}{2,20} )?[12]\d{3}\b/u;
const DEATH = /\b(?:died|dies|death|killed)\b/i;
const RELEASED = /\b(?:released|published|premiered|came out)\b/i;
const MADE = /\b(?:born|made|built|founded|established|formed|opened|launched|released|published)\b/i;
const MAX_ASKED_UNITS = 600;
const MAX_NAME_UNITS = 120;

/** English only. null where nothing is compared, more than two things are, or not by a time. */
export function readComparison(query: string): Comparison | null {
  if (query.length > MAX_ASKED_UNITS) return null;
  const found = namesOf(query.trim());
  if (found === null) return null;
  const { names, rest } = found;
  const isLater = LATER.test(rest);
  if (isLater === EARLIER.test(rest)) return null;
  const role = ROLE.exec(rest)?.[1] ?? null;
  const time = timeOf(rest, role !== null || WHO.test(rest));
  if (time === null) return null;
  const verdict =
    time.said === null
      ? `is ${isLater ? "younger" : "older"}`
      : `${time.said} ${isLater ? "later" : "earlier"}`;
  return { names, role, askTime: time.ask, event: time.event, isLater, verdict };
}

/**
 * The year of the event in the sentence that answers; null where the sentence has several, denies one, has one before the common era, or does not
 * speak of the event. Dates of life in brackets are those of birth and death.
 */
export function yearOf(sentence: string, event: RegExp | string): number | null {
  if (DENIED.test(sentence) || BEFORE_COMMON_ERA.test(sentence)) return null;
  const life = lifeIn(sentence);
  const years = new Set(yearsIn(sentence));
  if (life !== null && (event === BORN || event === DEATH) && years.size === 2)
    return life[event === BORN ? 0 : 1];
  const [year] = years;
  if (year === undefined || years.size > 1) return null;
  return speaksOf(sentence, event) || KIND_OF_YEAR.test(sentence) ? year : null;
}

function speaksOf(sentence: string, event: RegExp | string): boolean {
  return typeof event === "string"
    ? sentence.toLowerCase().split(/\P{L}/u).includes(event)
    : event.test(sentence);
}

/** "(7 October 1889 – 27 August 1968)" */
function lifeIn(sentence: string): readonly [number, number] | null {
  const start = sentence.indexOf("(");
  const end = sentence.indexOf(")", start);
  if (start < 0 || end < 0) return null;
  const parts = sentence.slice(start, end).split(/[–—-]/u);
  const [born, died, ...more] = parts.map(yearsIn).filter((years) => years.length > 0);
  const isLife = born?.length === 1 && died?.length === 1 && more.length === 0;
  return isLife && born[0] !== undefined && died[0] !== undefined ? [born[0], died[0]] : null;
}

function yearsIn(text: string): readonly number[] {
  return [...text.matchAll(YEARS)].map(([year]) => Number(year));
}

interface AskedTime {
  /** null where the question compares ages. */
  readonly said: string | null;
  readonly ask: (name: string) => string;
  readonly event: RegExp | string;
}

function timeOf(rest: string, isPerson: boolean): AskedTime | null {
  if (DIED.test(rest)) return { said: "died", ask: (name) => `When did ${name} die?`, event: DEATH };
  if (CAME_OUT.test(rest))
    return { said: "came out", ask: (name) => `When was ${name} released?`, event: RELEASED };
  if (BORN.test(rest)) return { said: "was born", ask: (name) => `When was ${name} born?`, event: BORN };
  const participle = PARTICIPLE.exec(rest)?.[1];
  if (participle !== undefined)
    return {
      said: `was ${participle}`,
      ask: (name) => `When was ${name} ${participle}?`,
      event: participle,
    };
  if (!AGE.test(rest)) return null;
  const ask = (name: string) => `When was ${name} born${isPerson ? "" : " or made"}?`;
  return { said: null, ask, event: isPerson ? BORN : MADE };
}

/** The two names, and the question without them. */
function namesOf(query: string): { readonly names: readonly [string, string]; readonly rest: string } | null {
  const [before = "", after, ...more] = query.split(/\sor\s/u);
  if (after === undefined || more.length > 0) return null;
  const asked = before.indexOf(", ");
  const isOpen = asked < 0;
  // "Which is older, A or B?"; "Was A or B built first?"
  const start = isOpen ? before.search(/\s\p{Lu}/u) + 1 : asked + 2;
  const end = isOpen ? after.search(/\s\p{Ll}/u) : lengthBeforeMarks(after);
  if (start < 1 || end < 1) return null;
  const [one, other] = [before.slice(start).trim(), after.slice(0, end).trim()];
  const areNames = [one, other].every(
    (name) => name.length <= MAX_NAME_UNITS && /^["“‘']?[\p{Lu}\p{N}]/u.test(name),
  );
  return areNames ? { names: [one, other], rest: `${before.slice(0, start)} ${after.slice(end)}` } : null;
}

function lengthBeforeMarks(text: string): number {
  let end = text.length;
  while (end > 0 && /[\s?]/u.test(text[end - 1] ?? "")) end--;
  return end;
}
