/** Reads the nodes of upper levels of a project that is bound to an ontology, once per index version. */
import { parseOntology } from "../../../domain/ontology-schema.ts";
import type { EntityMember, GraphStore, ListedEntity } from "../../../ports/graph-store.ts";
import {
  createHubFinder,
  type GatheringPlan,
  type HubKind,
  planGathering,
  type UpperType,
} from "../../graph/gathering.ts";
import { type Element, formGroups } from "./form-groups.ts";

export type LevelStore = Pick<
  GraphStore,
  "readOntologyOf" | "readGraphTypes" | "listEntities" | "readMembers" | "listRelationships"
>;

/** An entity, or the index of a formed node in the list of nodes. */
export type Member = { readonly entityId: string } | { readonly node: number };

/** An instance of a type that aggregates other types. */
export interface UpperNode {
  readonly type: UpperType;
  /** Named by texts, or formed around the hub to which all members are related. */
  readonly origin:
    | { readonly kind: "named"; readonly entity: ListedEntity }
    | { readonly kind: "formed"; readonly hub: ListedEntity };
  /** Best supported first. */
  readonly members: readonly Member[];
  /** The number of chunks that support its members. */
  readonly chunks: number;
}

export interface LevelReader {
  /** null when no type of the ontology aggregates others. As of the index version or a later one. @throws what the store throws */
  readPlan(projectId: string, indexVersion: number): Promise<GatheringPlan | null>;
  /**
   * Lower levels first. A type has the nodes that texts name, and formed nodes only if none of those has a
   * member. As of the index version or a later one.
   * @throws what the store throws
   */
  readNodes(projectId: string, indexVersion: number): Promise<readonly UpperNode[]>;
}

/** In the cache. */
const MAX_PROJECTS = 128;
/** In the cache: the plan of a large one takes a few MB. */
const MAX_ONTOLOGIES = 32;
/** Nodes and members in the cache, of all projects together: about 50 bytes each. */
const MAX_CACHED = 500_000;
const MAX_NAMED = 300;
const MAX_MEMBERS = 3_000;
/** The store's limit. */
const IDS_PER_CALL = 100;
const MAX_RELATIONSHIPS = 10_000;
/** From which the formed nodes of all types of a project are made; further types have none. */
const MAX_FORMED_FROM = 50_000;

export function createLevelReader(store: LevelStore): LevelReader {
  // A project that is bound to another ontology has another index version. A version of an ontology never changes.
  const ontologies = createWeighedCache<{ readonly indexVersion: number; readonly ontologyId: string }>({
    entries: MAX_PROJECTS,
  });
  const plans = createWeighedCache<GatheringPlan | null>({ entries: MAX_ONTOLOGIES });
  const nodesByProject = createWeighedCache<{
    readonly indexVersion: number;
    readonly nodes: readonly UpperNode[];
  }>({ entries: MAX_PROJECTS, weight: MAX_CACHED });
  /** By project and index version: concurrent questions share one read. */
  const pending = new Map<string, Promise<readonly UpperNode[]>>();

  async function readPlan(projectId: string, indexVersion: number): Promise<GatheringPlan | null> {
    const bound = ontologies.get(projectId);
    const last = bound?.indexVersion === indexVersion ? plans.get(bound.ontologyId) : undefined;
    if (last !== undefined) return last;
    const ontology = await store.readOntologyOf({ projectId });
    if (ontology === null) return null;
    const { ontologyId, schemaJson } = ontology;
    ontologies.put(projectId, { indexVersion, ontologyId });
    const known = plans.get(ontologyId);
    if (known !== undefined) return known;
    const plan = planGathering(parseOntology(schemaJson));
    return plans.put(ontologyId, plan.upperTypes.length === 0 ? null : plan);
  }
  return {
    readPlan,
    async readNodes(projectId, indexVersion) {
      const last = nodesByProject.get(projectId);
      if (last?.indexVersion === indexVersion) return last.nodes;
      const key = `${projectId} ${indexVersion}`;
      const running = pending.get(key);
      if (running !== undefined) return running;
      const read = readAndCache(projectId, indexVersion).finally(() => pending.delete(key));
      pending.set(key, read);
      return read;
    },
  };

  async function readAndCache(projectId: string, indexVersion: number): Promise<readonly UpperNode[]> {
    const plan = await readPlan(projectId, indexVersion);
    const nodes = plan === null ? [] : await readLevels(projectId, plan, store);
    const weight = nodes.reduce((sum, { members }) => sum + members.length, nodes.length);
    return nodesByProject.put(projectId, { indexVersion, nodes }, weight).nodes;
  }
}

/** What was added longest ago is evicted first; what weighs more than all may is not kept. */
function createWeighedCache<Value>(most: { readonly entries: number; readonly weight?: number }) {
  const entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key: string): Value | undefined => entries.get(key)?.value,
    put(key: string, value: Value, weight = 0): Value {
      remove(key);
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= most.entries && total <= (most.weight ?? 0)) break;
        remove(oldest);
      }
      return value;
    },
  };
}

