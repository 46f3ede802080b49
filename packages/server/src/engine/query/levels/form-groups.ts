/** Forms nodes of an upper level from relationships when texts name none. A pure function of the graph. */
import type { ListedEntity, ListedRelationship } from "../../../ports/graph-store.ts";
import type { HubKind } from "../../graph/gathering.ts";

/** What a group may contain: an entity, or a node of a lower level. */
export interface Element {
  /** Unique; elements are sorted by it. */
  readonly key: string;
  /** Types of the entities in `own` and `parts`. */
  readonly types: ReadonlySet<string>;
  /**
   * Entities whose relationships count as the element's: the entity itself, or the entity or hub of a node.
   */
  readonly own: readonly string[];
  /** Entities that a node has as members; empty for an entity. */
  readonly parts: readonly string[];
}

export interface Group {
  /** The entity to which all elements are related. */
  readonly hub: ListedEntity;
  /** Indexes into the list of elements, best supported first. */
  readonly elements: readonly number[];
  /** The number of chunks that support the relationships to the hub. */
  readonly chunks: number;
}

export const GROUP_LIMITS = {
  /** A group of one element is not formed. */
  elements: { min: 2, max: 200 },
  groups: 100,
  /** Only the first elements are linked to hubs, to bound the cost. */
  considered: 10_000,
} as const;

/**
 * The share of an element's parts that must be related to a hub for the element itself to be linked to it.
 */
const MIN_PARTS_SHARE = 0.5;

interface Link {
  readonly element: number;
  readonly hub: ListedEntity;
  readonly chunks: number;
}

/**
 * Groups the elements by the kind of relationship that the schema scores highest; of equal scores, by the
 * kind that covers most elements. If the schema scores none above 0, groups form around the entities with the
 * most neighbours and each element is in one group only.
 */
export function formGroups(
  elements: readonly Element[],
  relationships: readonly ListedRelationship[],
  kinds: readonly HubKind[],
): readonly Group[] {
  const linked = kinds.map((kind) => ({ kind, links: findLinks(elements, relationships, kind) }));
  const roles = [...Map.groupBy(linked, ({ kind }) => roleOf(kind))].map(([role, same]) => {
    const groups = groupsOf(same.flatMap(({ links }) => links));
    const score = Math.max(...same.map(({ kind }) => kind.score));
    return { role, score, groups, covered: new Set(groups.flatMap((group) => group.elements)).size };
  });
  const best = roles
    .filter(({ score, groups }) => score > 0 && groups.length > 0)
    .sort((a, b) => b.score - a.score || b.covered - a.covered || (a.role < b.role ? -1 : 1))[0];
  if (best !== undefined) return best.groups;
  return groupAroundLargestHubs(
    elements,
    linked.flatMap(({ links }) => links),
  );
}

/** One edge type between different node types is one role. */
function roleOf({ kind, isFromMember, score }: HubKind): string {
  return `${score} ${isFromMember} ${kind.type}`;
}

function findLinks(
  elements: readonly Element[],
  relationships: readonly ListedRelationship[],
  { kind, isFromMember }: HubKind,
): readonly Link[] {
  const hubsOf = new Map<string, { readonly hub: ListedEntity; readonly chunks: number }[]>();
  for (const { type, source, target, chunks } of relationships) {
    if (type !== kind.type || source.type !== kind.sourceType || target.type !== kind.targetType) continue;
    const [member, hub] = isFromMember ? [source, target] : [target, source];
    const known = hubsOf.get(member.entityId);
    if (known === undefined) hubsOf.set(member.entityId, [{ hub, chunks }]);
    else known.push({ hub, chunks });
  }
  if (hubsOf.size === 0) return [];
  return elements.slice(0, GROUP_LIMITS.considered).flatMap((element, at) => linksOf(element, at, hubsOf));
}

function linksOf(
  { own, parts }: Element,
  element: number,
  hubsOf: ReadonlyMap<string, readonly { readonly hub: ListedEntity; readonly chunks: number }[]>,
): readonly Link[] {
  const byHub = new Map<string, { hub: ListedEntity; chunks: number; isOwn: boolean; parts: number }>();
  const addLinks = (id: string, isOwn: boolean) => {
    for (const { hub, chunks } of hubsOf.get(id) ?? []) {
      if (own.includes(hub.entityId)) continue;
      const known = byHub.get(hub.entityId) ?? { hub, chunks: 0, isOwn: false, parts: 0 };
      known.chunks += chunks;
      if (isOwn) known.isOwn = true;
      else known.parts += 1;
      byHub.set(hub.entityId, known);
    }
  };
  for (const id of own) addLinks(id, true);
  for (const id of parts) addLinks(id, false);
  return [...byHub.values()]
    .filter((each) => each.isOwn || each.parts >= parts.length * MIN_PARTS_SHARE)
    .map(({ hub, chunks }) => ({ element, hub, chunks }));
}

