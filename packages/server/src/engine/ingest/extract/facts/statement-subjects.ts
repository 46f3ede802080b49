/** Finds the entities that a statement is told of. */

import type { Statement } from "../../../../domain/graph.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { isKindOf } from "./back-references.ts";
import { asideBehind } from "./definitions.ts";
import type { FoundEntity } from "./found-entity.ts";
import { type LinkInput, tokensIn } from "./link-input.ts";

const MAX_LISTED = 8;

/** The subject, and what is listed before it; null where no entity is meant. */
export function findSubjects(statement: Statement, input: LinkInput): readonly FoundEntity[] | null {
  const own = subjectOf(statement, input);
  const joined = own === null ? null : joinedBefore(own, input);
  return own === null || joined === null ? null : [...joined, own];
}

/** The entity that is all of the subject: with an article or a common noun before it ("the singer X") or an aside behind. */
function subjectOf(statement: Statement, input: LinkInput): FoundEntity | null {
  const { subject } = statement;
  const { sentence, entities, opening, documentSubject } = input;
  if (opening !== null && opening.range.start === subject.start && opening.range.end >= subject.end)
    return opening.entity;
  const inside = entities.filter((entity) => entity.start >= subject.start && entity.end <= subject.end);
  const [first] = inside;
  // "X is an OVA directed by Y": what an article introduces is what X is.
  const told = /^an?$/.test(tokensIn(sentence.tokens, subject)[0]?.lower ?? "")
    ? ofPredicate(statement, input)
    : null;
  if (told !== null) return told;
  // "A Bird: The Return is a film": the phrase before the verb is a part of a title.
  const title = entities.find(
    ({ from, start, end }) =>
      from <= 1 && start <= subject.start && subject.end <= end && end < statement.verb.start,
  );
  if (title !== undefined) return title;
  if (first === undefined) {
    const explained =
      inAside(statement, input) ?? beforeAside(statement, input) ?? ofPredicate(statement, input);
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

/** "A, B and his sister C founded": those before the subject that is nearest to the verb; null where the list hangs on another word, "the uncle of A and B", and where the verb tells of one thing. */
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
    if (!isList || listed.length >= MAX_LISTED) break;
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
  if (!hasAnd || isHung || before?.tag === "VERB") return [];
  const verb = tokens.slice(subject.to).find(({ tag }) => tag === "VERB" || tag === "AUX");
  // "Countess of A and B was"
  return listed.length > 0 && /^(?:is|was|has)$/.test(verb?.lower ?? "") ? null : listed;
}

function mayStandInList({ tag, lower }: TaggedToken): boolean {
  return /^(?:,|and|&)$/.test(lower) || /^(?:DET|ADJ|NOUN)$/.test(tag) || isPossessive(lower);
}

export const isPossessive = (lower: string) => /^(?:his|her|its|their)$/.test(lower);

/** "X is a film directed by Y", "starring Y": what a participle tells of the predicate's noun is told of X. */
function ofPredicate(statement: Statement, input: LinkInput): FoundEntity | null {
  const { tokens, statements } = input.sentence;
  const isProgressive = tokensIn(tokens, statement.verb)[0]?.lower.endsWith("ing") === true;
  if (!isProgressive && !statement.frame.startsWith("be ")) return null;
  const predicate = statements.find(
    ({ frame, object, isNegated, isHedged }) =>
      frame === "be" &&
      !isNegated &&
      !isHedged &&
      // Of "the son of a farmer living in Y" only the farmer lives there.
      (isProgressive ? object.start === statement.subject.start : object.start <= statement.subject.start) &&
      statement.subject.end <= object.end,
  );
  if (predicate === undefined || predicate.subject.start === statement.subject.start) return null;
  return subjectOf(predicate, input);
}

/** "Her first novel, X, was published". */
function inAside({ subject }: Statement, { sentence, entities }: LinkInput): FoundEntity | null {
  const aside = asideBehind(sentence.tokens, subject);
  return entities.find(({ from, to }) => from === aside?.from && to === aside.to) ?? null;
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
export function isIntroduced(tokens: readonly TaggedToken[], from: number, entity: FoundEntity): boolean {
  return tokens.every((token) => {
    if (token.start < from || token.start >= entity.start) return true;
    return (
      /^(?:DET|ADJ|NOUN|PROPN|ADV|NUM)$/.test(token.tag) ||
      /^["“‘'(/-]$/.test(token.text) ||
      isPossessive(token.lower)
    );
  });
}
