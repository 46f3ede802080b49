/** Adds nodes of upper levels, which an ontology puts above the entities that texts name, to an answer. */
import type { AnswerEntity, AnswerRelationship } from "../../../domain/query.ts";
import type { Moment } from "../../../domain/validity.ts";
import type { Entity, GraphStore } from "../../../ports/graph-store.ts";
import type { GatheringPlan } from "../../graph/gathering.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { type AnswerGraph, presentEntity } from "../graph-answer.ts";
import { chooseNodes } from "./choose-nodes.ts";
import type { LevelReader, UpperNode } from "./level-reader.ts";
import { type DescribedMember, type DescribedNode, type DetailStores, readDetails } from "./node-details.ts";
import { type OverviewQuestion, readOverview } from "./overview.ts";

export type LevelGraphStore = DetailStores["graph"] &
  Pick<GraphStore, "findEntitiesByKeys" | "findRelationships" | "readMembers">;

export interface LevelDeps extends DetailStores {
  readonly levels: LevelReader;
  readonly graph: LevelGraphStore;
}

export interface LevelQuestion {
  readonly projectId: string;
  readonly indexVersion: number;
  readonly query: string;
  /** As in `Question`. */
  readonly asOf?: Moment | null;
  /** Names in the question that are in the graph, in normal form. */
  readonly linkedNames: readonly string[];
  /** The answer's graph without upper levels. */
  readonly graph: AnswerGraph;
}

export interface LevelAnswer {
  readonly graph: AnswerGraph;
  /** null when the question does not ask for an overview, or too few sentences describe the nodes. */
  readonly summary: string | null;
}

export const ANSWER_LIMITS = {
  entities: 20,
  relationships: 20,
  /** Members of the chosen nodes; they come before the entities of the answer without levels. */
  members: 8,
  /** Names in a `members` property. */
  names: 20,
  linkedNames: 40,
  /** A summary of fewer sentences is not given. */
  minSentences: 2,
  summarySentences: 4,
  /** UTF-16 code units. */
  summaryUnits: 1_200,
} as const;
/** Nodes that are described in the answer to a question for a fact. */
const MAX_DESCRIBED = 3;
const RELATIONSHIPS_READ = 100;

/**
 * The answer to a question for an overview has the nodes that the question asks for first, then their
 * members, then the entities of the given graph; its summary consists of the nodes' descriptions. The answer
 * to any other question keeps its entities; nodes among them get their members and description as properties.
 */
export async function addLevels(question: LevelQuestion, deps: LevelDeps): Promise<LevelAnswer> {
  const { projectId, indexVersion, query } = question;
  const plan = await deps.levels.readPlan(projectId, indexVersion);
  if (plan === null) return { graph: question.graph, summary: null };
  const overview = readOverview(query, plan);
  if (overview === null) return describeAnswerNodes(question, plan, deps);
  const nodes = await deps.levels.readNodes(projectId, indexVersion);
  const chosen = await chooseForQuestion(question, { overview, nodes }, deps);
  if (chosen.length === 0) return describeAnswerNodes(question, plan, deps);
  const described = await readDetails({ projectId, selected: chosen, nodes }, deps);
  return {
    graph: await putFirst(question, described, deps),
    summary: overview.isBroad ? joinDescriptions(described) : null,
  };
}

async function chooseForQuestion(
  { projectId, query, linkedNames }: LevelQuestion,
  input: { readonly overview: OverviewQuestion; readonly nodes: readonly UpperNode[] },
  { graph }: LevelDeps,
): Promise<readonly UpperNode[]> {
  const { overview, nodes } = input;
  if (nodes.length === 0) return [];
  const limit = ANSWER_LIMITS.linkedNames;
  const keys = linkedNames.slice(0, limit);
  const entities =
    keys.length === 0 ? [] : await graph.findEntitiesByKeys({ projectId, keys, limit, withPlaces: false });
  const namedIds = new Set(entities.map(({ entityId }) => entityId));
  return chooseNodes({ question: query, overview, nodes, hasNames: keys.length > 0, namedIds });
}

/**
 * Keeps the answer's entities; the first nodes of upper levels among them get their members and description.
 */
async function describeAnswerNodes(
  { projectId, graph }: LevelQuestion,
  plan: GatheringPlan,
  deps: LevelDeps,
): Promise<LevelAnswer> {
  const upperTypes = new Map(plan.upperTypes.map((type) => [type.name, type]));
  const upper = graph.entities.filter(({ type }) => upperTypes.has(type)).slice(0, MAX_DESCRIBED);
  if (upper.length === 0) return { graph, summary: null };
  const keys = upper.map(({ name }) => normalizeName(name));
  const limit = keys.length * 4;
  const found = await deps.graph.findEntitiesByKeys({ projectId, keys, limit, withPlaces: false });
  const entityIds = found.filter(({ type }) => upperTypes.has(type)).map(({ entityId }) => entityId);
  const members = await deps.graph.readMembers({ projectId, entityIds, limit: RELATIONSHIPS_READ });
  const nodes = found.flatMap(({ entityId, type: typeName, keys: [key = ""] }): readonly UpperNode[] => {
    const type = upperTypes.get(typeName);
    if (type === undefined) return [];
    const own = members.filter(({ parentId }) => parentId === entityId);
    const origin = { kind: "named", entity: { entityId, type: typeName, key } } as const;
    return [{ type, origin, chunks: own.length, members: own.map((each) => ({ entityId: each.memberId })) }];
  });
  const described = await readDetails({ projectId, selected: nodes, nodes }, deps);
  const byKey = new Map(described.map((node) => [keyOf(node.node.type.name, node.name), presentNode(node)]));
  const entities = graph.entities.map((entity) => {
    const node = byKey.get(keyOf(entity.type, entity.name));
    if (node === undefined) return entity;
    return { ...entity, properties: { ...node.properties, ...entity.properties } };
  });
  return { graph: { ...graph, entities }, summary: null };
}

