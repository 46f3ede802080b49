/** Finds times in a sentence, with what their prepositions make of them: "from 1990 to 1995", "(since 2014)", "until May 2021". */
import { dateAt, wordsOf } from "../../../text/date-patterns.ts";
import { normalizeDate } from "../../../text/dates.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import type { Passage, PassageSentence } from "./passage.ts";

/** start, end: when something begins or ends. point: when it happens. known: a time at which it holds. */
export type TimeRole = "start" | "end" | "range" | "point" | "known";

export interface TimePhrase {
  readonly role: TimeRole;
  readonly from: string | null;
  readonly to: string | null;
  /** Tokens, with the preposition; `end` is exclusive. */
  readonly first: number;
  readonly end: number;
}

const roles: ReadonlyMap<string, TimeRole> = new Map([
  ...["since", "from", "starting", "effective"].map((word) => [word, "start"] as const),
  ...["until", "till", "through"].map((word) => [word, "end"] as const),
  ...["in", "on", "during", "at"].map((word) => [word, "point"] as const),
  ["between", "start"],
  ["by", "known"],
]);
const joints = new Set(["to", "and", "until", "till", "through", "-", "–", "—"]);
const years = /^([12]\d{3})[-–—]([12]\d{3})$/;

/** In the order of the sentence. A date without a year is of the year nearest to the document's day. */
export function findTimePhrases(sentence: PassageSentence, passage: Passage): readonly TimePhrase[] {
  const { tokens } = sentence;
  const phrases: TimePhrase[] = [];
  for (const { from, to } of datesOf(sentence)) {
    const last = phrases.at(-1);
    const span = { start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
    const written = passage.textOf(span);
    const both = years.exec(written);
    if (both !== null) {
      const isInOrder = (both[1] ?? "") <= (both[2] ?? "");
      if (isInOrder && isOfRole(tokens, { from, to }))
        phrases.push({ role: "range", from: both[1]!, to: both[2]!, first: from, end: to });
      continue;
    }
    const value = normalizeDate(written.replace(/^(?:early|mid|late)[ -]/i, ""), passage.documentDate);
    if (value === null) continue;
    const { role, first } = roleAt(tokens, from);
    const isJoined =
      last !== undefined &&
      last.from !== null &&
      last.end === from - 1 &&
      joints.has(lowerAt(tokens, from - 1));
    if (isJoined && (last.role === "start" || last.role === "known") && last.from <= value)
      phrases[phrases.length - 1] = { ...last, role: "range", to: value, end: to };
    else if (role !== null) phrases.push(phraseOf(tokens, { role, value, first, end: to }));
  }
  // "between" names two times.
  return phrases.filter(({ role, first }) => role === "range" || lowerAt(tokens, first) !== "between");
}

/** "from 1990 to 95" ends in 1995. */
function phraseOf(
  tokens: readonly TaggedToken[],
  { role, value, first, end }: { role: TimeRole; value: string; first: number; end: number },
): TimePhrase {
  const short = joints.has(lowerAt(tokens, end)) ? lowerAt(tokens, end + 1) : "";
  if (role === "start" && value.length === 4 && /^\d{2}$/.test(short) && short > value.slice(2))
    return { role: "range", from: value, to: `${value.slice(0, 2)}${short}`, first, end: end + 2 };
  return { role, from: role === "end" ? null : value, to: role === "end" ? value : null, first, end };
}

/** "in 1990–1995", "director 1990–1995", "director (1990–1995) of": years behind a name may be those of a life. */
function isOfRole(tokens: readonly TaggedToken[], { from, to }: TokenRange): boolean {
  const before = tokens[from - 1];
  if (before === undefined) return tokens[to]?.tag === "NOUN";
  if (before.text === "(") return tokens[from - 2]?.tag === "NOUN" && tokens[to + 1]?.tag === "ADP";
  return before.tag === "NOUN" || roles.has(before.lower) || before.lower === "for";
}

/** A text that is a time and nothing else, as headings are: "2014", "March 2014", "2011–2015". */
export function periodOf(text: string, near: string | null): TimePhrase | null {
  const [, from, to] = years.exec(text) ?? [];
  const place = { first: 0, end: 0 };
  if (from !== undefined && to !== undefined)
    return from <= to ? { role: "range", from, to, ...place } : null;
  const words = wordsOf(text);
  const date = words.length > 0 && dateAt(words, 0).to === words.length ? normalizeDate(text, near) : null;
  return date === null ? null : { role: "point", from: date, to: null, ...place };
}

function datesOf({ tokens, mentions }: PassageSentence): readonly TokenRange[] {
  const dates = mentions.filter(({ kind, variantOf }) => kind === "date" && variantOf === null);
  const ranges = tokens.flatMap((_, from) => {
    const to = [from + 1, from + 3].find((end) => years.test(joined(tokens.slice(from, end))));
    return to === undefined ? [] : [{ from, to }];
  });
  const single = dates.filter(({ from }) => !ranges.some((range) => from >= range.from && from < range.to));
  return [...single, ...ranges].sort((a, b) => a.from - b.from);
}

/** "" with white space between. */
function joined(tokens: readonly TaggedToken[]): string {
  const isOne = tokens.every(({ start }, at) => at === 0 || start === tokens[at - 1]?.end);
  return isOne ? tokens.map(({ text }) => text).join("") : "";
}

/** null for what tells no time of the sentence: "before 1990", "the report of 1990". */
function roleAt(
  tokens: readonly TaggedToken[],
  at: number,
): { readonly role: TimeRole | null; readonly first: number } {
  let first = at - 1;
  while (/^(?:the|about|around|early|late|beginning|end|start|of)$/.test(lowerAt(tokens, first))) first--;
  const before = lowerAt(tokens, first);
  const isAsOf = before === "as" && lowerAt(tokens, first + 1) === "of";
  if (isAsOf) return { role: "start", first };
  // "the report of 1990"
  const isOf = lowerAt(tokens, at - 1) === "of" && !/^(?:end|beginning|start)$/.test(lowerAt(tokens, at - 2));
  if (isOf) return { role: null, first: at };
  if (/^(?:born|died|[bd]\.?)$/.test(lowerAt(tokens, first - 1))) return { role: null, first: at };
  return { role: roles.get(before) ?? null, first };
}

function lowerAt(tokens: readonly TaggedToken[], at: number): string {
  return tokens[at]?.lower ?? "";
}
