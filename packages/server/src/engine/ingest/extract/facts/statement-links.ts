/** Reads open statements between two entities as relationships that their verbs name. */

import type { Span, Statement } from "../../../../domain/graph.ts";
import { calendarWords } from "../../../text/names/name-words.ts";
import { isFormOfBe, type TaggedToken } from "../statements/tagged-token.ts";
import { isKindOf } from "./back-references.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { PassageSentence } from "./passage.ts";
import { nameOfFrame, nameOfNoun, nameOfWorkBy, type RelationshipName } from "./relationship-names.ts";

export interface StatementLink {
  readonly type: string;
  readonly source: FoundEntity;
  readonly target: FoundEntity;
  readonly statement: Statement;
  /** What joins the subject to the object in the text's words. */
  readonly asWritten: string;
  /** The target is the statement's subject. */
  readonly isInverse: boolean;
  /** The verb says too little where no ontology has a name for it. */
  readonly isVague?: true;
}

export interface LinkInput {
  readonly sentence: PassageSentence;
  /** Of the sentence, apart from each other. */
  readonly entities: readonly FoundEntity[];
  /** What a pronoun that opens the sentence stands for. */
  readonly opening: { readonly range: Span; readonly entity: FoundEntity } | null;
  /** What "the company" may stand for. */
  readonly documentSubject: FoundEntity | null;
}

const MAX_OBJECTS = 8;

/** What is stated plainly: neither denied nor doubted, and between the very things that are its subject and object. */
export function findStatementLinks(input: LinkInput): readonly StatementLink[] {
  const found = new Map<string, StatementLink>();
  for (const statement of input.sentence.statements) {
    if (statement.isNegated || statement.isHedged || !isClause(statement, input.sentence.tokens)) continue;
    const own = subjectOf(statement, input);
    if (own === null) continue;
    const objects = readObject(statement, input);
    const joined = objects.length === 0 ? null : joinedBefore(own, input);
    for (const subject of joined === null ? [] : [...joined, own]) {
      for (const { name, object } of objects) {
        const [source, target] = name.isInverse ? [object, subject] : [subject, object];
        const id = `${source.key}|${name.type}|${target.key}`;
        if (source.key !== target.key && !found.has(id))
          found.set(id, { ...name, source, target, statement });
      }
    }
  }
  return [...found.values()];
}

/** "Jonas: the alerts from X" is none, and "no longer" denies. */
function isClause({ subject, verb }: Statement, tokens: readonly TaggedToken[]): boolean {
  const at = tokens.findIndex(({ start }) => start >= verb.start);
  const [before, second] = [tokens[at - 1], tokens[at - 2]];
  if (before?.tag === "DET" || before?.text === "-" || (before?.lower === "longer" && second?.lower === "no"))
    return false;
  return tokens.every(
    ({ text, start }) => start < subject.end || start >= verb.start || !/^[:;?!|\]]$/.test(text),
  );
}

/** The entity that is all of the subject: with an article or a common noun before it ("the singer X") or an aside behind. */
function subjectOf(statement: Statement, input: LinkInput): FoundEntity | null {
  const { subject } = statement;
  const { sentence, entities, opening, documentSubject } = input;
  if (opening !== null && opening.range.start === subject.start && opening.range.end >= subject.end)
    return opening.entity;
  const inside = entities.filter((entity) => entity.start >= subject.start && entity.end <= subject.end);
  const [first] = inside;
  // "A Bird: The Return is a film": the phrase before the verb is the end of a title.
  const title = entities.find(
    ({ from, start, end }) => from <= 1 && start < subject.start && end === subject.end,
  );
  if (title !== undefined) return title;
  if (first === undefined) {
    const explained = beforeAside(statement, input) ?? ofPredicate(statement, input);
    if (explained !== null) return explained;
    const isMeant = isKindOf(tokensIn(sentence.tokens, subject), documentSubject?.type ?? null);
    return isMeant ? documentSubject : null;
  }
  const owned = ownedBy(inside, input);
  if (owned !== null) return owned.end === subject.end ? owned : null;
  if (!isIntroduced(sentence.tokens, subject.start, first)) return null;
  const next = sentence.tokens[first.to];
  return first.end === subject.end || next?.text === "," || next?.text === "(" ? first : null;
}

