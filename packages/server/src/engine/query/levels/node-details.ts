/** What is shown of nodes of upper levels: names, members, a description. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { Entity, EntityChunk, GraphStore } from "../../../ports/graph-store.ts";
import type { IndexStore } from "../../../ports/store.ts";
import { headOf, inSingular } from "../../text/type-names.ts";
import { describe } from "./describe.ts";
import type { Member, UpperNode } from "./level-reader.ts";

export type DetailStore = Pick<GraphStore, "readEntities" | "listChunksOf"> & Pick<IndexStore, "readChunks">;

export interface ShownMember {
  readonly type: string;
  readonly name: string;
  /** null for one that was formed. */
  readonly entity: Entity | null;
}

export interface ShownNode {
  readonly node: UpperNode;
  readonly name: string;
  /** null for one that was formed. */
  readonly entity: Entity | null;
  /** Best supported first. */
  readonly members: readonly ShownMember[];
  /** Of the texts, best first. */
  readonly sentences: readonly string[];
}

/** Of one node: members that are shown, those whose sentences may describe it, and chunks that are read for them. */
const MAX_MEMBERS = 20;
const MAX_TELLING = 8;
const MAX_CHUNKS = 6;
/** What the store takes at a time. */
const IDS_A_CALL = 100;

/** In the order of the nodes, without those whose texts are gone meanwhile. */
export async function readDetails(
  input: {
    readonly projectId: string;
    readonly shown: readonly UpperNode[];
    readonly nodes: readonly UpperNode[];
  },
  store: DetailStore,
): Promise<readonly ShownNode[]> {
  const { projectId, shown, nodes } = input;
  const membersOf = (node: UpperNode) => node.members.slice(0, MAX_MEMBERS);
  const ids = shown.flatMap((node) => [
    idOf(node),
    ...membersOf(node).flatMap((each) => standInOf(each, nodes)),
  ]);
  const entities = new Map<string, Entity>();
  for (const entityIds of callsOf(ids)) {
    const read = await store.readEntities({ projectId, entityIds, withPlaces: false });
    for (const entity of read) entities.set(entity.entityId, entity);
  }
  const described = await readDescriptions({ ...input, entities }, store);
  return shown.flatMap((node, at): readonly ShownNode[] => {
    const entity = entities.get(idOf(node));
    if (entity === undefined) return [];
    const isNamed = node.origin.kind === "named";
    const members = membersOf(node).flatMap((each) => showMember(each, nodes, entities));
    const name = isNamed ? entity.name : nameFormed(entity.name, node);
    return [{ node, name, entity: isNamed ? entity : null, members, sentences: described[at] ?? [] }];
  });
}

function callsOf(ids: readonly string[]): readonly (readonly string[])[] {
  const distinct = [...new Set(ids)];
  const calls: (readonly string[])[] = [];
  for (let from = 0; from < distinct.length; from += IDS_A_CALL) {
    calls.push(distinct.slice(from, from + IDS_A_CALL));
  }
  return calls;
}

/** The entity whose name a node has or is called after. */
function idOf({ origin }: UpperNode): string {
  return origin.kind === "named" ? origin.entity.entityId : origin.hub.entityId;
}

function standInOf(member: Member, nodes: readonly UpperNode[]): readonly string[] {
  if ("entityId" in member) return [member.entityId];
  const node = nodes[member.node];
  return node === undefined ? [] : [idOf(node)];
}

function showMember(
  member: Member,
  nodes: readonly UpperNode[],
  entities: ReadonlyMap<string, Entity>,
): readonly ShownMember[] {
  const [id = ""] = standInOf(member, nodes);
  const entity = entities.get(id);
  if (entity === undefined) return [];
  if ("entityId" in member) return [{ type: entity.type, name: entity.name, entity }];
  const node = nodes[member.node];
  return node === undefined
    ? []
    : [{ type: node.type.name, name: nameFormed(entity.name, node), entity: null }];
}

/** "Holm Lines" for a type Fleet: "Holm Lines fleet"; what says so already stays as it is. */
export function nameFormed(hub: string, { type }: Pick<UpperNode, "type">): string {
  const last = inSingular(hub.toLowerCase()).split(" ").at(-1);
  return last === headOf(type.noun) ? hub : `${hub} ${type.noun}`;
}

async function readDescriptions(
  input: {
    readonly projectId: string;
    readonly shown: readonly UpperNode[];
    readonly nodes: readonly UpperNode[];
    readonly entities: ReadonlyMap<string, Entity>;
  },
  store: DetailStore,
): Promise<readonly (readonly string[])[]> {
  const { projectId, shown, nodes, entities } = input;
  const telling = shown.map((node) => {
    const members = node.members.slice(0, MAX_TELLING).flatMap((each) => standInOf(each, nodes));
    return [idOf(node), ...members];
  });
  const places: EntityChunk[] = [];
  for (const entityIds of callsOf(telling.flat())) {
    places.push(...(await store.listChunksOf({ projectId, entityIds })));
  }
  const chosen = telling.map((ids) => chooseChunks(ids, places));
  const keys = [...new Map(chosen.flat().map((key) => [keyOf(key), key])).values()];
  const read = keys.length === 0 ? [] : await store.readChunks({ projectId, keys });
  const chunks = new Map(keys.map((key, at) => [keyOf(key), read[at] ?? null]));
  const formsOf = (id: string | undefined) => {
    const entity = entities.get(id ?? "");
    return entity === undefined ? [] : [entity.name, ...entity.aliases];
  };
  return telling.map(([own, ...members], at) =>
    describe(
      { names: formsOf(own), members: members.map(formsOf) },
      (chosen[at] ?? []).flatMap((key) => chunks.get(keyOf(key)) ?? []),
    ),
  );
}

/** Those that have most of it. */
function chooseChunks(ids: readonly string[], places: readonly EntityChunk[]): readonly ChunkKey[] {
  const [own] = ids;
  const wanted = new Set(ids);
  const weights = new Map<string, { readonly key: ChunkKey; weight: number }>();
  for (const { entityId, versionId, position } of places) {
    if (!wanted.has(entityId)) continue;
    const key = { versionId, position };
    const known = weights.get(keyOf(key)) ?? { key, weight: 0 };
    known.weight += entityId === own ? 2 : 1;
    weights.set(keyOf(key), known);
  }
  return [...weights.values()]
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_CHUNKS)
    .map(({ key }) => key);
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
