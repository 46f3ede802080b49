/** What is drawn: entities, and one line for all that joins two of them. */
import type { Association, EntityDetail, EvidencedRelationship, GraphOverview } from "@kcs/sdk";
import { byName } from "../../../components/by-name.ts";

export interface SceneNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Number of its relationships, as far as they are known. */
  readonly degree: number;
}

export interface SceneEdge {
  /** `source target` */
  readonly id: string;
  readonly source: string;
  readonly target: string;
  /** The types of the relationships between the two; empty: they are only mentioned together. */
  readonly types: readonly string[];
  /** Those of them that go from the source to the target, and those that go back; one can do both. */
  readonly there: readonly string[];
  readonly back: readonly string[];
  readonly chunks: number;
}

export interface Scene {
  readonly kind: "overview" | "around" | "path";
  readonly nodes: readonly SceneNode[];
  readonly edges: readonly SceneEdge[];
  /** The entity in the middle. */
  readonly centre: string | null;
}

type Relationship = Omit<EvidencedRelationship, "evidence" | "confidence" | "valid_from" | "valid_to">;
type Named = Pick<SceneNode, "id" | "name" | "type">;

/** Neighbours that are drawn for an entity, those of the best supported relationships. */
export const maxNeighbours = { centre: 60, other: 16 } as const;

export function sceneOfOverview({ entities, relationships }: GraphOverview): Scene {
  return {
    kind: "overview",
    centre: null,
    nodes: entities.map(({ entity_id: id, name, type, degree }) => ({ id, name, type, degree })),
    edges: joinPairs(relationships),
  };
}

/** The neighbourhood of the first entity, and those of the others, as far as they hang together with it. */
export function sceneAround(details: readonly EntityDetail[]): Scene {
  const [centre] = details;
  const nodes = new Map<string, Named>();
  const relationships = new Map<string, Relationship>();
  const associated: (readonly [string, Association])[] = [];
  const add = ({ entity_id: id, name, type }: Relationship["source"]) => nodes.set(id, { id, name, type });
  if (centre !== undefined) add(centre);
  for (const detail of details) {
    if (!nodes.has(detail.entity_id)) continue;
    for (const relationship of shownOf(detail, detail === centre)) {
      relationships.set(relationship.relationship_id, relationship);
      add(relationship.source);
      add(relationship.target);
    }
    if (detail !== centre && detail.relationships.length > 0) continue;
    for (const association of detail.associations ?? []) {
      associated.push([detail.entity_id, association]);
      add(association.entity);
    }
  }
  const edges = joinPairs([...relationships.values()].map(withIds));
  const known = new Set(
    edges.flatMap(({ source, target }) => [`${source} ${target}`, `${target} ${source}`]),
  );
  for (const [source, { entity, chunks }] of associated) {
    const id = `${source} ${entity.entity_id}`;
    if (known.has(id)) continue;
    known.add(id).add(`${entity.entity_id} ${source}`);
    edges.push({ id, source, target: entity.entity_id, types: [], there: [], back: [], chunks });
  }
  return { kind: "around", centre: centre?.entity_id ?? null, nodes: withDegrees(nodes, edges), edges };
}

/** In the order of the path. */
export function sceneOfPath(from: string, path: readonly EvidencedRelationship[]): Scene {
  const nodes = new Map<string, Named>();
  for (const { relationship, first } of walk(from, path)) {
    const { source, target } = relationship;
    const ends = first === source.entity_id ? [source, target] : [target, source];
    for (const { entity_id: id, name, type } of ends) nodes.set(id, { id, name, type });
  }
  const edges = joinPairs(path.map(withIds));
  return { kind: "path", centre: null, nodes: withDegrees(nodes, edges), edges };
}

/** Each step of a path with the id of the end that it begins at. */
export function walk<Step extends Pick<Relationship, "source" | "target">>(
  from: string,
  path: readonly Step[],
): readonly { readonly relationship: Step; readonly first: string }[] {
  let at = from;
  return path.map((relationship) => {
    const first = at;
    const { source, target } = relationship;
    at = source.entity_id === at ? target.entity_id : source.entity_id;
    return { relationship, first };
  });
}