/** Reads and computes for the types and relationships that the graph has, however many the ontology has. */
async function readLevels(
  projectId: string,
  plan: GatheringPlan,
  store: LevelStore,
): Promise<readonly UpperNode[]> {
  const { entities, relationships } = await store.readGraphTypes({ projectId });
  const present = new Set(entities.map(({ type }) => type));
  const kinds = relationships.map(({ type, sourceType, targetType }) => ({ type, sourceType, targetType }));
  const findHubs = createHubFinder(plan, kinds);
  const nodes: UpperNode[] = [];
  const room = { relationships: MAX_FORMED_FROM };
  for (const type of plan.upperTypes) {
    const named = present.has(type.name) ? await readNamed(projectId, type, store) : [];
    const hasMembers = named.some(({ members }) => members.length > 0);
    const formed = hasMembers ? [] : await formNodes({ projectId, type, plan, nodes, findHubs, room }, store);
    nodes.push(...named, ...formed);
  }
  return nodes;
}

async function readNamed(
  projectId: string,
  type: UpperType,
  store: LevelStore,
): Promise<readonly UpperNode[]> {
  const page = { limit: MAX_NAMED, offset: 0 };
  const { entities } = await store.listEntities({ projectId, type: type.name, page });
  const members: EntityMember[] = [];
  for (let from = 0; from < entities.length; from += IDS_PER_CALL) {
    const entityIds = entities.slice(from, from + IDS_PER_CALL).map(({ entityId }) => entityId);
    members.push(...(await store.readMembers({ projectId, entityIds, limit: MAX_MEMBERS })));
  }
  const membersOf = Map.groupBy(members, ({ parentId }) => parentId);
  return entities.map((entity) => {
    const own = membersOf.get(entity.entityId) ?? [];
    return {
      type,
      origin: { kind: "named", entity },
      members: own.map(({ memberId }) => ({ entityId: memberId })),
      chunks: own.reduce((sum, { chunks }) => sum + chunks, 0),
    };
  });
}

interface FormingInput {
  readonly projectId: string;
  readonly type: UpperType;
  readonly plan: GatheringPlan;
  /** The nodes of lower levels. */
  readonly nodes: readonly UpperNode[];
  readonly findHubs: (upper: UpperType, ofMembers: ReadonlySet<string>) => readonly HubKind[];
  /** What is left of it is changed. */
  readonly room: { relationships: number };
}

async function formNodes(
  { projectId, type, plan, nodes, findHubs, room }: FormingInput,
  store: LevelStore,
): Promise<readonly UpperNode[]> {
  const below = nodes.flatMap((node, at) =>
    type.aggregates.includes(node.type.name) && node.members.length > 0 ? [{ node, at }] : [],
  );
  const upperNames = new Set(plan.upperTypes.map(({ name }) => name));
  const concrete = type.aggregates.filter((name) => !upperNames.has(name));
  const fromBelow = below.map(({ node }) => elementOf(node, nodes, plan));
  const types = new Set([...concrete, ...fromBelow.flatMap((element) => [...element.types])]);
  const kinds = findHubs(type, types);
  if (kinds.length === 0 || room.relationships <= 0) return [];
  const distinct = new Map(kinds.map(({ kind }) => [JSON.stringify(kind), kind]));
  const relationships = await store.listRelationships({
    projectId,
    kinds: [...distinct.values()],
    limit: MAX_RELATIONSHIPS,
  });
  room.relationships -= relationships.length;
  const entities = new Map<string, ListedEntity>();
  for (const { source, target } of relationships) {
    for (const end of [source, target]) if (concrete.includes(end.type)) entities.set(end.entityId, end);
  }
  const members: readonly (Element & { readonly member: Member })[] = [
    ...fromBelow.map((element, place) => ({ ...element, member: memberOf(below[place], nodes) })),
    ...[...entities.values()].map((entity) => ({
      key: `${entity.key}\n${entity.type}`,
      types: new Set([entity.type]),
      own: [entity.entityId],
      parts: [],
      member: { entityId: entity.entityId },
    })),
  ].sort((one, other) => (one.key < other.key ? -1 : 1));
  return formGroups(members, relationships, kinds).map(({ hub, elements, chunks }) => ({
    type,
    chunks,
    origin: { kind: "formed", hub },
    members: elements.flatMap((at) => members[at]?.member ?? []),
  }));
}

function memberOf(
  below: { readonly node: UpperNode; readonly at: number } | undefined,
  nodes: readonly UpperNode[],
): Member {
  if (below === undefined) return { node: nodes.length };
  const { origin } = below.node;
  return origin.kind === "named" ? { entityId: origin.entity.entityId } : { node: below.at };
}

/** The element of a node: its entity or hub, with the entities of its members as parts. */
function elementOf(
  { type, origin, members }: UpperNode,
  nodes: readonly UpperNode[],
  plan: GatheringPlan,
): Element {
  const entity = origin.kind === "named" ? origin.entity : origin.hub;
  const parts = members.flatMap((member) =>
    "entityId" in member ? [member.entityId] : ownOf(nodes[member.node]),
  );
  return {
    key: `${entity.key}\n${entity.type}\n${type.name}`,
    types: new Set([entity.type, ...typesBelow(type, plan)]),
    own: [entity.entityId],
    parts,
  };
}

function ownOf(node: UpperNode | undefined): readonly string[] {
  if (node === undefined) return [];
  return [node.origin.kind === "named" ? node.origin.entity.entityId : node.origin.hub.entityId];
}

/** The types that a type aggregates, directly or through other types. */
function typesBelow(type: UpperType, { upperTypes }: GatheringPlan): ReadonlySet<string> {
  const upper = new Map(upperTypes.map((each) => [each.name, each]));
  const found = new Set(type.aggregates);
  // The loop also visits the types that are added to the set during iteration.
  for (const name of found) for (const lower of upper.get(name)?.aggregates ?? []) found.add(lower);
  return found;
}
