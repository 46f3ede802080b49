/** Lets nodes of upper levels take part in an answer. */
import type { AnswerEntity, AnswerRelationship } from "../../../domain/query.ts";
import type { Entity, GraphStore } from "../../../ports/graph-store.ts";
import type { GatheringPlan } from "../../graph/gathering.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { type AnswerGraph, presentEntity } from "../graph-answer.ts";
import { chooseNodes } from "./choose-nodes.ts";
import type { LevelReader, UpperNode } from "./level-reader.ts";
import { type DetailStore, readDetails, type ShownMember, type ShownNode } from "./node-details.ts";
import { type Overview, readOverview } from "./overview.ts";

export type LevelAnswerStore = DetailStore &
  Pick<GraphStore, "findEntitiesByKeys" | "findRelationships" | "readMembers">;

export interface LevelDeps {
  readonly levels: LevelReader;
  readonly store: LevelAnswerStore;
}

export interface LevelQuestion {
  readonly projectId: string;
  readonly indexVersion: number;
  readonly query: string;
  /** Names of the graph that the question has, in normal form. */
  readonly linked: readonly string[];
  /** What the answer shows without upper levels. */
  readonly graph: AnswerGraph;
}

export interface LevelAnswer {
  readonly graph: AnswerGraph;
  /** null where the question does not ask for an overview, or texts hardly describe what is shown. */
  readonly summary: string | null;
}

export const ANSWER_LIMITS = {
  entities: 20,
  relationships: 20,
  /** Members that come before what the answer shows anyway. */
  members: 8,
  names: 20,
  linked: 40,
  /** Fewer sum up nothing. */
  minSentences: 2,
  summarySentences: 4,
  summaryUnits: 1_200,
} as const;
/** Described where a question for a fact brings them. */
const MAX_DESCRIBED = 3;
const RELATIONSHIPS_READ = 100;

/**
 * A question for an overview shows the nodes that it asks for first, then their members, then what it showed before, and is summed up
 * by their descriptions. Any other question keeps its answer; nodes in it are told with members and description.
 */
export async function addLevels(question: LevelQuestion, deps: LevelDeps): Promise<LevelAnswer> {
  const plan = await deps.levels.readPlan(question.projectId);
  if (plan === null) return { graph: question.graph, summary: null };
  const overview = readOverview(question.query, plan);
  const nodes =
    overview === null ? [] : await deps.levels.readNodes(question.projectId, question.indexVersion);
  const chosen = overview === null ? [] : await choose(question, { overview, nodes, store: deps.store });
  if (overview === null || chosen.length === 0) return describeShown(question, plan, deps.store);
  const { projectId } = question;
  const shown = await readDetails({ projectId, shown: chosen, nodes }, deps.store);
  return {
    graph: await showFirst(question, shown, deps.store),
    summary: overview.isBroad ? sumUp(shown) : null,
  };
}

async function choose(
  { projectId, query, linked }: LevelQuestion,
  input: {
    readonly overview: Overview;
    readonly nodes: readonly UpperNode[];
    readonly store: LevelAnswerStore;
  },
): Promise<readonly UpperNode[]> {
  const { overview, nodes, store } = input;
  if (nodes.length === 0) return [];
  const keys = linked.slice(0, ANSWER_LIMITS.linked);
  const found =
    keys.length === 0
      ? []
      : await store.findEntitiesByKeys({ projectId, keys, limit: ANSWER_LIMITS.linked, withPlaces: false });
  const namedIds = new Set(found.map(({ entityId }) => entityId));
  return chooseNodes({ question: query, overview, nodes, hasNames: keys.length > 0, namedIds });
}

/** The answer as it is; its first nodes of upper levels with members and description. */
async function describeShown(
  { projectId, graph }: LevelQuestion,
  plan: GatheringPlan,
  store: LevelAnswerStore,
): Promise<LevelAnswer> {
  const upper = new Map(plan.upperTypes.map((type) => [type.name, type]));
  const names = graph.entities.filter(({ type }) => upper.has(type)).slice(0, MAX_DESCRIBED);
  if (names.length === 0) return { graph, summary: null };
  const keys = names.map(({ name }) => normalizeName(name));
  const found = await store.findEntitiesByKeys({
    projectId,
    keys,
    limit: keys.length * 4,
    withPlaces: false,
  });
  const entityIds = found.filter(({ type }) => upper.has(type)).map(({ entityId }) => entityId);
  const members = await store.readMembers({ projectId, entityIds, limit: RELATIONSHIPS_READ });
  const nodes = found.flatMap(({ entityId, type: name, keys: [key = ""] }): readonly UpperNode[] => {
    const type = upper.get(name);
    if (type === undefined) return [];
    const own = members.filter(({ parentId }) => parentId === entityId);
    const origin = { kind: "named", entity: { entityId, type: name, key } } as const;
    return [{ type, origin, chunks: own.length, members: own.map((each) => ({ entityId: each.memberId })) }];
  });
  const shown = await readDetails({ projectId, shown: nodes, nodes }, store);
  const told = new Map(shown.map((node) => [idOf(node.node.type.name, node.name), presentNode(node)]));
  const entities = graph.entities.map((entity) => {
    const node = told.get(idOf(entity.type, entity.name));
    return node === undefined
      ? entity
      : { ...entity, properties: { ...node.properties, ...entity.properties } };
  });
  return { graph: { ...graph, entities }, summary: null };
}

