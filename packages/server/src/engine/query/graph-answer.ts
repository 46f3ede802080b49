/** Selects an answer's entities and relationships: those that the ranking used, then other relevant ones. */
import type { ChunkKey } from "../../domain/document.ts";
import type { AnswerEntity, AnswerRelationship, RankedChunk } from "../../domain/query.ts";
import type { Moment, Validity } from "../../domain/validity.ts";
import type { Entity, EntityInPassage, GraphStore, Relationship } from "../../ports/graph-store.ts";
import { normalizeName } from "../text/names/normal-form.ts";
import type { GraphRanking } from "./graph/rank.ts";
import type { NameRelevance } from "./name-relevance.ts";

export type AnswerGraphStore = Pick<
  GraphStore,
  "findEntitiesByKeys" | "findEntitiesIn" | "readEntities" | "findRelationships"
>;

export interface AnswerGraph {
  readonly entities: readonly AnswerEntity[];
  readonly relationships: readonly AnswerRelationship[];
}

const MAX_ENTITIES = 20;
const MAX_RELATIONSHIPS = 20;
/** Names of the question and of paths whose entities are read. */
const MAX_NAMES = 40;
/** Chunks of the answer whose entities are candidates, without and with a filter. */
const MAX_CHUNKS = 5;
const MAX_FILTERED_CHUNKS = 100;
const MAX_ENTITIES_IN_CHUNKS = 500;
/** Least relevance of a name relative to the most relevant sentence. */
const MIN_RELEVANCE = 0.5;
/** Least relevance of an entity that a relationship joins with one that the ranking used. */
const MIN_JOINED_RELEVANCE = 0.3;
/** Names on paths to the first chunks are included whatever their relevance. */
const FIRST_CHUNKS = 2;
/** A path with a smaller share of the best path's score is likely to be a coincidence. */
const MIN_PATH_SHARE = 0.6;
const RELATIONSHIPS_READ = 100;
/** Entities that are included because a person joined them with one that the question names. */
const MAX_CONFIRMED_ENDS = 5;
const UNTIMED: Validity = { validFrom: null, validTo: null };
/** Values of one property when texts contradict each other. */
const MAX_VALUES = 3;

export interface AnswerGraphInput {
  readonly projectId: string;
  readonly ranking: Pick<GraphRanking, "linked" | "paths">;
  readonly chunks: readonly RankedChunk[];
  /** Edge types of the project's schema; null when the graph is bound to an ontology and needs no check. */
  readonly edgeTypes: ReadonlySet<string> | null;
  /**
   * Then only what the answer's chunks support is included, because the filter may exclude other documents.
   */
  readonly isFiltered: boolean;
  /** As in `Question`. */
  readonly asOf?: Moment | null;
  readonly relevance: NameRelevance;
}

/**
 * Entities: first those named in the question, then those that a person has joined with them, then those on the
 * paths to the answer's chunks, then other relevant entities of the best chunks. Relationships join two of these entities: first those of the first
 * entities, then those that most chunks state.
 */
export async function readAnswerGraph(
  input: AnswerGraphInput,
  store: AnswerGraphStore,
): Promise<AnswerGraph> {
  const { projectId, ranking, isFiltered, relevance } = input;
  const names = usedNames(ranking, input.chunks, relevance);
  const keys = [...names.keys()].slice(0, MAX_NAMES);
  const chunks = input.chunks.slice(0, isFiltered ? MAX_FILTERED_CHUNKS : MAX_CHUNKS);
  const passages = chunks.map(({ versionId, position }) => ({ versionId, position }));
  const places = isFiltered ? { withPlaces: true, within: passages } : { withPlaces: false };
  const [named, inChunks] = await Promise.all([
    keys.length === 0 ? [] : store.findEntitiesByKeys({ projectId, keys, limit: MAX_NAMES * 2, ...places }),
    chunks.length === 0 ? [] : store.findEntitiesIn({ projectId, passages, limit: MAX_ENTITIES_IN_CHUNKS }),
  ]);

  const supportedIds = new Set(inChunks.map(({ entityId }) => entityId));
  const supported = isFiltered ? named.filter(({ entityId }) => supportedIds.has(entityId)) : named;
  const used = orderByUse(supported, names);
  const usedIds = new Set(used.map(({ entityId }) => entityId));
  const unused = rankByRelevance(inChunks, chunks, relevance).filter(([id]) => !usedIds.has(id));
  const relevanceOf = new Map(unused.slice(0, Math.max(0, MAX_ENTITIES - used.length)));
  const entityIds = [...relevanceOf.keys()];
  const others = entityIds.length === 0 ? [] : await store.readEntities({ projectId, entityIds, ...places });
  const found = [...used, ...others].slice(0, MAX_ENTITIES);
  if (found.length === 0) return { entities: [], relationships: [] };

  const relationships = await readRelationships(input, { entities: found, chunks, places }, store);
  const linked = new Set(ranking.linked.map(({ name }) => name));
  const asked = found.filter(({ keys }) => keys.some((key) => linked.has(key)));
  // A confirmed relationship may be of another document than those that the filter allows.
  const endIds = isFiltered ? [] : confirmedEnds(relationships, { asked, relevance });
  const ends =
    endIds.length === 0 ? [] : await store.readEntities({ projectId, entityIds: endIds, ...places });
  const rest = found.filter((entity) => !asked.includes(entity) && !endIds.includes(entity.entityId));
  const candidates = [...asked, ...ends, ...rest].slice(0, MAX_ENTITIES);
  const selected = candidates.filter(({ entityId }) => {
    const score = relevanceOf.get(entityId);
    if (score === undefined || score >= MIN_RELEVANCE || endIds.includes(entityId)) return true;
    return isJoined({ entityId, score }, { usedIds, relationships, relevance });
  });
  const entities = isFiltered ? selected.map((each) => restrictTo(each, { inChunks, chunks })) : selected;
  return {
    entities: entities.map(presentEntity),
    relationships: presentRelationships(relationships, entities),
  };
}