/** "Northwind's rival Southwind bought": the name behind what is somebody's. */
function ownedBy(inside: readonly FoundEntity[], { sentence: { tokens } }: LinkInput): FoundEntity | null {
  const owner = inside.findLast(({ to }) => /^['’]s?$/.test(tokens[to]?.text ?? ""));
  const owned = owner === undefined ? undefined : inside.find(({ from }) => from > owner.to);
  const between = tokens.slice((owner?.to ?? 0) + 1, owned?.from ?? 0);
  return owned !== undefined && between.length > 0 && between.every(({ tag }) => /^(?:NOUN|ADJ)$/.test(tag))
    ? owned
    : null;
}

/** "A, B and his sister C founded": those before the subject that is nearest to the verb; null where the list hangs on another word: "the uncle of A and B". */
function joinedBefore(
  subject: FoundEntity,
  { sentence, entities }: LinkInput,
): readonly FoundEntity[] | null {
  const { tokens } = sentence;
  const listed: FoundEntity[] = [];
  let first = subject;
  for (const entity of entities.filter(({ to }) => to <= subject.from).reverse()) {
    const between = tokens.slice(entity.to, first.from);
    const isList =
      /^(?:,|and|&)$/.test(between[0]?.lower ?? "") && between.every((token) => mayStandInList(token));
    if (!isList || listed.length >= MAX_OBJECTS) break;
    listed.unshift(entity);
    first = entity;
  }
  const hasAnd = tokens.slice(first.to, subject.from).some(({ lower }) => lower === "and" || lower === "&");
  let at = first.from - 1;
  while (/^(?:DET|ADJ|NOUN)$/.test(tokens[at]?.tag ?? "") || tokens[at]?.lower === "both") at--;
  const before = tokens[at];
  const hasVerb = tokens.slice(0, Math.max(0, at)).some(({ tag }) => tag === "VERB" || tag === "AUX");
  if (hasAnd && before?.lower === "of" && !hasVerb) return null;
  const isHung = before?.tag === "ADP" || /^['’]s?$/.test(before?.text ?? "") || before?.lower === "neither";
  return hasAnd && !isHung && before?.tag !== "VERB" ? listed : [];
}

function mayStandInList({ tag, lower }: TaggedToken): boolean {
  return /^(?:,|and|&)$/.test(lower) || /^(?:DET|ADJ|NOUN)$/.test(tag) || isPossessive(lower);
}

const isPossessive = (lower: string) => /^(?:his|her|its|their)$/.test(lower);

/** "X is a film directed by Y": what is told of the predicate's noun is told of X. */
function ofPredicate(statement: Statement, input: LinkInput): FoundEntity | null {
  if (!statement.frame.startsWith("be ")) return null;
  const predicate = input.sentence.statements.find(
    ({ frame, object, isNegated, isHedged }) =>
      frame === "be" &&
      !isNegated &&
      !isHedged &&
      object.start <= statement.subject.start &&
      statement.subject.end <= object.end,
  );
  if (predicate === undefined || predicate.subject.start === statement.subject.start) return null;
  return subjectOf(predicate, input);
}

/** "X, the maker of Y, acquired Z": the aside is taken for the subject, and what it explains is meant. */
function beforeAside(
  { subject, verb }: Statement,
  { sentence: { tokens }, entities }: LinkInput,
): FoundEntity | null {
  const at = tokens.findIndex(({ start }) => start === subject.start);
  const last = tokens.findLast(({ end }) => end <= verb.start);
  const isAside = tokens[at - 1]?.text === "," && last?.text === "," && last.start >= subject.end;
  if (!isAside || !/^(?:the|an?)$/.test(tokens[at]?.lower ?? "")) return null;
  return entities.find(({ to }) => to === at - 1) ?? null;
}

/** Between the beginning of a phrase and the entity stand only words that tell what it is. */
function isIntroduced(tokens: readonly TaggedToken[], from: number, entity: FoundEntity): boolean {
  return tokens.every((token) => {
    if (token.start < from || token.start >= entity.start) return true;
    return (
      /^(?:DET|ADJ|NOUN|PROPN|ADV|NUM)$/.test(token.tag) ||
      /^["“‘'(/-]$/.test(token.text) ||
      isPossessive(token.lower)
    );
  });
}

interface ReadObject {
  readonly name: RelationshipName;
  readonly object: FoundEntity;
}

function readObject(statement: Statement, input: LinkInput): readonly ReadObject[] {
  if (/^(?:be|become|remain)$/.test(statement.frame)) return readPredicate(statement, input);
  if (statement.frame === "be by") return readWorkBy(statement, input);
  const tokens = tokensIn(input.sentence.tokens, statement.verb);
  const [first] = tokens;
  if (first === undefined || isBesideObject(statement, input.sentence.statements)) return [];
  if (hasAside(statement.frame, tokens) || isFarParticiple(statement, input)) return [];
  const name = nameOfFrame(statement.frame, tokens);
  return name === null ? [] : listedFrom(statement.object, input).map((object) => ({ name, object }));
}

/** "acquired X in Y": what is told of Y is not told of the subject, unless the verb is passive ("was born in X in Y"). */
function isBesideObject(statement: Statement, others: readonly Statement[]): boolean {
  if (statement.frame.startsWith("be ")) return false;
  return others.some(
    ({ verb, object, subject }) =>
      subject.start === statement.subject.start &&
      verb.start === statement.verb.start &&
      object.start > verb.start &&
      object.end < statement.object.start &&
      object.start < statement.verb.end,
  );
}

/** "was based on a play by X" tells of the play; "was born on a Monday in X" and "was built in 1525 by X" do not. */
function hasAside(frame: string, verb: readonly TaggedToken[]): boolean {
  const first = verb.findIndex(({ tag }) => tag === "ADP");
  const isOwn = frame.startsWith("be bear");
  const inside = verb.slice(first < 0 ? verb.length : first, -1);
  return !isOwn && inside.some(({ tag, text }) => tag === "NOUN" || (tag === "PROPN" && !isMonth(text)));
}

function isMonth(text: string): boolean {
  return calendarWords.has(text.toLowerCase());
}

/** "with A and B in the roles played by X", "…, released by X": a participle far from a name in mid-sentence is told of another. */
function isFarParticiple(
  { frame, subject, verb }: Statement,
  { sentence: { tokens }, entities }: LinkInput,
): boolean {
  const own = tokens.filter(({ start, end }) => start >= verb.start && end <= verb.end);
  if (!frame.startsWith("be ") || own.some(isFormOfBe)) return false;
  const isOfEntity = ({ start, end }: TaggedToken) =>
    entities.some((entity) => entity.start <= start && end <= entity.end);
  const first = tokens.findIndex(({ start }) => start >= subject.end);
  const between = tokens.slice(
    first,
    tokens.findIndex(({ start }) => start >= verb.start),
  );
  // "a film written by X and directed by Y": participles in a row are told of one thing.
  const isRow =
    between[0]?.tag === "VERB" &&
    between.every(
      (token) =>
        /^(?:VERB|ADV|CCONJ)$/.test(token.tag) || /^(?:,|by)$/.test(token.lower) || isOfEntity(token),
    );
  const isTitle = entities.some(({ from, end }) => from <= 1 && end === subject.end);
  return (
    between.length > 0 && !isRow && !isTitle && tokens.findIndex(({ start }) => start >= subject.start) > 1
  );
}

/** "is a novel by X": the kind of work says what X did. */
function readWorkBy({ verb, object }: Statement, input: LinkInput): readonly ReadObject[] {
  const noun = tokensIn(input.sentence.tokens, verb).findLast(({ tag }) => tag === "NOUN");
  const name = noun === undefined ? null : nameOfWorkBy(noun.lemma);
  return name === null ? [] : listedFrom(object, input).map((entity) => ({ name, object: entity }));
}

/** "the capital and seat of X": the noun before the preposition names the relationship. */
function readPredicate({ object }: Statement, input: LinkInput): readonly ReadObject[] {
  const { tokens } = input.sentence;
  const inside = tokensIn(tokens, object);
  const at = inside.findIndex((token) => token.tag === "ADP");
  const preposition = inside[at];
  const noun = inside[at - 1];
  if (preposition === undefined || noun === undefined || noun.tag !== "NOUN") return [];
  const name = nameOfNoun(noun.lemma, preposition.lower);
  if (name === null) return [];
  const rest = { start: preposition.end, end: object.end };
  return listedFrom(rest, input).map((entity) => ({ name, object: entity }));
}

/** The entity that a phrase is about, and those that are listed after it: "the painters A, B and C". */
function listedFrom(object: Span, { sentence, entities }: LinkInput): readonly FoundEntity[] {
  const { tokens } = sentence;
  const inside = entities.filter((entity) => entity.start >= object.start && entity.end <= object.end);
  const [first] = inside;
  if (first === undefined || !isIntroduced(tokens, object.start, first)) return [];
  if (!endsPhrase(tokens, first)) return [];
  const listed = [first];
  for (const next of inside.slice(1, MAX_OBJECTS)) {
    const last = listed.at(-1);
    const between = last === undefined ? [] : tokens.slice(last.to, next.from);
    const isList = between.every(({ lower }) => /^(?:,|and|&|the|an?)$/.test(lower) || isPossessive(lower));
    if (!isList || !endsPhrase(tokens, next)) break;
    listed.push(next);
  }
  return listed;
}

/** "Oslo University": a name before another noun is not what the phrase is about. */
function endsPhrase(tokens: readonly TaggedToken[], { to, end }: FoundEntity): boolean {
  const next = tokens[to];
  if (next === undefined) return true;
  if (/^['’]s?$/.test(next.text) || (next.text === "-" && next.start === end)) return false;
  return next.tag !== "NOUN" && next.tag !== "PROPN" && next.tag !== "ADJ";
}

function tokensIn(tokens: readonly TaggedToken[], span: Span): readonly TaggedToken[] {
  return tokens.filter((token) => token.start >= span.start && token.end <= span.end);
}