/** Without what is hidden. Under a filter of relationships an entity needs a line, except the one in the middle. */
export function filterScene(scene: Scene, hidden: HiddenTypes): Scene {
  if (hidden.types.size === 0 && hidden.links.size === 0) return scene;
  const nodes = scene.nodes.filter(({ id, type }) => id === scene.centre || !hidden.types.has(type));
  const shown = new Set(nodes.map(({ id }) => id));
  const edges = scene.edges.flatMap((edge) => {
    if (!shown.has(edge.source) || !shown.has(edge.target)) return [];
    if (edge.types.length === 0) return hidden.links.has(mentionedTogether) ? [] : [edge];
    return leftOf(edge, hidden.links) ?? [];
  });
  if (hidden.links.size === 0) return { ...scene, nodes, edges };
  const joined = new Set(edges.flatMap(({ source, target }) => [source, target]));
  return { ...scene, nodes: nodes.filter(({ id }) => id === scene.centre || joined.has(id)), edges };
}

/** What is left of a line, in the direction of what is left; null: nothing. */
function leftOf(edge: SceneEdge, hidden: ReadonlySet<string>): SceneEdge | null {
  const left = (some: readonly string[]) => some.filter((type) => !hidden.has(type));
  const [types, there, back] = [left(edge.types), left(edge.there), left(edge.back)] as const;
  if (types.length === 0) return null;
  return there.length > 0
    ? { ...edge, types, there, back }
    : { ...edge, types, source: edge.target, target: edge.source, there: back, back: there };
}

/** Relationships go in both directions, or it is of none. */
export function isMutual({ there, back }: Pick<SceneEdge, "there" | "back">): boolean {
  return (there.length === 0) === (back.length === 0);
}

/** In a filter of relationships, the lines between what is only mentioned together. */
export const mentionedTogether = "mentioned together";

/** What a filter of relationships can choose from. */
export function linkTypesOf({ edges }: Scene): readonly string[] {
  return edges.flatMap(({ types }) => (types.length === 0 ? [mentionedTogether] : types));
}

export interface HiddenTypes {
  /** Of entities. */
  readonly types: ReadonlySet<string>;
  /** Of relationships. */
  readonly links: ReadonlySet<string>;
}

/** The relationships of an entity that the filter leaves in the drawing. */
export function withoutHidden<Each extends Pick<Relationship, "type" | "source" | "target">>(
  relationships: readonly Each[],
  { entityId, hidden }: { readonly entityId: string; readonly hidden: HiddenTypes },
): readonly Each[] {
  return relationships.filter(
    ({ type, source, target }) =>
      !hidden.links.has(type) &&
      [source, target].every((end) => end.entity_id === entityId || !hidden.types.has(end.type)),
  );
}

export interface TypeCount {
  readonly type: string;
  readonly count: number;
}

/** The most frequent first. */
export function countTypes(types: Iterable<string>): readonly TypeCount[] {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((one, other) => other.count - one.count || byName(one.type, other.type));
}

function shownOf(detail: EntityDetail, isCentre: boolean): readonly Relationship[] {
  return detail.relationships.slice(0, isCentre ? maxNeighbours.centre : maxNeighbours.other);
}

function withIds({ source, target, ...rest }: Relationship) {
  return { ...rest, source: source.entity_id, target: target.entity_id };
}

type Link = Pick<SceneEdge, "source" | "target" | "chunks"> & { readonly type: string };

/** One edge for each two entities, in the direction of their first relationship. */
function joinPairs(links: readonly Link[]): SceneEdge[] {
  const edges = new Map<string, SceneEdge>();
  for (const { source, target, type, chunks } of links) {
    if (source === target) continue;
    const [id, reverse] = [`${source} ${target}`, `${target} ${source}`];
    const isReverse = edges.has(reverse);
    const key = isReverse ? reverse : id;
    const known = edges.get(key) ?? { id, source, target, types: [], there: [], back: [], chunks: 0 };
    edges.set(key, {
      ...known,
      types: withType(known.types, type),
      ...(isReverse ? { back: withType(known.back, type) } : { there: withType(known.there, type) }),
      chunks: known.chunks + chunks,
    });
  }
  return [...edges.values()];
}

function withType(types: readonly string[], type: string): readonly string[] {
  return types.includes(type) ? types : [...types, type];
}

function withDegrees(nodes: ReadonlyMap<string, Named>, edges: readonly SceneEdge[]): readonly SceneNode[] {
  const degrees = new Map<string, number>();
  for (const { source, target } of edges)
    for (const id of [source, target]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  return [...nodes.values()].map((node) => ({ ...node, degree: degrees.get(node.id) ?? 0 }));
}
