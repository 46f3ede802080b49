/**
 * Gives relations the time that their sentence, or the heading above it, states: a time belongs to the relation that it stands
 * beside, with no other verb between. Whether a day is when something began, ended or merely held, the verb tells.
 */
import type { Timing, Validity } from "../../../../domain/validity.ts";
import { isNegation, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";
import { isDoubtful, isFuture, isLasting, isOfOtherTime, isVerbal, verbOf } from "./clause-verbs.ts";
import type { Passage, PassageSentence } from "./passage.ts";
import { type HowEnded, howEnded, isEndedBy, type RelatingClause } from "./relation-ends.ts";
import { findTimePhrases, periodOf, type TimePhrase } from "./time-phrases.ts";

/** Token ranges of ends that are not in the sentence are not used. */
interface TimedEnd extends TokenRange {
  readonly sentence: number;
  readonly start: number;
}

interface Statable {
  readonly type: string;
  readonly source: TimedEnd;
  readonly target: TimedEnd;
  readonly sentence: number;
  /** What its record says. */
  readonly times?: Validity;
}

export interface StatedTime extends Validity {
  /** null: of a type without times. */
  readonly timing: Timing | null;
}

/** Whether a source has one target at a time; null for a type without times. */
export type IsFunctional = (type: string) => boolean | null;

const untimed = { validFrom: null, validTo: null };

export function withStatedTimes<Relation extends Statable>(
  relations: readonly Relation[],
  { passage, isFunctional }: { readonly passage: Passage; readonly isFunctional: IsFunctional },
): readonly (Omit<Relation, "times"> & StatedTime)[] {
  const headings = headingsOf(passage);
  const places = new Map<Statable, Place>();
  for (const [index, stated] of Map.groupBy(relations, ({ sentence }) => sentence)) {
    const sentence = passage.sentences[index];
    const attached = sentence === undefined ? [] : attachTimes(sentence, stated, passage);
    for (const [at, place] of attached.entries()) places.set(stated[at]!, place);
  }
  return relations.map((relation) => {
    const { times, ...rest } = relation;
    const functional = isFunctional(relation.type);
    if (functional === null) return { ...rest, ...untimed, timing: null };
    const place = places.get(relation);
    const heading = headings[relation.sentence] ?? "";
    const read: ReadTime = place === undefined ? untimed : timeOf(place, { heading, passage });
    const { validFrom, validTo, knownAt = passage.documentDate }: ReadTime = times ?? read;
    return { ...rest, validFrom, validTo, timing: { knownAt, isFunctional: functional } };
  });
}

/** The last heading above each sentence, without its marks. */
function headingsOf(passage: Passage): readonly string[] {
  let heading = passage.heading;
  return passage.sentences.map((sentence) => {
    const text = passage.textOf(sentence);
    if (text.startsWith("#")) heading = text.replace(/^#{1,6}\s{0,9}/, "");
    return heading.trim();
  });
}

/** Where a relation is in its sentence, and the times beside it. */
interface Place extends RelatingClause {
  readonly phrases: TimePhrase[];
  /** "… and left in 2015": the time of the end, by a verb of its own. */
  readonly ends: TimePhrase[];
  /** "until 2011 and again since 2019": what its times end began once more. */
  isResumed: boolean;
}

/** Of each relation, in the order given. */
function attachTimes(
  sentence: PassageSentence,
  relations: readonly Statable[],
  passage: Passage,
): readonly Place[] {
  const { tokens, index } = sentence;
  const places = relations.map(({ source, target }): Place => {
    const inside = [source, target].filter(
      ({ sentence: own, start, to }) => own === index && start >= 0 && to <= tokens.length,
    );
    const first = Math.min(...inside.map((end) => end.from), tokens.length);
    const from = inside.length === 1 ? verbBefore(tokens, first) : first;
    const to = Math.max(...inside.map((end) => end.to), 0);
    const within = (end: TimedEnd) => (inside.includes(end) ? end : null);
    const related = { source: within(source), target: within(target) };
    return { tokens, from, to, ...related, phrases: [], ends: [], isResumed: false };
  });
  const phrases = findTimePhrases(sentence, passage);
  for (const phrase of phrases) {
    const { owners, isEnd } = ownersOf(phrase, places, tokens);
    for (const owner of owners) (isEnd ? owner.ends : owner.phrases).push(phrase);
  }
  for (const place of places) place.isResumed = isResumed(place, phrases);
  return places;
}

/** Behind the times of a relation another beginning of it: "and again since 2019", "has led it again since 2019", "and from 2019." */
function isResumed({ tokens, phrases, ends }: Place, all: readonly TimePhrase[]): boolean {
  const own = [...phrases, ...ends];
  const over = Math.min(...own.map(({ end }) => end));
  return all.some(({ role, first, end }) => {
    if (role !== "start" || first < over) return false;
    const between = tokens.slice(over, first);
    if (between.at(-1)?.lower === "again") return !between.some(isNegation);
    const isLast = end === tokens.length || /^[.);]$/.test(tokens[end]?.text ?? "");
    return isLast && between.every(({ tag }) => tag === "CCONJ" || tag === "PUNCT" || tag === "ADV");
  });
}

/** Where the clause of a lone end begins: "In 1952 she married A". */
function verbBefore(tokens: readonly TaggedToken[], end: number): number {
  const verb = tokens.findLastIndex(({ tag }, at) => at < end && isVerbal(tag));
  if (verb < 0) return end;
  const other = tokens.findLastIndex(({ tag }, at) => at < verb && !isVerbal(tag) && tag !== "ADV");
  return tokens[other]?.tag === "PRON" ? other : other + 1;
}

/** The relations that end next before the time, else those that begin next after it, else that in which it stands. */
function ownersOf(
  phrase: TimePhrase,
  places: readonly Place[],
  tokens: readonly TaggedToken[],
): { readonly owners: readonly Place[]; readonly isEnd: boolean } {
  const { first, end } = phrase;
  const after = places.filter(({ from }) => from >= end);
  const next = Math.min(...after.map(({ from }) => from));
  const isLeading = after.length > 0 && isFreeOfVerbs(tokens.slice(end, next));
  const following = isLeading ? after.filter(({ from }) => from === next) : [];
  if (isOfNext(tokens, phrase)) return { owners: following, isEnd: false };
  const before = places.filter(({ to }) => to > 0 && to <= first);
  const nearest = Math.max(...before.map(({ to }) => to));
  const trailing = before.filter(({ to }) => to === nearest);
  const between = trailing.length === 0 ? [] : tokens.slice(nearest, first);
  if (trailing.length > 0 && isFreeOfVerbs(between) && !isInAside(between)) {
    const left = places.filter((place) => trailing.some((one) => isLeftFor(place, one)));
    return { owners: [...trailing, ...left], isEnd: false };
  }
  if (isEndedBy(between)) return { owners: trailing, isEnd: true };
  if (following.length > 0 && trailing.length === 0) return { owners: following, isEnd: false };
  const around = places.filter(({ from, to }) => from < first && end <= to);
  const length = Math.min(...around.map(({ from, to }) => to - from));
  const inner = around.filter(({ from, to }) => to - from === length);
  const isPlain = ({ from, to }: Place) =>
    verbGroups(tokens.slice(from, to)) <= 1 || isOfLastVerb(tokens, phrase, to);
  return { owners: inner.length === 1 ? inner.filter(isPlain) : [], isEnd: false };
}

/** "… is a firm founded in 1987 by A": the time stands right behind the verb, and no other verb before the end. */
function isOfLastVerb(tokens: readonly TaggedToken[], { first, end }: TimePhrase, to: number): boolean {
  return isVerbal(tokens[first - 1]?.tag) && isFreeOfVerbs(tokens.slice(end, to));
}

/** "moved from A to B in 2015": both are of that time. */
function isLeftFor({ tokens, target }: Place, other: Place): boolean {
  if (target === null || other.target === null || tokens[target.from - 1]?.lower !== "from") return false;
  return tokens[target.to]?.lower === "to" && other.target.from === target.to + 1;
}

const barriers = new Set(["who", "which", "whose", "where", "when", "while", "after", "before"]);

function isFreeOfVerbs(tokens: readonly TaggedToken[]): boolean {
  return !tokens.some(({ tag, text, lower }) => isVerbal(tag) || text === ";" || barriers.has(lower));
}

/** "by A, owners of B since 1990": what is told after the comma is of B. */
function isInAside(tokens: readonly TaggedToken[]): boolean {
  const comma = tokens.findLastIndex(({ text }) => text === ",");
  return comma >= 0 && tokens.slice(comma).some(({ tag }) => tag === "NOUN" || tag === "PROPN");
}

/** "and from 1990 in B" is told of B. */
function isOfNext(tokens: readonly TaggedToken[], { first, end }: TimePhrase): boolean {
  const next = tokens[end]?.tag;
  return tokens[first - 1]?.tag === "CCONJ" && next !== undefined && next !== "PUNCT" && next !== "CCONJ";
}

function verbGroups(tokens: readonly TaggedToken[]): number {
  return tokens.filter(({ tag }, at) => isVerbal(tag) && !isVerbal(tokens[at - 1]?.tag)).length;
}

interface ReadTime extends Validity {
  /** Absent: at the document's date. */
  readonly knownAt?: string | null;
}

/** Several times of one kind leave it open which is meant; what nobody asserts has none. */
function timeOf(
  place: Place,
  { heading, passage }: { readonly heading: string; readonly passage: Passage },
): ReadTime {
  const verb = verbOf(place);
  const how = howEnded(place, verb);
  if (how === "other" || isDoubtful(place, verb)) return { ...untimed, knownAt: null };
  const { phrases, ends } = place;
  const above = phrases.length === 0 && ends.length === 0 ? periodOf(heading, passage.documentDate) : null;
  const stated = above === null ? phrases : [above];
  const times = stated.map((phrase) => boundsOf(phrase, { how, isLasting: isLasting(place, verb) }));
  const validFrom = onlyOf(times.map((time) => time.validFrom));
  const over = how !== null && stated.length === 0 ? passage.documentDate : null;
  const lasts = [...times.map((time) => time.validTo), ...ends.map(({ from, to }) => to ?? from), over];
  const validTo = isFuture(place, verb) ? null : onlyOf(lasts);
  if (validFrom !== null && validTo !== null && `${validTo}~` < validFrom)
    return { ...untimed, knownAt: null };
  const knownAt = onlyOf(times.map((time) => time.knownAt));
  const isOpen = stated.length === 0 && (over !== null || !isOfOtherTime(place, verb));
  return { validFrom, validTo: place.isResumed ? null : validTo, ...(isOpen ? {} : { knownAt }) };
}

function onlyOf(values: readonly (string | null | undefined)[]): string | null {
  const [first = null, ...more] = new Set(values.filter((value) => value != null));
  return more.length === 0 ? first : null;
}

function boundsOf(
  { role, from, to }: TimePhrase,
  { how, isLasting: lasts }: { readonly how: HowEnded; readonly isLasting: boolean },
): {
  readonly validFrom?: string | null;
  readonly validTo?: string | null;
  readonly knownAt?: string | null;
} {
  if (role === "range") return { validFrom: from, validTo: to };
  if (role === "end") return { validTo: to };
  if (how === "ended") return { validTo: from };
  // Whether it ended then or had ended by then is not told.
  if (how === "former") return {};
  if (role === "start") return { validFrom: from };
  return role === "point" && !lasts ? { validFrom: from } : { knownAt: from };
}