/** Relationships between the entities, of types in the schema or confirmed by a person and, with a filter, stated by the chunks. */
async function readRelationships(
  { projectId, edgeTypes, isFiltered, asOf = null }: AnswerGraphInput,
  input: {
    readonly entities: readonly Entity[];
    readonly chunks: readonly ChunkKey[];
    readonly places: { readonly withPlaces: boolean; readonly within?: readonly ChunkKey[] };
  },
  store: AnswerGraphStore,
): Promise<readonly Relationship[]> {
  const entityIds = input.entities.map(({ entityId }) => entityId);
  const found = await store.findRelationships({
    projectId,
    entityIds,
    limit: RELATIONSHIPS_READ,
    asOf,
    ...input.places,
  });
  const chunkKeys = new Set(input.chunks.map(keyOf));
  return found.filter(
    ({ type, evidence, isConfirmed = false }) =>
      (edgeTypes === null || edgeTypes.has(type) || isConfirmed) &&
      (!isFiltered || evidence.some((place) => chunkKeys.has(keyOf(place)))),
  );
}

/** Entities that a confirmed relationship, first one of a type that is asked for, joins with one of those asked about. */
function confirmedEnds(
  relationships: readonly Relationship[],
  { asked, relevance }: { readonly asked: readonly Entity[]; readonly relevance: NameRelevance },
): readonly string[] {
  const ids = new Set(asked.map(({ entityId }) => entityId));
  const ends = relationships
    .filter(({ isConfirmed = false }) => isConfirmed)
    .toSorted((one, other) => Number(relevance.asksFor(other.type)) - Number(relevance.asksFor(one.type)))
    .flatMap(({ sourceId, targetId }) => [
      ...(ids.has(sourceId) ? [targetId] : []),
      ...(ids.has(targetId) ? [sourceId] : []),
    ])
    .filter((id) => !ids.has(id));
  return [...new Set(ends)].slice(0, MAX_CONFIRMED_ENDS);
}

/**
 * Whether a relationship joins the entity with one that the ranking used: one of a type that the question
 * asks for, or any if the entity itself is relevant enough.
 */
function isJoined(
  { entityId, score }: { readonly entityId: string; readonly score: number },
  context: {
    readonly usedIds: ReadonlySet<string>;
    readonly relationships: readonly Relationship[];
    readonly relevance: NameRelevance;
  },
): boolean {
  const { usedIds, relationships, relevance } = context;
  return relationships.some(({ sourceId, targetId, type }) => {
    const other = sourceId === entityId ? targetId : targetId === entityId ? sourceId : null;
    return other !== null && usedIds.has(other) && (score >= MIN_JOINED_RELEVANCE || relevance.asksFor(type));
  });
}

