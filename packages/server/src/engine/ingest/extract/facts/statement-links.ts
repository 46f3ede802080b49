/** Reads open statements between two entities as relationships that their verbs name. */

import type { Span, Statement } from "../../../../domain/graph.ts";
import { endOfAside } from "../statements/noun-phrases.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { FoundEntity } from "./found-entity.ts";
import { type LinkInput, tokensIn } from "./link-input.ts";
import { nameOfFrame, nameOfNoun, nameOfWorkBy, type RelationshipName } from "./relationship-names.ts";
import { findSubjects, isIntroduced, isPossessive } from "./statement-subjects.ts";

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

const MAX_OBJECTS = 8;

/** What is stated plainly: neither denied nor doubted, and between the very things that are its subject and object. */
export function findStatementLinks(input: LinkInput): readonly StatementLink[] {
  const found = new Map<string, StatementLink>();
  for (const statement of plainStatements(input)) {
    const turned = readTurned(statement, input);
    const subjects = turned === null ? findSubjects(statement, input) : [turned.subject];
    if (subjects === null) continue;
    const objects = turned?.objects ?? readObject(statement, input);
    for (const subject of subjects) {
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

/** Objects of plain statements whose subject is no entity: "It was published by X". */
export function findLoneObjects(input: LinkInput): readonly ReadObject[] {
  return plainStatements(input)
    .filter((statement) => findSubjects(statement, input) === null)
    .flatMap((statement) => readObject(statement, input));
}

function plainStatements({ sentence: { statements, tokens } }: LinkInput): readonly Statement[] {
  return statements.filter(
    (statement) => !statement.isNegated && !statement.isHedged && isClause(statement, tokens),
  );
}

/** "Jonas: the alerts from X" is none, and "no longer" denies. */
function isClause({ subject, verb }: Statement, tokens: readonly TaggedToken[]): boolean {
  const at = tokens.findIndex(({ start }) => start >= verb.start);
  const [before, second] = [tokens[at - 1], tokens[at - 2]];
  if (before?.tag === "DET" || before?.text === "-" || (before?.lower === "longer" && second?.lower === "no"))
    return false;
  let depth = 0;
  return tokens.every(({ text, start }) => {
    if (start < subject.end || start >= verb.start) return true;
    if (/^[()]$/.test(text)) depth += text === "(" ? 1 : -1;
    return depth > 0 || !/^[:;?!|\]]$/.test(text);
  });
}

export interface ReadObject {
  readonly name: RelationshipName;
  readonly object: FoundEntity;
}

function readObject(statement: Statement, input: LinkInput): readonly ReadObject[] {
  if (/^(?:be|become|remain)$/.test(statement.frame)) return readPredicate(statement, input);
  if (statement.frame === "be by") return readWorkBy(statement, input);
  const tokens = tokensIn(input.sentence.tokens, statement.verb);
  const [first] = tokens;
  if (first === undefined || isBesideObject(statement, input.sentence.statements)) return [];
  // "directed from a script by X": X made the script.
  const work = tokens.at(-1)?.lower === "by" ? tokens.at(-2) : undefined;
  if (work?.tag === "NOUN" && nameOfWorkBy(work.lemma) !== null) return [];
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
  if (preposition === undefined || noun === undefined || !isRoleNoun(noun)) return [];
  const name = nameOfNoun(noun.lemma, preposition.lower);
  if (name === null) return [];
  const rest = { start: preposition.end, end: object.end };
  return listedFrom(rest, input).map((entity) => ({ name, object: entity }));
}

/** "founder", "CEO". */
const isRoleNoun = ({ tag, text }: TaggedToken) => tag === "NOUN" || /^C[A-Z]O$/.test(text);

/** "The founder of X is Y": Y is the founder of X. null for what is no such sentence. */
function readTurned(
  { frame, subject, object }: Statement,
  input: LinkInput,
): { readonly subject: FoundEntity; readonly objects: readonly ReadObject[] } | null {
  const { tokens } = input.sentence;
  const inside = tokensIn(tokens, subject);
  const at = inside.findIndex(({ lower }) => lower === "of");
  const noun = inside[at - 1];
  if (frame !== "be" || noun === undefined || !isRoleNoun(noun) || inside[0]?.lower !== "the") return null;
  const name = nameOfNoun(noun.lemma, "of");
  const [whole, ...more] = listedFrom({ start: inside[at]?.end ?? subject.end, end: subject.end }, input);
  const [holder] = listedFrom(object, input);
  if (name === null || whole === undefined || more.length > 0 || holder?.start !== object.start) return null;
  return { subject: holder, objects: [{ name, object: whole }] };
}

/** The entity that a phrase is about, and those that are listed after it: "the painters A, B and C". */
function listedFrom(object: Span, { sentence, entities }: LinkInput): readonly FoundEntity[] {
  const { tokens } = sentence;
  const inside = entities.filter((entity) => entity.start >= object.start && entity.end <= object.end);
  const [first] = inside;
  if (first === undefined || !endsPhrase(tokens, first)) return [];
  // "treats pain and fever": of terms also those behind one that is no entity.
  const isListed = first.kind === "noun" && isListOfTerms(tokens, object.start, first);
  if (!isListed && !isIntroduced(tokens, object.start, first)) return [];
  const listed = [first];
  for (const next of inside.slice(1)) {
    const aside = endOfAside(tokens, listed.at(-1)?.to ?? next.from);
    if (next.from < aside) continue;
    const between = tokens.slice(aside, next.from);
    const isList = between.every(({ lower }) => /^(?:,|and|&|the|an?)$/.test(lower) || isPossessive(lower));
    if (!isList || !endsPhrase(tokens, next) || listed.length >= MAX_OBJECTS) break;
    listed.push(next);
  }
  return listed;
}

function isListOfTerms(tokens: readonly TaggedToken[], from: number, entity: FoundEntity): boolean {
  const before = tokens.filter(({ start }) => start >= from && start < entity.start);
  return before.every(({ tag, lower }) => tag === "NOUN" || tag === "ADJ" || /^(?:,|and)$/.test(lower));
}

/** "Oslo University": a name before another noun is not what the phrase is about. */
function endsPhrase(tokens: readonly TaggedToken[], { to, end }: FoundEntity): boolean {
  const next = tokens[to];
  if (next === undefined) return true;
  if (/^['’]s?$/.test(next.text) || (next.text === "-" && next.start === end)) return false;
  return next.tag !== "NOUN" && next.tag !== "PROPN" && next.tag !== "ADJ";
}
