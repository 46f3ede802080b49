/**
 * Gives relations the time that their sentence, or the heading above it, states: a time belongs to the relation that it stands
 * beside, with no other verb between. Whether a day is when something began, ended or merely held, the verb tells.
 */
import type { Timing, Validity } from "../../../../domain/validity.ts";
import { isFormOfBe, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";
import type { Passage, PassageSentence } from "./passage.ts";
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

const ending = new Set(
  "leave quit resign retire depart end cease stop close sell withdraw discontinue dissolve expire terminate dismiss divorce".split(
    " ",
  ),
);
/** Their past is not told of the time of the telling, and a day of them is one of many. */
const lasting = new Set(
  "be have work live serve stay reside study hold run lead head manage own belong remain keep chair represent teach play".split(
    " ",
  ),
);
const former = /^(?:former|formerly|ex|previous|erstwhile)$/;
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
interface Place extends TokenRange {
  readonly tokens: readonly TaggedToken[];
  readonly target: TokenRange | null;
  readonly phrases: TimePhrase[];
  /** "… and left in 2015": the time of the end, by a verb of its own. */
  readonly ends: TimePhrase[];
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
    return { tokens, from, to, target: inside.includes(target) ? target : null, phrases: [], ends: [] };
  });
  for (const phrase of findTimePhrases(sentence, passage)) {
    const { owners, isEnd } = ownersOf(phrase, places, tokens);
    for (const owner of owners) (isEnd ? owner.ends : owner.phrases).push(phrase);
  }
  return places;
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
  const isPlain = ({ from, to }: Place) => verbGroups(tokens.slice(from, to)) <= 1;
  return { owners: around.length === 1 ? around.filter(isPlain) : [], isEnd: false };
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

/** "and then left", "and left the firm": of the same subject, and of no other name. */
function isEndedBy(tokens: readonly TaggedToken[]): boolean {
  const verb = tokens.findIndex(({ tag }) => tag === "VERB" || tag === "AUX");
  const joint = tokens.slice(0, verb).filter(({ tag }) => tag !== "ADV");
  const rest = tokens.slice(verb + 1);
  return (
    ending.has(tokens[verb]?.lemma ?? "") &&
    /^(?:and|but|,|until)$/.test(joint.at(-1)?.lower ?? "") &&
    rest.every(({ tag }) => /^(?:ADV|PRON|PUNCT|DET|NOUN)$/.test(tag))
  );
}

function verbGroups(tokens: readonly TaggedToken[]): number {
  return tokens.filter(({ tag }, at) => isVerbal(tag) && !isVerbal(tokens[at - 1]?.tag)).length;
}

function isVerbal(tag: string | undefined): boolean {
  return tag === "VERB" || tag === "AUX";
}

interface ReadTime extends Validity {
  /** Absent: at the document's date. */
  readonly knownAt?: string | null;
}

/** Several times of one kind leave it open which is meant. */
function timeOf(
  place: Place,
  { heading, passage }: { readonly heading: string; readonly passage: Passage },
): ReadTime {
  const { phrases, ends } = place;
  const verb = verbOf(place);
  const above = phrases.length === 0 && ends.length === 0 ? periodOf(heading, passage.documentDate) : null;
  const stated = above === null ? phrases : [above];
  const isOver = isEnded(place, verb);
  const times = stated.map((phrase) => boundsOf(phrase, { isOver, isLasting: isLasting(place, verb) }));
  const only = (values: readonly (string | null | undefined)[]) => {
    const [first = null, ...more] = new Set(values.filter((value) => value != null));
    return more.length === 0 ? first : null;
  };
  const validFrom = only(times.map((time) => time.validFrom));
  const over = isOver && stated.length === 0 ? passage.documentDate : null;
  const validTo = only([
    ...times.map((time) => time.validTo),
    ...ends.map(({ from, to }) => to ?? from),
    over,
  ]);
  if (validFrom !== null && validTo !== null && `${validTo}~` < validFrom)
    return { ...untimed, knownAt: null };
  const knownAt = only(times.map((time) => time.knownAt));
  const isOpen = stated.length === 0 && !isPast(place, verb);
  return { validFrom, validTo, ...(isOpen ? {} : { knownAt }) };
}

function boundsOf(
  { role, from, to }: TimePhrase,
  { isOver, isLasting: lasts }: { readonly isOver: boolean; readonly isLasting: boolean },
): {
  readonly validFrom?: string | null;
  readonly validTo?: string | null;
  readonly knownAt?: string | null;
} {
  if (role === "range") return { validFrom: from, validTo: to };
  if (role === "end") return { validTo: to };
  if (isOver) return { validTo: from };
  if (role === "start") return { validFrom: from };
  return role === "point" && !lasts ? { validFrom: from } : { knownAt: from };
}

/** The last verb between the ends, or before the one that is in the sentence. */
function verbOf({ tokens, from, to }: Place): number {
  const within = tokens.findLastIndex(({ tag }, at) => at >= from && at < to && tag === "VERB");
  if (within >= 0) return within;
  const auxiliary = tokens.findLastIndex(({ tag }, at) => at >= from && at < to && tag === "AUX");
  if (auxiliary >= 0) return auxiliary;
  return tokens.findLastIndex(({ tag }, at) => at < from && isVerbal(tag));
}

/** "left A", "moved from A to B", "former head of A". */
function isEnded({ tokens, from, to, target }: Place, verb: number): boolean {
  const before = tokens.findLastIndex(({ lower }, at) => at >= from - 1 && at < to && former.test(lower));
  const isFormer = before >= 0 && !tokens.slice(before, to).some(({ tag }) => isVerbal(tag));
  // Who something is sold to or closed by does not lose it.
  const isOther = /^(?:to|by|for)$/.test(tokens[(target?.from ?? to) - 1]?.lower ?? "");
  if (isFormer || (ending.has(tokens[verb]?.lemma ?? "") && !isOther)) return true;
  const isFrom = target !== null && verb >= 0 && tokens[target.from - 1]?.lower === "from";
  return isFrom && tokens.slice(target.to, target.to + 3).some(({ lower }) => lower === "to");
}

function isLasting({ tokens }: Place, verb: number): boolean {
  const token = tokens[verb];
  if (token === undefined || isFormOfBe(token) || token.tag === "AUX") return true;
  const isProgressive = token.lower.endsWith("ing");
  return isProgressive || (lasting.has(token.lemma) && !isPassive(tokens, verb));
}

/** "was led", but not "was head". */
function isPassive(tokens: readonly TaggedToken[], verb: number): boolean {
  const [before, token] = [tokens[verb - 1], tokens[verb]];
  return before !== undefined && isFormOfBe(before) && token?.lower !== token?.lemma;
}

/** "was", "worked", "will be": of a time that is not that of the telling. "has worked" goes on. */
function isPast(place: Place, verb: number): boolean {
  const { tokens } = place;
  const token = tokens[verb];
  if (token === undefined || !isLasting(place, verb)) return false;
  const group = tokens.slice(Math.max(0, verb - 2), verb + 1).filter(({ tag }) => isVerbal(tag));
  const first = group[0] ?? token;
  if (first.lemma === "have" && first !== token) return first.lower === "had";
  const isPresent = first.lower === first.lemma || /(?:[^a]s|ing|are|am)$/.test(first.lower);
  return /^(?:will|shall|would|may|might)$/.test(first.lower) || !isPresent;
}