/** One group for each hub; an element may be in several groups. */
function groupsOf(links: readonly Link[]): readonly Group[] {
  const byHub = Map.groupBy(links, ({ hub }) => hub.entityId);
  return [...byHub.values()]
    .map(toGroup)
    .filter(({ elements }) => elements.length >= GROUP_LIMITS.elements.min)
    .sort(compareGroups)
    .slice(0, GROUP_LIMITS.groups);
}

function toGroup(links: readonly Link[]): Group {
  const [{ hub }] = links as readonly [Link]; // Groups are not empty.
  const chunksOf = new Map<number, number>();
  for (const { element, chunks } of links) chunksOf.set(element, (chunksOf.get(element) ?? 0) + chunks);
  const elements = [...chunksOf]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .map(([element]) => element);
  return {
    hub,
    elements: elements.slice(0, GROUP_LIMITS.elements.max),
    chunks: [...chunksOf.values()].reduce((sum, chunks) => sum + chunks, 0),
  };
}

const keyOf = ({ hub }: Pick<Group, "hub">) => `${hub.key}\n${hub.type}`;

function compareGroups(one: Group, other: Group): number {
  return (
    other.elements.length - one.elements.length ||
    other.chunks - one.chunks ||
    (keyOf(one) < keyOf(other) ? -1 : 1)
  );
}

/** What is left of a hub while elements are taken from it. */
interface HubLinks {
  readonly hub: ListedEntity;
  /** By element. */
  readonly chunksOf: Map<number, number>;
  chunks: number;
}

/**
 * Repeatedly takes the hub with most remaining elements. A hub that is an element joins its own group. Each link is read and removed once,
 * so the work grows with their number alone.
 */
function groupAroundLargestHubs(elements: readonly Element[], links: readonly Link[]): readonly Group[] {
  const elementOf = new Map(elements.flatMap(({ own }, at) => own.map((id) => [id, at] as const)));
  const hubs = new Map<string, HubLinks>();
  const hubsOf = new Map<number, Set<HubLinks>>();
  for (const { element, hub, chunks } of links) {
    const one = hubs.get(hub.entityId) ?? { hub, chunksOf: new Map<number, number>(), chunks: 0 };
    hubs.set(hub.entityId, one);
    one.chunksOf.set(element, (one.chunksOf.get(element) ?? 0) + chunks);
    one.chunks += chunks;
    hubsOf.set(element, (hubsOf.get(element) ?? new Set()).add(one));
  }
  const taken = new Set<number>();
  const take = (element: number) => {
    taken.add(element);
    for (const one of hubsOf.get(element) ?? []) {
      one.chunks -= one.chunksOf.get(element) ?? 0;
      one.chunksOf.delete(element);
    }
    hubsOf.delete(element);
    for (const id of elements[element]?.own ?? []) if (elementOf.get(id) === element) hubs.delete(id);
  };
  const groups: Group[] = [];
  while (groups.length < GROUP_LIMITS.groups) {
    const best = largestOf(hubs.values());
    if (best === null) break;
    const group = toGroup(
      [...best.chunksOf].map(([element, chunks]) => ({ element, chunks, hub: best.hub })),
    );
    const hubElement = elementOf.get(best.hub.entityId);
    const isFree = hubElement !== undefined && !group.elements.includes(hubElement) && !taken.has(hubElement);
    const all = isFree ? [hubElement, ...group.elements] : group.elements;
    groups.push({ ...group, elements: all.slice(0, GROUP_LIMITS.elements.max) });
    hubs.delete(best.hub.entityId);
    for (const element of all) take(element);
  }
  return groups.sort(compareGroups);
}

/** In the order of `compareGroups`; null where no hub has enough elements. */
function largestOf(hubs: Iterable<HubLinks>): HubLinks | null {
  const sizeOf = ({ chunksOf }: HubLinks) => Math.min(chunksOf.size, GROUP_LIMITS.elements.max);
  let best: HubLinks | null = null;
  for (const one of hubs) {
    if (one.chunksOf.size < GROUP_LIMITS.elements.min) continue;
    const order =
      best === null
        ? -1
        : sizeOf(best) - sizeOf(one) || best.chunks - one.chunks || (keyOf(one) < keyOf(best) ? -1 : 1);
    if (order < 0) best = one;
  }
  return best;
}