/** Names with their rank: those of the question, then those on paths, best path first. */
function usedNames(
  { linked, paths }: Pick<GraphRanking, "linked" | "paths">,
  chunks: readonly RankedChunk[],
  relevance: NameRelevance,
): ReadonlyMap<string, number> {
  const returned = new Set(chunks.map(keyOf));
  const first = new Set(chunks.slice(0, FIRST_CHUNKS).map(keyOf));
  const best = paths.reduce((most, { score }) => Math.max(most, score), 0);
  const onPaths = paths
    .filter(({ target }) => returned.has(keyOf(target)))
    .filter(
      ({ name, target, score }) =>
        (first.has(keyOf(target)) && score >= best * MIN_PATH_SHARE) ||
        relevance.of({ key: name, type: "" }) >= MIN_RELEVANCE,
    )
    .toSorted((one, other) => other.score - one.score);
  const names = new Map<string, number>();
  for (const { name } of [...linked, ...onPaths]) if (!names.has(name)) names.set(name, names.size);
  return names;
}

function orderByUse(entities: readonly Entity[], names: ReadonlyMap<string, number>): readonly Entity[] {
  const rankOf = ({ keys }: Entity) =>
    keys.reduce((best, key) => Math.min(best, names.get(key) ?? names.size), names.size);
  // Entities of one name keep the order of the store: the best supported first.
  return entities
    .map((entity, at) => ({ entity, at, rank: rankOf(entity) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ entity }) => entity)
    .slice(0, MAX_ENTITIES);
}

/** In the order of the chunks; the store returns them by version. */
function orderByChunk(
  found: readonly EntityInPassage[],
  chunks: readonly RankedChunk[],
): readonly EntityInPassage[] {
  const ranks = new Map(chunks.map((chunk, at) => [keyOf(chunk), at]));
  const rankOf = (each: EntityInPassage) => ranks.get(keyOf(each)) ?? chunks.length;
  return found.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Entities with their relevance, most relevant first; ties in the order of the chunks. */
function rankByRelevance(
  found: readonly EntityInPassage[],
  chunks: readonly RankedChunk[],
  relevance: NameRelevance,
): readonly (readonly [entityId: string, relevance: number])[] {
  const best = new Map<string, number>();
  for (const each of orderByChunk(found, chunks)) {
    best.set(each.entityId, Math.max(best.get(each.entityId) ?? 0, relevance.of(each)));
  }
  return [...best].sort(([, one], [, other]) => other - one);
}

/** Restricts an entity to what the chunks state: a name that they contain, and their properties. */
function restrictTo(
  entity: Entity,
  {
    inChunks,
    chunks,
  }: { readonly inChunks: readonly EntityInPassage[]; readonly chunks: readonly ChunkKey[] },
): Entity {
  const chunkKeys = new Set(chunks.map(keyOf));
  const own = inChunks.filter(({ entityId }) => entityId === entity.entityId);
  const nameKeys = own.map(({ key }) => key);
  // Other documents can give the name a type that these do not.
  const isTyped = own.length === 0 || own.some(({ type }) => type === entity.type);
  const type = isTyped ? entity.type : (own[0]?.type ?? entity.type);
  const forms = [entity.name, ...entity.aliases];
  const name = forms.find((form) => nameKeys.includes(normalizeName(form))) ?? nameKeys[0] ?? entity.name;
  const properties = entity.properties.filter(({ places }) =>
    places.some((place) => chunkKeys.has(keyOf(place))),
  );
  return { ...entity, type, name, properties };
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}

/** Contradicting values of one property are joined with semicolons. */
export function presentEntity({ type, name, properties }: Entity): AnswerEntity {
  const values = new Map<string, string[]>();
  for (const { property, value } of properties) {
    const known = values.get(property) ?? [];
    if (known.length < MAX_VALUES) known.push(value);
    values.set(property, known);
  }
  return {
    type,
    name,
    properties: Object.fromEntries([...values].map(([property, all]) => [property, all.join("; ")])),
  };
}

function presentRelationships(
  found: readonly Relationship[],
  entities: readonly Entity[],
): readonly AnswerRelationship[] {
  const places = new Map(entities.map(({ entityId }, at) => [entityId, at]));
  return found
    .flatMap((relationship, at) => {
      const source = places.get(relationship.sourceId);
      const target = places.get(relationship.targetId);
      return source === undefined || target === undefined ? [] : [{ relationship, at, source, target }];
    })
    .sort((one, other) => one.source + one.target - (other.source + other.target) || one.at - other.at)
    .slice(0, MAX_RELATIONSHIPS)
    .map(({ relationship, source, target }) => ({
      source: entities[source]?.name ?? "",
      target: entities[target]?.name ?? "",
      type: relationship.type,
      ...(relationship.isConfirmed === true ? { confirmed: relationship.addedTimes ?? UNTIMED } : {}),
    }));
}
