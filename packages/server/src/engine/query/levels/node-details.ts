/** Reads what an answer says about nodes of upper levels: name, members, description. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { Entity, EntityChunk, GraphStore } from "../../../ports/graph-store.ts";
import type { IndexStore } from "../../../ports/store.ts";
import { headOf, inSingular } from "../../text/type-names.ts";
import { describe } from "./describe.ts";
import type { Member, UpperNode } from "./level-reader.ts";

export interface DetailStores {
  readonly graph: Pick<GraphStore, "readEntities" | "listChunksOf">;
  readonly index: Pick<IndexStore, "readChunks">;
}

export interface DescribedMember {
  readonly type: string;
  readonly name: string;
  /** null for a formed node, which is not an entity of the graph. */
  readonly entity: Entity | null;
}

export interface DescribedNode {
  readonly node: UpperNode;
  readonly name: string;
  /** null for a formed node, which is not an entity of the graph. */
  readonly entity: Entity | null;
  /** Best supported first. */
  readonly members: readonly DescribedMember[];
  /** Verbatim from the texts, best first. */
  readonly sentences: readonly string[];
}

/** Per node: members that are listed, members whose sentences may describe it, chunks that are read. */
const MAX_MEMBERS = 20;
const MAX_DESCRIBING_MEMBERS = 8;
const MAX_CHUNKS = 6;
/** The store's limit. */
const IDS_PER_CALL = 100;

/** In the order of `selected`, without nodes whose entity was deleted in the meantime. */
export async function readDetails(
  input: {
    readonly projectId: string;
    readonly selected: readonly UpperNode[];
    /** All nodes, to which members refer by index. */
    readonly nodes: readonly UpperNode[];
  },
  stores: DetailStores,
): Promise<readonly DescribedNode[]> {
  const { projectId, selected, nodes } = input;
  const membersOf = (node: UpperNode) => node.members.slice(0, MAX_MEMBERS);
  const ids = selected.flatMap((node) => [
    idOf(node),
    ...membersOf(node).flatMap((member) => idOfMember(member, nodes)),
  ]);
  const entities = new Map<string, Entity>();
  for (const entityIds of batchIds(ids)) {
    const read = await stores.graph.readEntities({ projectId, entityIds, withPlaces: false });
    for (const entity of read) entities.set(entity.entityId, entity);
  }
  const descriptions = await readDescriptions({ ...input, entities }, stores);
  return selected.flatMap((node, at): readonly DescribedNode[] => {
    const entity = entities.get(idOf(node));
    if (entity === undefined) return [];
    const isNamed = node.origin.kind === "named";
    const members = membersOf(node).flatMap((member) => describeMember(member, nodes, entities));
    const name = isNamed ? entity.name : nameFormed(entity.name, node);
    return [{ node, name, entity: isNamed ? entity : null, members, sentences: descriptions[at] ?? [] }];
  });
}

function batchIds(ids: readonly string[]): readonly (readonly string[])[] {
  const distinct = [...new Set(ids)];
  const batches: (readonly string[])[] = [];
  for (let from = 0; from < distinct.length; from += IDS_PER_CALL) {
    batches.push(distinct.slice(from, from + IDS_PER_CALL));
  }
  return batches;
}

/** The entity whose name the node has, or after which a formed node is named. */
function idOf({ origin }: UpperNode): string {
  return origin.kind === "named" ? origin.entity.entityId : origin.hub.entityId;
}

function idOfMember(member: Member, nodes: readonly UpperNode[]): readonly string[] {
  if ("entityId" in member) return [member.entityId];
  const node = nodes[member.node];
  return node === undefined ? [] : [idOf(node)];
}

function describeMember(
  member: Member,
  nodes: readonly UpperNode[],
  entities: ReadonlyMap<string, Entity>,
): readonly DescribedMember[] {
  const [id = ""] = idOfMember(member, nodes);
  const entity = entities.get(id);
  if (entity === undefined) return [];
  if ("entityId" in member) return [{ type: entity.type, name: entity.name, entity }];
  const node = nodes[member.node];
  if (node === undefined) return [];
  return [{ type: node.type.name, name: nameFormed(entity.name, node), entity: null }];
}

/** "Holm Lines" becomes "Holm Lines fleet" for the type Fleet, unless it already ends with the noun. */
export function nameFormed(hub: string, { type }: Pick<UpperNode, "type">): string {
  const last = inSingular(hub.toLowerCase()).split(" ").at(-1);
  return last === headOf(type.noun) ? hub : `${hub} ${type.noun}`;
}

async function readDescriptions(
  input: {
    readonly projectId: string;
    readonly selected: readonly UpperNode[];
    readonly nodes: readonly UpperNode[];
    readonly entities: ReadonlyMap<string, Entity>;
  },
  { graph, index }: DetailStores,
): Promise<readonly (readonly string[])[]> {
  const { projectId, selected, nodes, entities } = input;
  const describing = selected.map((node) => {
    const members = node.members.slice(0, MAX_DESCRIBING_MEMBERS);
    return [idOf(node), ...members.flatMap((member) => idOfMember(member, nodes))];
  });
  const places: EntityChunk[] = [];
  for (const entityIds of batchIds(describing.flat())) {
    places.push(...(await graph.listChunksOf({ projectId, entityIds })));
  }
  const chosen = describing.map((ids) => chooseChunks(ids, places));
  const keys = [...new Map(chosen.flat().map((key) => [keyOf(key), key])).values()];
  const read = keys.length === 0 ? [] : await index.readChunks({ projectId, keys });
  const chunks = new Map(keys.map((key, at) => [keyOf(key), read[at] ?? null]));
  const formsOf = (id: string | undefined) => {
    const entity = entities.get(id ?? "");
    return entity === undefined ? [] : [entity.name, ...entity.aliases];
  };
  return describing.map(([own, ...members], at) =>
    describe(
      { names: formsOf(own), members: members.map(formsOf) },
      (chosen[at] ?? []).flatMap((key) => chunks.get(keyOf(key)) ?? []),
    ),
  );
}

/** The chunks that name most of the entities. The first id, the node's own, counts twice. */
function chooseChunks(ids: readonly string[], places: readonly EntityChunk[]): readonly ChunkKey[] {
  const [own] = ids;
  const described = new Set(ids);
  const weights = new Map<string, { readonly key: ChunkKey; weight: number }>();
  for (const { entityId, versionId, position } of places) {
    if (!described.has(entityId)) continue;
    const key = { versionId, position };
    const weighted = weights.get(keyOf(key)) ?? { key, weight: 0 };
    weighted.weight += entityId === own ? 2 : 1;
    weights.set(keyOf(key), weighted);
  }
  return [...weights.values()]
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_CHUNKS)
    .map(({ key }) => key);
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