async function showFirst(
  { projectId, graph }: LevelQuestion,
  shown: readonly ShownNode[],
  store: LevelAnswerStore,
): Promise<AnswerGraph> {
  const members = firstMembers(shown);
  const all = [...shown.map(presentNode), ...members.map(presentMember), ...graph.entities];
  const entities = firstOfEach(all, ({ type, name }) => idOf(type, name)).slice(0, ANSWER_LIMITS.entities);
  const named = [...shown, ...members].flatMap(({ entity }) => entity ?? []);
  const found = await readBetween({ projectId, named, store });
  const isShown = new Set(entities.map(({ name }) => name));
  const relationships = [...shown.flatMap(membershipsOf), ...found, ...graph.relationships].filter(
    ({ source, target }) => isShown.has(source) && isShown.has(target),
  );
  const distinct = firstOfEach(relationships, ({ source, type, target }) =>
    [source, type, target].join("\n"),
  );
  return { entities, relationships: distinct.slice(0, ANSWER_LIMITS.relationships) };
}

function firstOfEach<T>(list: readonly T[], keyOf: (each: T) => string): readonly T[] {
  const keys = new Set<string>();
  return list.filter((each) => {
    const isFirst = !keys.has(keyOf(each));
    keys.add(keyOf(each));
    return isFirst;
  });
}

/** The first of each node, then the second of each. */
function firstMembers(shown: readonly ShownNode[]): readonly ShownMember[] {
  const known = new Set(shown.map(({ node, name }) => idOf(node.type.name, name)));
  const found: ShownMember[] = [];
  const most = Math.max(0, ...shown.map(({ members }) => members.length));
  for (let place = 0; place < most; place++) {
    for (const { members } of shown) {
      const member = members[place];
      if (member === undefined || known.has(idOf(member.type, member.name))) continue;
      if (found.length >= ANSWER_LIMITS.members) return found;
      known.add(idOf(member.type, member.name));
      found.push(member);
    }
  }
  return found;
}

async function readBetween({
  projectId,
  named,
  store,
}: {
  readonly projectId: string;
  readonly named: readonly Entity[];
  readonly store: LevelAnswerStore;
}): Promise<readonly AnswerRelationship[]> {
  if (named.length === 0) return [];
  const nameOf = new Map(named.map(({ entityId, name }) => [entityId, name]));
  const found = await store.findRelationships({
    ...{ projectId, entityIds: [...nameOf.keys()], limit: RELATIONSHIPS_READ, withPlaces: false },
  });
  return found.flatMap(({ sourceId, targetId, type }) => {
    const [source, target] = [nameOf.get(sourceId), nameOf.get(targetId)];
    return source === undefined || target === undefined ? [] : [{ source, target, type }];
  });
}

/** Where the ontology has an edge type whose name says that the one is of the other. */
function membershipsOf({ node, name, members }: ShownNode): readonly AnswerRelationship[] {
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

/** What texts say of a property goes before what is put together here. */
function presentNode({ node, name, entity, members, sentences }: ShownNode): AnswerEntity {
  const own = entity === null ? {} : presentEntity(entity).properties;
  const properties: Record<string, string> = {};
  if (sentences.length > 0) properties["description"] = sentences.join(" ");
  if (members.length > 0) properties["members"] = listNames(members, node.members.length);
  return { type: node.type.name, name, properties: { ...properties, ...own } };
}

function listNames(members: readonly ShownMember[], total: number): string {
  const names = members.slice(0, ANSWER_LIMITS.names).map(({ name }) => name);
  const more = total - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

function presentMember({ type, name, entity }: ShownMember): AnswerEntity {
  return entity === null ? { type, name, properties: {} } : presentEntity(entity);
}

/** One node by all its sentences, several by the first of each. */
function sumUp(shown: readonly ShownNode[]): string | null {
  const [only] = shown;
  const sentences =
    shown.length === 1 ? (only?.sentences ?? []) : shown.flatMap((node) => node.sentences.slice(0, 1));
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

function idOf(type: string, name: string): string {
  return `${type}\n${name}`;
}
