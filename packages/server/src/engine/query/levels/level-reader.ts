/** The nodes of upper levels of projects that are bound to an ontology, read once for each state of a project. */
import { parseOntology } from "../../../domain/ontology-schema.ts";
import type { EntityMember, GraphStore, ListedEntity } from "../../../ports/graph-store.ts";
import { findHubKinds, type GatheringPlan, planGathering, type UpperType } from "../../graph/gathering.ts";
import { type Element, formGroups } from "./form-groups.ts";

export type LevelStore = Pick<
  GraphStore,
  "readOntologyOf" | "listEntities" | "readMembers" | "listRelationships"
>;

/** An entity, or the place in the list of nodes of one that was formed. */
export type Member = { readonly entityId: string } | { readonly node: number };

/** An instance of a type that gathers others. */
export interface UpperNode {
  readonly type: UpperType;
  /** Named by texts, or formed around what its members have in common. */
  readonly origin:
    | { readonly kind: "named"; readonly entity: ListedEntity }
    | { readonly kind: "formed"; readonly hub: ListedEntity };
  /** Best supported first. */
  readonly members: readonly Member[];
  /** Chunks that support its members. */
  readonly chunks: number;
}

export interface LevelReader {
  /** null where no type gathers others. @throws what the store throws */
  readPlan(projectId: string): Promise<GatheringPlan | null>;
  /** Lower levels first, within a type those named by texts or else those formed; as of the index version, or later. @throws what the store throws */
  readNodes(projectId: string, indexVersion: number): Promise<readonly UpperNode[]>;
}

/** Projects of which plans and nodes are remembered. */
const MAX_PROJECTS = 128;
const MAX_NAMED = 300;
const MAX_MEMBERS = 3_000;
/** What the store takes at a time. */
const IDS_A_CALL = 100;
const MAX_RELATIONSHIPS = 10_000;

export function createLevelReader(store: LevelStore): LevelReader {
  // An ontology never changes, nor does a project's.
  const plans = new Map<string, GatheringPlan | null>();
  const known = new Map<string, { readonly indexVersion: number; readonly nodes: readonly UpperNode[] }>();
  /** By project and version: questions that come together wait for one reading. */
  const underWay = new Map<string, Promise<readonly UpperNode[]>>();

  async function readPlan(projectId: string): Promise<GatheringPlan | null> {
    const last = plans.get(projectId);
    if (last !== undefined) return last;
    const ontology = await store.readOntologyOf({ projectId });
    if (ontology === null) return null;
    const plan = planGathering(parseOntology(ontology.schemaJson));
    return remember(plans, projectId, plan.upperTypes.length === 0 ? null : plan);
  }
  return {
    readPlan,
    async readNodes(projectId, indexVersion) {
      const last = known.get(projectId);
      if (last?.indexVersion === indexVersion) return last.nodes;
      const key = `${projectId} ${indexVersion}`;
      const running = underWay.get(key);
      if (running !== undefined) return running;
      const reading = readAnew(projectId, indexVersion).finally(() => underWay.delete(key));
      underWay.set(key, reading);
      return reading;
    },
  };

  async function readAnew(projectId: string, indexVersion: number): Promise<readonly UpperNode[]> {
    const plan = await readPlan(projectId);
    const nodes = plan === null ? [] : await readLevels(projectId, plan, store);
    return remember(known, projectId, { indexVersion, nodes }).nodes;
  }
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MAX_PROJECTS && oldest !== undefined) known.delete(oldest);
  return value;
}

async function readLevels(
  projectId: string,
  plan: GatheringPlan,
  store: LevelStore,
): Promise<readonly UpperNode[]> {
  const nodes: UpperNode[] = [];
  for (const type of plan.upperTypes) {
    const named = await readNamed(projectId, type, store);
    const isGathered = named.some(({ members }) => members.length > 0);
    const formed = isGathered ? [] : await formNodes({ projectId, type, plan, nodes }, store);
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
  for (let from = 0; from < entities.length; from += IDS_A_CALL) {
    const entityIds = entities.slice(from, from + IDS_A_CALL).map(({ entityId }) => entityId);
    members.push(...(await store.readMembers({ projectId, entityIds, limit: MAX_MEMBERS })));
  }
  const ofParent = Map.groupBy(members, ({ parentId }) => parentId);
  return entities.map((entity) => {
    const own = ofParent.get(entity.entityId) ?? [];
    return {
      type,
      origin: { kind: "named", entity },
      members: own.map(({ memberId }) => ({ entityId: memberId })),
      chunks: own.reduce((sum, { chunks }) => sum + chunks, 0),
    };
  });
}

interface Forming {
  readonly projectId: string;
  readonly type: UpperType;
  readonly plan: GatheringPlan;
  /** Of lower levels. */
  readonly nodes: readonly UpperNode[];
}

async function formNodes(
  { projectId, type, plan, nodes }: Forming,
  store: LevelStore,
): Promise<readonly UpperNode[]> {
  const below = nodes.flatMap((node, at) =>
    type.aggregates.includes(node.type.name) && node.members.length > 0 ? [{ node, at }] : [],
  );
  const upperNames = new Set(plan.upperTypes.map(({ name }) => name));
  const concrete = type.aggregates.filter((name) => !upperNames.has(name));
  const fromBelow = below.map(({ node }) => elementOf(node, nodes, plan));
  const types = new Set([...concrete, ...fromBelow.flatMap((element) => [...element.types])]);
  const kinds = findHubKinds(type, types, plan.schema);
  if (kinds.length === 0) return [];
  const distinct = new Map(kinds.map(({ kind }) => [JSON.stringify(kind), kind]));
  const relationships = await store.listRelationships({
    ...{ projectId, kinds: [...distinct.values()], limit: MAX_RELATIONSHIPS },
  });
  const entities = new Map<string, ListedEntity>();
  for (const { source, target } of relationships) {
    for (const end of [source, target]) if (concrete.includes(end.type)) entities.set(end.entityId, end);
  }
  const members: readonly (Element & { readonly member: Member })[] = [
    ...fromBelow.map((element, place) => ({ ...element, member: memberOf(below[place], nodes) })),
    ...[...entities.values()].map((entity) => ({
      ...{ key: `${entity.key}\n${entity.type}`, types: new Set([entity.type]) },
      ...{ own: [entity.entityId], parts: [], member: { entityId: entity.entityId } },
    })),
  ].sort((one, other) => (one.key < other.key ? -1 : 1));
  return formGroups(members, relationships, kinds).map(({ hub, elements, chunks }) => ({
    ...{ type, chunks, origin: { kind: "formed", hub } },
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

/** A node stands for what it was formed around and for what it gathers. */
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

/** What a type gathers, and what that gathers. */
function typesBelow(type: UpperType, { upperTypes }: GatheringPlan): ReadonlySet<string> {
  const upper = new Map(upperTypes.map((each) => [each.name, each]));
  const found = new Set(type.aggregates);
  // What is added while a set is walked is walked, too.
  for (const name of found) for (const lower of upper.get(name)?.aggregates ?? []) found.add(lower);
  return found;
}