/** The nodes, their members, the entities of the question's graph; and the relationships between these. */
async function putFirst(
  { projectId, graph, asOf = null }: LevelQuestion,
  nodes: readonly DescribedNode[],
  deps: LevelDeps,
): Promise<AnswerGraph> {
  const members = interleaveMembers(nodes);
  const all = [...nodes.map(presentNode), ...members.map(presentMember), ...graph.entities];
  const entities = distinctBy(all, ({ type, name }) => keyOf(type, name)).slice(0, ANSWER_LIMITS.entities);
  const known = [...nodes, ...members].flatMap(({ entity }) => entity ?? []);
  const between = await readRelationshipsBetween({ projectId, asOf, entities: known }, deps.graph);
  const names = new Set(entities.map(({ name }) => name));
  const relationships = [...nodes.flatMap(membershipsOf), ...between, ...graph.relationships].filter(
    ({ source, target }) => names.has(source) && names.has(target),
  );
  const distinct = distinctBy(relationships, ({ source, type, target }) => [source, type, target].join("\n"));
  return { entities, relationships: distinct.slice(0, ANSWER_LIMITS.relationships) };
}

function distinctBy<T>(list: readonly T[], keyOfItem: (item: T) => string): readonly T[] {
  const keys = new Set<string>();
  return list.filter((item) => {
    const isFirst = !keys.has(keyOfItem(item));
    keys.add(keyOfItem(item));
    return isFirst;
  });
}

/** The first member of each node, then the second of each, and so on. */
function interleaveMembers(nodes: readonly DescribedNode[]): readonly DescribedMember[] {
  const seen = new Set(nodes.map(({ node, name }) => keyOf(node.type.name, name)));
  const interleaved: DescribedMember[] = [];
  const mostMembers = Math.max(0, ...nodes.map(({ members }) => members.length));
  for (let place = 0; place < mostMembers; place++) {
    for (const { members } of nodes) {
      const member = members[place];
      if (member === undefined || seen.has(keyOf(member.type, member.name))) continue;
      if (interleaved.length >= ANSWER_LIMITS.members) return interleaved;
      seen.add(keyOf(member.type, member.name));
      interleaved.push(member);
    }
  }
  return interleaved;
}

async function readRelationshipsBetween(
  {
    projectId,
    asOf,
    entities,
  }: { readonly projectId: string; readonly asOf: Moment | null; readonly entities: readonly Entity[] },
  store: LevelGraphStore,
): Promise<readonly AnswerRelationship[]> {
  if (entities.length === 0) return [];
  const nameOf = new Map(entities.map(({ entityId, name }) => [entityId, name]));
  const found = await store.findRelationships({
    projectId,
    entityIds: [...nameOf.keys()],
    limit: RELATIONSHIPS_READ,
    asOf,
    withPlaces: false,
  });
  return found.flatMap(({ sourceId, targetId, type }) => {
    const [source, target] = [nameOf.get(sourceId), nameOf.get(targetId)];
    return source === undefined || target === undefined ? [] : [{ source, target, type }];
  });
}

/** Only where the ontology has an edge type whose name states membership. */
function membershipsOf({ node, name, members }: DescribedNode): readonly AnswerRelationship[] {
  return members.flatMap((member) => {
    const edge = node.type.memberEdges.find(
      ({ kind, isFromMember, namesMembership }) =>
        namesMembership && (isFromMember ? kind.sourceType : kind.targetType) === member.type,
    );
    if (edge === undefined) return [];
    const [source, target] = edge.isFromMember ? [member.name, name] : [name, member.name];
    return [{ source, target, type: edge.kind.type }];
  });
}

/** A property that texts state replaces the derived one of the same name. */
function presentNode({ node, name, entity, members, sentences }: DescribedNode): AnswerEntity {
  const stated = entity === null ? {} : presentEntity(entity).properties;
  const derived: Record<string, string> = {};
  if (sentences.length > 0) derived["description"] = sentences.join(" ");
  if (members.length > 0) derived["members"] = listNames(members, node.members.length);
  return { type: node.type.name, name, properties: { ...derived, ...stated } };
}

function listNames(members: readonly DescribedMember[], total: number): string {
  const names = members.slice(0, ANSWER_LIMITS.names).map(({ name }) => name);
  const more = total - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

function presentMember({ type, name, entity }: DescribedMember): AnswerEntity {
  return entity === null ? { type, name, properties: {} } : presentEntity(entity);
}

/** All sentences of a single node; the first sentence of each of several nodes. */
function joinDescriptions(nodes: readonly DescribedNode[]): string | null {
  const [only] = nodes;
  const sentences =
    nodes.length === 1 ? (only?.sentences ?? []) : nodes.flatMap((node) => node.sentences.slice(0, 1));
  const taken: string[] = [];
  let units = 0;
  for (const sentence of new Set(sentences)) {
    if (taken.length >= ANSWER_LIMITS.summarySentences) break;
    if (units + sentence.length > ANSWER_LIMITS.summaryUnits) break;
    taken.push(sentence);
    units += sentence.length;
  }
  return taken.length < ANSWER_LIMITS.minSentences ? null : taken.join(" ");
}

function keyOf(type: string, name: string): string {
  return `${type}\n${name}`;
}
