/** Joins what was read as relations with the entities: every end is an entity of an allowed type, or the relation is none. */

import type { Span, UnfitFact } from "../../../../domain/graph.ts";
import { checkFact, type EdgeType, type OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { Validity } from "../../../../domain/validity.ts";
import type { ConfidenceOf, Producer } from "../confidence.ts";
import type { RelationCandidate } from "../relations/relation-types.ts";
import { type FoundEntity, nameAt } from "./found-entity.ts";
import type { Passage } from "./passage.ts";
import type { TypedPassage, TypedSubject } from "./typed-passage.ts";

export interface JoinedRelation {
  readonly type: string;
  readonly source: FoundEntity;
  readonly target: FoundEntity;
  readonly sentence: number;
  readonly confidence: number;
  /** Key of the end that is the object of a stated verb. */
  readonly object?: string;
  /** When it holds, where a record says so. */
  readonly times?: Validity;
  /** What reads it. */
  readonly extractor: Producer;
}

export interface JoinedFacts {
  readonly entities: readonly FoundEntity[];
  /** Asserted. */
  readonly relations: readonly JoinedRelation[];
  /** No entity exists, and no type is changed, because of them. */
  readonly proposals: readonly JoinedRelation[];
  readonly unfit: readonly UnfitFact[];
}

export interface RelationFactInput {
  readonly schema: OntologySchema;
  readonly passage: Passage;
  readonly typed: TypedPassage;
  readonly subject: TypedSubject | null;
  readonly found: readonly RelationCandidate[];
  /** Asserted even where something contradicts it. */
  readonly stated: readonly JoinedRelation[];
  /** Where nothing contradicts it. */
  readonly likely: readonly JoinedRelation[];
  readonly confidenceOf: ConfidenceOf;
  /** Sure of their types. */
  readonly entities: readonly FoundEntity[];
}

/** A type that is as sure as this is not given up for a relation. */
const SURE_TYPE = 0.8;

/** The surest relations decide first; entities that overlap an end of an asserted one give way to it. */
export function joinRelations(input: RelationFactInput): JoinedFacts {
  const ends = new Map<string, FoundEntity>();
  const relations: JoinedRelation[] = [];
  const unfit: UnfitFact[] = [];
  // A name is one thing in a chunk: what the surest relation shows.
  const typeOf = new Map<string, string>();
  const keep = (joined: JoinedRelation) => {
    relations.push(joined);
    for (const { key, type } of [joined.source, joined.target]) typeOf.set(key, type);
    for (const end of [joined.source, joined.target]) if (end.start >= 0) ends.set(identityOf(end), end);
  };
  const isFree = (joined: JoinedRelation) =>
    [joined.source, joined.target].every((end) => (typeOf.get(end.key) ?? end.type) === end.type) &&
    !relations.some(
      (one) => one.sentence === joined.sentence && (isSamePair(one, joined) || isSaidOfAnother(one, joined)),
    );
  const { limits } = input.passage;
  const isAsserted = ({ confidence }: JoinedRelation) => confidence >= limits.asserted;
  const likely = input.likely.toSorted(bySureness);
  const found = input.found
    .flatMap((candidate) => joinRelation(candidate, input) ?? [])
    .toSorted(bySureness)
    .filter((joined) => {
      const { source, target, type } = joined;
      const fact = { type, sourceType: source.type, targetType: target.type };
      if (checkFact(input.schema, fact) === "fits") return true;
      if (isAsserted(joined)) unfit.push(toUnfit(fact, quoteOf(input.passage, joined.sentence)));
      return false;
    });
  for (const joined of input.stated.filter(isAsserted)) keep(joined);
  for (const joined of [...likely, ...found].filter(isAsserted)) if (isFree(joined)) keep(joined);
  const less = [...input.stated, ...likely, ...found].filter((joined) => !isAsserted(joined));
  const proposals = chooseProposals(
    less.filter((joined) => joined.confidence >= limits.proposed && isFree(joined)),
  );
  const kept = input.entities.filter((entity) => {
    return ![...ends.values()].some((end) => end.start < entity.end && entity.start < end.end);
  });
  const entities = [...kept, ...ends.values()].sort((a, b) => a.start - b.start || a.end - b.end);
  return { entities, relations, proposals, unfit };
}

const bySureness = (a: JoinedRelation, b: JoinedRelation) =>
  b.confidence - a.confidence || a.sentence - b.sentence;

/** The surest first, and of two names in a sentence only the likeliest relation. */
function chooseProposals(relations: readonly JoinedRelation[]): readonly JoinedRelation[] {
  const chosen: JoinedRelation[] = [];
  for (const one of relations.toSorted(bySureness))
    if (!chosen.some((other) => other.sentence === one.sentence && isSamePair(other, one))) chosen.push(one);
  return chosen;
}

/** Of what context alone finds between two things in one sentence, only the likeliest is said. */
function isSamePair(one: JoinedRelation, other: Pick<JoinedRelation, "source" | "target">): boolean {
  const keys = [other.source.key, other.target.key];
  return keys.includes(one.source.key) && keys.includes(one.target.key);
}

/** "She met Ada Holt and lives in Orsk": the verb tells who lives there, and that is not Ada Holt. */
function isSaidOfAnother({ type, object }: JoinedRelation, other: JoinedRelation): boolean {
  return other.type === type && [other.source.key, other.target.key].some((key) => key === object);
}

export function identityOf({ start, end, type }: FoundEntity): string {
  return `${start}:${end}:${type}`;
}

function toUnfit(
  fact: { readonly type: string; readonly sourceType: string; readonly targetType: string },
  example: string,
): UnfitFact {
  const { type: name, sourceType, targetType } = fact;
  return { kind: "relationship", sourceType, name, targetType, count: 1, example };
}

export function quoteOf(passage: Passage, sentence: number): string {
  const span = passage.sentences[sentence];
  return span === undefined ? "" : passage.textOf(span);
}

function joinRelation(candidate: RelationCandidate, input: RelationFactInput): JoinedRelation | null {
  const { type, sentence } = candidate;
  const edge = input.schema.edgeTypes.find(({ name }) => name === type);
  if (edge === undefined || candidate.isNegated) return null;
  const source = endOf(candidate.source, { candidate, edge, side: "source", input });
  const target = endOf(candidate.target, { candidate, edge, side: "target", input });
  if (source === null || target === null || source.key === target.key) return null;
  const extractor = edge.examples.length > 0 ? "relation like examples" : "relation";
  const confidence = input.confidenceOf(extractor, candidate.confidence);
  return { type, source, target, sentence, confidence, extractor };
}

interface End {
  readonly candidate: RelationCandidate;
  readonly edge: EdgeType;
  readonly side: "source" | "target";
  readonly input: RelationFactInput;
}

/** The end with the type that the chunk gives it where the edge type allows that, else with the likeliest that it allows. */
function endOf(span: Span, { candidate, edge, side, input }: End): FoundEntity | null {
  const { typed, subject, passage, schema, entities } = input;
  if (span.start < 0) return subject?.entity ?? null;
  const known = entities.find(({ start, end }) => start === span.start && end === span.end);
  const allowed = side === "source" ? edge.sourceTypes : edge.targetTypes;
  if (known !== undefined && (allowed.includes(known.type) || known.confidence >= SURE_TYPE)) return known;
  const mention = typed.sentences
    .flatMap(({ mentions, index }) => mentions.map((one) => ({ ...one, sentence: index })))
    .find(({ start, end }) => start === span.start && end === span.end);
  const named = nameAt(passage, span);
  if (mention === undefined || named === null) return null;
  const { typeScores: _, ...place } = mention;
  const voted = schema.nodeTypes[typed.votes.best(named.key)?.type ?? -1]?.name;
  const likeliest = side === "source" ? candidate.sourceType : candidate.targetType;
  const type = voted !== undefined && allowed.includes(voted) ? voted : likeliest;
  return { ...place, ...named, type, confidence: candidate.confidence };
}
