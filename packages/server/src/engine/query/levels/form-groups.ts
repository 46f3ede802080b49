/** Forms nodes of an upper level from relationships, where no text names one. Pure, and a function of the graph alone. */
import type { ListedEntity, ListedRelationship } from "../../../ports/graph-store.ts";
import type { HubKind } from "../../graph/gathering.ts";

/** What may be gathered: an entity, or a node of a level below. */
export interface Element {
  /** Orders elements; unique. */
  readonly key: string;
  /** Types of the entities in `own` and `parts`. */
  readonly types: ReadonlySet<string>;
  /** Entities whose relationships are its own: itself, or what a node was formed around. */
  readonly own: readonly string[];
  /** Entities that it gathers. */
  readonly parts: readonly string[];
}

export interface Group {
  /** What the elements have in common. */
  readonly hub: ListedEntity;
  /** Places in the list of elements, best supported first. */
  readonly elements: readonly number[];
  /** Chunks that support the relationships that hold it together. */
  readonly chunks: number;
}

export const GROUP_LIMITS = {
  /** A group of one gathers nothing. */
  elements: { min: 2, max: 200 },
  groups: 100,
  /** Elements for which another hub than the common one is looked for. */
  considered: 10_000,
} as const;

/** Of its parts, a share that the hub must hold to hold the element. */
const PARTS_SHARE = 0.5;

interface Link {
  readonly element: number;
  readonly hub: ListedEntity;
  readonly chunks: number;
}

/**
 * By the one kind of relationship that the schema's words speak for most, of equal ones that which holds most elements. Where
 * they speak for none: around the entities with most neighbours, each element once.
 */
export function formGroups(
  elements: readonly Element[],
  relationships: readonly ListedRelationship[],
  kinds: readonly HubKind[],
): readonly Group[] {
  const linked = kinds.map((kind) => ({ kind, links: findLinks(elements, relationships, kind) }));
  const told = [...Map.groupBy(linked, ({ kind }) => roleOf(kind))].map(([role, same]) => {
    const groups = groupsOf(same.flatMap(({ links }) => links));
    const score = Math.max(...same.map(({ kind }) => kind.score));
    return { role, score, groups, covered: new Set(groups.flatMap((group) => group.elements)).size };
  });
  const best = told
    .filter(({ score, groups }) => score > 0 && groups.length > 0)
    .sort((a, b) => b.score - a.score || b.covered - a.covered || (a.role < b.role ? -1 : 1))[0];
  if (best !== undefined) return best.groups;
  return groupsAround(
    elements,
    linked.flatMap(({ links }) => links),
  );
}

/** The same edge type between other types is the same role. */
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
  const held = new Map<string, { hub: ListedEntity; chunks: number; isOwn: boolean; parts: number }>();
  const hold = (id: string, isOwn: boolean) => {
    for (const { hub, chunks } of hubsOf.get(id) ?? []) {
      if (own.includes(hub.entityId)) continue;
      const known = held.get(hub.entityId) ?? { hub, chunks: 0, isOwn: false, parts: 0 };
      known.chunks += chunks;
      if (isOwn) known.isOwn = true;
      else known.parts += 1;
      held.set(hub.entityId, known);
    }
  };
  for (const id of own) hold(id, true);
  for (const id of parts) hold(id, false);
  return [...held.values()]
    .filter((each) => each.isOwn || each.parts >= parts.length * PARTS_SHARE)
    .map(({ hub, chunks }) => ({ element, hub, chunks }));
}

/** Each hub with all that is linked to it; an element may be in several. */
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

function compareGroups(one: Group, other: Group): number {
  const keyOf = ({ hub }: Group) => `${hub.key}\n${hub.type}`;
  return (
    other.elements.length - one.elements.length ||
    other.chunks - one.chunks ||
    (keyOf(one) < keyOf(other) ? -1 : 1)
  );
}

/** Takes the hub with most elements, then the one with most of the rest; an element that is a hub is in its own group. */
function groupsAround(elements: readonly Element[], links: readonly Link[]): readonly Group[] {
  const placeOf = new Map(elements.flatMap(({ own }, at) => own.map((id) => [id, at] as const)));
  const taken = new Set<number>();
  const groups: Group[] = [];
  let rest = links;
  while (groups.length < GROUP_LIMITS.groups) {
    const [best] = groupsOf(rest);
    if (best === undefined) break;
    const own = placeOf.get(best.hub.entityId);
    const isFree = own !== undefined && !best.elements.includes(own) && !taken.has(own);
    const all = isFree ? [own, ...best.elements] : best.elements;
    groups.push({ ...best, elements: all.slice(0, GROUP_LIMITS.elements.max) });
    for (const element of all) taken.add(element);
    rest = rest.filter(
      ({ element, hub }) =>
        !taken.has(element) && hub.entityId !== best.hub.entityId && !isTaken(hub, placeOf, taken),
    );
  }
  return groups.sort(compareGroups);
}

function isTaken(
  hub: ListedEntity,
  placeOf: ReadonlyMap<string, number>,
  taken: ReadonlySet<number>,
): boolean {
  const at = placeOf.get(hub.entityId);
  return at !== undefined && taken.has(at);
}
