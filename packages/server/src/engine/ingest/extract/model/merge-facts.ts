/** Joins what a model and the built-in engine read in one chunk into what the chunk contributes. */
import type {
  ChunkFacts,
  EntityKey,
  EntityMention,
  PropertyMention,
  RelationshipMention,
  UnfitFact,
} from "../../../../domain/graph.ts";
import { checkFact, type OntologySchema } from "../../../../domain/ontology-schema.ts";
import { END_OF_PERIOD } from "../../../../domain/validity.ts";
import { findAliasCandidates } from "../facts/alias-candidates.ts";

/**
 * Everything that either states, each thing once. What the model takes a name for, it is for both; what the built-in engine read
 * of such a name stays where the ontology allows it for the new type. `schema`: null where no ontology gives any types.
 */
export function mergeFacts(
  model: ChunkFacts,
  builtIn: ChunkFacts,
  schema: OntologySchema | null,
): ChunkFacts {
  const retype = createRetype(model.entities, builtIn.entities);
  const isHeld = (edge: RelationshipMention) =>
    schema === null ||
    checkFact(schema, { type: edge.type, sourceType: edge.source.type, targetType: edge.target.type }) ===
      "fits";
  const retyped = <Edge extends RelationshipMention>(edges: readonly Edge[]) =>
    edges
      .map((edge) => ({ ...edge, source: retype(edge.source), target: retype(edge.target) }))
      .filter((edge, at) => isUnchanged(edge, edges[at]) || isHeld(edge));
  const properties = builtIn.properties
    .map((property) => ({ ...property, entity: retype(property.entity) }))
    .filter(
      (property, at) =>
        property.entity.type === builtIn.properties[at]?.entity.type || hasProperty(schema, property),
    );
  const entities = joinMentions(
    model.entities,
    builtIn.entities.map((entity) => ({ ...entity, ...retype(entity) })),
  );
  return {
    entities,
    relationships: joinRelationships(model.relationships, retyped(builtIn.relationships)),
    proposals: [...(model.proposals ?? []), ...retyped(builtIn.proposals ?? [])],
    properties: distinct([...model.properties, ...properties], ({ entity, property, value }) => [
      entity.type,
      entity.key,
      property,
      value,
    ]),
    aliases: distinct(
      [...model.aliases, ...builtIn.aliases.map((alias) => ({ ...alias, ...retype(alias) }))],
      ({ type, key, alias }) => [type, ...[key, alias].sort()],
    ),
    candidates: distinct(entities, ({ type, key }) => [type, key]).flatMap(findAliasCandidates),
    ...(builtIn.members === undefined ? {} : { members: keptMembers(builtIn, retype) }),
    unfit: joinCounts([...model.unfit, ...builtIn.unfit]),
  };
}

/** What the model takes a name for, unless it takes it for the built-in engine's type as well. */
function createRetype(model: readonly EntityMention[], builtIn: readonly EntityMention[]) {
  const types = new Map<string, string>();
  const own = new Set(model.map(({ type, key }) => `${type}\n${key}`));
  for (const { type, key } of model) if (!types.has(key)) types.set(key, type);
  const known = new Set(builtIn.map(({ type, key }) => `${type}\n${key}`));
  return ({ type, key }: EntityKey): EntityKey => {
    const other = own.has(`${type}\n${key}`) ? undefined : types.get(key);
    return other === undefined || !known.has(`${type}\n${key}`) ? { type, key } : { type: other, key };
  };
}

function isUnchanged(edge: RelationshipMention, before: RelationshipMention | undefined): boolean {
  return edge.source.type === before?.source.type && edge.target.type === before.target.type;
}

function hasProperty(schema: OntologySchema | null, { entity, property }: PropertyMention): boolean {
  return (
    schema === null ||
    schema.nodeTypes.some(({ name, properties }) => name === entity.type && properties.includes(property))
  );
}

/** The surer of two mentions of one thing at one place; a name within a longer one of the same type is a part of it. */
function joinMentions(
  model: readonly EntityMention[],
  builtIn: readonly EntityMention[],
): readonly EntityMention[] {
  const all = distinct([...model, ...builtIn], ({ type, key, start, end }) => [type, key, start, end]);
  return all.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * Of both extractors' assertions of one relationship in one place the model's, with the bounds of either. When it is known to hold,
 * the built-in engine says wherever it read the relationship: it has the tense of the clause.
 */
function joinRelationships(
  model: readonly RelationshipMention[],
  builtIn: readonly RelationshipMention[],
): readonly RelationshipMention[] {
  const joined = new Map<string, RelationshipMention>();
  const read = new Set(builtIn);
  for (const edge of [...model, ...builtIn]) {
    const { type, source, target } = edge;
    const id = JSON.stringify([type, source.type, source.key, target.type, target.key]);
    const known = joined.get(id);
    joined.set(id, known === undefined ? edge : joinTwo(known, edge, read.has(edge)));
  }
  return [...joined.values()];
}

function joinTwo(
  known: RelationshipMention,
  edge: RelationshipMention,
  isBuiltIn: boolean,
): RelationshipMention {
  const [validFrom, validTo] = [known.validFrom ?? edge.validFrom, known.validTo ?? edge.validTo];
  const isForward = validFrom === null || validTo === null || validFrom <= `${validTo}${END_OF_PERIOD}`;
  const [first, second] = isBuiltIn ? [edge.timing, known.timing] : [known.timing, edge.timing];
  return {
    ...known,
    confidence: Math.max(known.confidence, edge.confidence),
    validFrom: isForward ? validFrom : null,
    validTo: isForward ? validTo : null,
    timing: first ?? second ?? null,
  };
}

/** A member that the model takes for something else is no longer known to be gathered. */
function keptMembers({ members = [] }: ChunkFacts, retype: (key: EntityKey) => EntityKey) {
  return members.filter(({ member, parent }) =>
    [member, parent].every((key) => retype(key).type === key.type),
  );
}

function joinCounts(unfit: readonly UnfitFact[]): readonly UnfitFact[] {
  const groups = Map.groupBy(unfit, ({ kind, sourceType, name, targetType }) =>
    JSON.stringify([kind, sourceType, name, targetType]),
  );
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((one) => ({ ...one, count: group.reduce((sum, { count }) => sum + count, 0) })),
  );
}

function distinct<Row>(rows: readonly Row[], keyOf: (row: Row) => readonly unknown[]): readonly Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify(keyOf(row));
    if (!first.has(key)) first.set(key, row);
  }
  return [...first.values()];
}
