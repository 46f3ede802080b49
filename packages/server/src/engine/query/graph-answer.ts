/** The entities and relationships of an answer: those that the ranking used, ordered by use. */
import type { ChunkKey } from "../../domain/document.ts";
import type { AnswerEntity, AnswerRelationship, RankedChunk } from "../../domain/query.ts";
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
/** Names of the question and of paths that are looked up. */
const MAX_NAMES = 40;
/** Chunks of the answer whose entities follow those that the ranking used. */
const MAX_CHUNKS = 5;
const MAX_FILTERED_CHUNKS = 100;
const MAX_ENTITIES_IN_CHUNKS = 500;
/** What stands so much farther from the question than the nearest sentence has nothing to do with it. */
const MIN_RELEVANCE = 0.5;
/** Of what an edge joins with a name that the ranking used. */
const MIN_JOINED_RELEVANCE = 0.3;
/** What leads to one of so many chunks is shown however far its sentence is from the question. */
const FIRST_CHUNKS = 2;
/** A path of so much less than the best leads there by chance. */
const MIN_PATH_SHARE = 0.6;
const RELATIONSHIPS_READ = 100;
/** Values of one property that are shown where texts contradict each other. */
const MAX_VALUES = 3;

/**
 * The question's names first, then the names on the paths to the answer's chunks, then what else the best chunks speak of
 * near what is asked.
 * Relationships join two of these; those on a path come first, then those that most chunks state.
 */
export async function readAnswerGraph(
  {
    projectId,
    ranking,
    chunks,
    edgeTypes,
    isFiltered,
    relevance,
  }: {
    readonly projectId: string;
    readonly ranking: Pick<GraphRanking, "linked" | "paths">;
    readonly chunks: readonly RankedChunk[];
    /** What the project's schema has; null where the graph itself is held to an ontology. */
    readonly edgeTypes: ReadonlySet<string> | null;
    /** Then only what the answer's own chunks support is shown: other documents may have been left out. */
    readonly isFiltered: boolean;
    readonly relevance: NameRelevance;
  },
  store: AnswerGraphStore,
): Promise<AnswerGraph> {
  const names = usedNames(ranking, chunks, relevance);
  const keys = [...names.keys()].slice(0, MAX_NAMES);
  const read = isFiltered ? chunks.slice(0, MAX_FILTERED_CHUNKS) : chunks.slice(0, MAX_CHUNKS);
  const passages = read.map(({ versionId, position }) => ({ versionId, position }));
  const places = isFiltered ? { withPlaces: true, within: passages } : { withPlaces: false };
  const [named, inChunks] = await Promise.all([
    keys.length === 0 ? [] : store.findEntitiesByKeys({ projectId, keys, limit: MAX_NAMES * 2, ...places }),
    chunks.length === 0
      ? []
      : store.findEntitiesIn({
          projectId,
          passages,
          limit: MAX_ENTITIES_IN_CHUNKS,
        }),
  ]);
  const supported = new Set(orderByChunk(inChunks, read).map(({ entityId }) => entityId));
  const used = orderByUse(
    isFiltered ? named.filter(({ entityId }) => supported.has(entityId)) : named,
    names,
  );
  const known = new Set(used.map(({ entityId }) => entityId));
  const others = relevanceIn(inChunks, read, relevance).filter(([id]) => !known.has(id));
  const more = new Map(others.slice(0, Math.max(0, MAX_ENTITIES - used.length)));
  const besides =
    more.size === 0 ? [] : await store.readEntities({ projectId, entityIds: [...more.keys()], ...places });
  const all = [...used, ...besides].slice(0, MAX_ENTITIES);
  if (all.length === 0) return { entities: [], relationships: [] };
  const found = await store.findRelationships({
    projectId,
    entityIds: all.map(({ entityId }) => entityId),
    limit: RELATIONSHIPS_READ,
    ...places,
  });
  const shown = new Set(read.map(keyOf));
  const allowed = found.filter(
    ({ type, evidence }) =>
      (edgeTypes === null || edgeTypes.has(type)) &&
      (!isFiltered || evidence.some((place) => shown.has(keyOf(place)))),
  );
  const kept = all.filter(({ entityId }) => {
    const near = more.get(entityId);
    return (
      near === undefined ||
      near >= MIN_RELEVANCE ||
      isJoined({ entityId, near, known, edges: allowed, relevance })
    );
  });
  const entities = isFiltered ? kept.map((entity) => restrictTo(entity, { inChunks, chunks: read })) : kept;
  return { entities: entities.map(presentEntity), relationships: presentRelationships(allowed, entities) };
}

/** Whether an edge that the question asks for leads to the entity from one that the ranking used, or any edge where it is fairly near. */
function isJoined({
  entityId,
  near,
  known,
  edges,
  relevance,
}: {
  readonly entityId: string;
  readonly near: number;
  /** What the ranking used. */
  readonly known: ReadonlySet<string>;
  readonly edges: readonly Relationship[];
  readonly relevance: NameRelevance;
}): boolean {
  return edges.some(({ sourceId, targetId, type }) => {
    const other = sourceId === entityId ? targetId : targetId === entityId ? sourceId : null;
    return other !== null && known.has(other) && (near >= MIN_JOINED_RELEVANCE || relevance.asksFor(type));
  });
}

/** Names by the place of their use: the question's, then those of paths, best first. */
function usedNames(
  { linked, paths }: Pick<GraphRanking, "linked" | "paths">,
  chunks: readonly RankedChunk[],
  relevance: NameRelevance,
): ReadonlyMap<string, number> {
  const shown = new Set(chunks.map(keyOf));
  const first = new Set(chunks.slice(0, FIRST_CHUNKS).map(keyOf));
  const best = paths.reduce((most, { score }) => Math.max(most, score), 0);
  const onPaths = paths
    .filter(({ target }) => shown.has(keyOf(target)))
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
  const useOf = ({ keys }: Entity) =>
    keys.reduce((least, key) => Math.min(least, names.get(key) ?? names.size), names.size);
  // Among those of one name the order of the store: the best supported first.
  return entities
    .map((entity, at) => ({ entity, at, use: useOf(entity) }))
    .sort((one, other) => one.use - other.use || one.at - other.at)
    .map(({ entity }) => entity)
    .slice(0, MAX_ENTITIES);
}

/** The store has them by version: of the best chunks the first come first. */
function orderByChunk(
  found: readonly EntityInPassage[],
  chunks: readonly RankedChunk[],
): readonly EntityInPassage[] {
  const places = new Map(chunks.map((chunk, at) => [keyOf(chunk), at]));
  const placeOf = (each: EntityInPassage) => places.get(keyOf(each)) ?? chunks.length;
  return found.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Entities with how much they have to do with the question, the most relevant first; equals in the order of the chunks. */
function relevanceIn(
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

/** What the chunks themselves say of an entity: a name that they have it under, and its properties. */
function restrictTo(
  entity: Entity,
  {
    inChunks,
    chunks,
  }: { readonly inChunks: readonly EntityInPassage[]; readonly chunks: readonly ChunkKey[] },
): Entity {
  const shown = new Set(chunks.map(keyOf));
  const own = inChunks.filter(({ entityId }) => entityId === entity.entityId).map(({ key }) => key);
  const forms = [entity.name, ...entity.aliases];
  const name = forms.find((form) => own.includes(normalizeName(form))) ?? own[0] ?? entity.name;
  const properties = entity.properties.filter(({ places }) =>
    places.some((place) => shown.has(keyOf(place))),
  );
  return { ...entity, name, properties };
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}

/** Values of one property that contradict each other stand side by side. */
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
    }));
}
