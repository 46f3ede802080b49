/**
 * Relationships between entities, with the sentences that state them. graph-ledger.ts explains `cross join`.
 */
import { sql } from "kysely";
import type { Moment } from "../../../domain/validity.ts";
import type { PlaceOptions, Relationship, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { findConfirmed, readAddedTimes } from "./confirmed-edges.ts";
import { readSurestSentences } from "./edge-quotes.ts";
import { findHeldOfEach, mayHold, type Names, type Timed, timeColumns, timeNames } from "./edge-times.ts";
import { toNumbers } from "./graph-entities.ts";
import { memberType } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import { readRelationshipPlacesIn, surestSentences } from "./graph-quotes.ts";
import { type Row, selectFor, selectIn } from "./graph-sql.ts";

/** Limit of nodes (names) over all requested entities. */
const maxNodes = 300;
/** Limit of nodes of which every pair is looked up. */
const maxPaired = 64;
/** Limits of rows read: for one node in one direction, and for all pairs of nodes together. */
const maxAround = 100;
const maxBetween = 2_000;
/** Limits of rows of which is looked up whether they hold: between all pairs, around one node in one direction, around all nodes. */
const maxWalkedBetween = 8_000;
const maxWalkedAround = 1_000;
const maxWalkedInAll = 30_000;
/** Limit of pairs of names of which is looked up what they tell: between all pairs, around all nodes in one direction. */
const maxDecided = 8_192;
/** Relationships between nodes that are read for each requested relationship between entities. */
const nodeEdgesPerResult = 2;
/** Separators of rows and columns in an aggregated list; types contain neither. */
const rowEnd = "\n";
const columnEnd = "\t";
/** In place of null. */
const none = "-";
const { lit } = sql;

/** A relationship between two nodes. */
interface NodeEdge {
  readonly source: number;
  readonly target: number;
  readonly type: string;
  readonly chunks: number;
}

type TimedEdge = NodeEdge & Timed;
type Chosen = readonly TimedEdge[];

/** Of a relationship. */
const sides = ["source", "target"] as const;
type Side = (typeof sides)[number];

interface Edge extends NodeEdge {
  /** The relationships between nodes of the two entities. */
  readonly parts: readonly NodeEdge[];
  /** Unique; also orders edges of equal support. */
  readonly name: string;
}

export async function findRelationships(
  db: Database,
  input: {
    readonly projectId: string;
    readonly entityIds: readonly string[];
    readonly limit: number;
    readonly asOf?: Moment | null;
  } & PlaceOptions,
): Promise<readonly Relationship[]> {
  const entityOfNode = await readEntityNodes(db, input.projectId, toNumbers(input.entityIds));
  const nodes = [...entityOfNode.keys()].slice(0, maxNodes);
  if (nodes.length === 0) return [];
  const names = namesOf(entityOfNode);
  const read = {
    projectId: input.projectId,
    nodes,
    names,
    limit: input.limit * nodeEdgesPerResult,
    asOf: input.asOf ?? null,
  };
  const { edges: nodeEdges, confirmed } = await readEdges(db, read);
  const edges = await joinByEntity(db, input.projectId, nodeEdges);
  const isConfirmed = ({ parts }: Edge) =>
    parts.some((part) => confirmed.has(keyOfEdge(part.source, part.target, part.type)));
  const requested = new Set(entityOfNode.values());
  const isBetween = (edge: Edge) => requested.has(edge.source) && requested.has(edge.target);
  const best = edges
    .toSorted(
      (a, b) =>
        Number(isBetween(b)) - Number(isBetween(a)) ||
        Number(isConfirmed(b)) - Number(isConfirmed(a)) ||
        b.chunks - a.chunks ||
        (a.name < b.name ? -1 : 1),
    )
    .slice(0, input.limit);
  const places = input.withPlaces === false ? null : await readPlaces(db, input, best);
  const given = best.map((edge) => (isConfirmed(edge) ? edge.parts : []));
  const added = await readAddedTimes(db, { projectId: input.projectId, asOf: input.asOf ?? null }, given);
  return best.map((edge, at) => {
    const { type, source, target, chunks } = edge;
    const evidence = places?.get(edge.name) ?? [];
    const by = { isConfirmed: isConfirmed(edge), addedTimes: added[at] ?? null };
    const confidence = evidence[0]?.confidence ?? (by.isConfirmed && places !== null ? 1 : null);
    return { type, sourceId: String(source), targetId: String(target), chunks, confidence, ...by, evidence };
  });
}

/** Maps each node of the given entities to its entity; entities of other projects are omitted. */
export async function readEntityNodes(
  db: Database,
  projectId: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  // `<>` matches the condition of the partial index.
  const rows = await selectIn<{ node_id: number; entity_id: number }>(
    db,
    ids,
    (list) => sql`select node_id, entity_id from entities
      where project_id = ${projectId} and node_id in (${list}) and entity_id = node_id
      union all
      select node_id, entity_id from entities
      where project_id = ${projectId} and entity_id in (${list}) and entity_id <> node_id`,
  );
  const members = Map.groupBy(rows, ({ entity_id }) => entity_id);
  return new Map([...members.values()].flat().map(({ node_id, entity_id }) => [node_id, entity_id] as const));
}

/** All names of these entities, by name. */
function namesOf(entityOfNode: ReadonlyMap<number, number>): Map<number, Names> {
  const members = Map.groupBy(entityOfNode, ([, entity]) => entity);
  return new Map(
    [...members].flatMap(([entity, nodes]) => {
      const names = { entity, nodes: nodes.map(([node]) => node) };
      return nodes.map(([node]) => [node, names] as const);
    }),
  );
}

/** Nodes around which relationships are read, at which time, and the names that are known of them and others. */
interface Walk {
  readonly projectId: string;
  readonly nodes: readonly number[];
  readonly asOf: Moment | null;
  readonly names: Map<number, Names>;
}

/** All edges between the nodes, then the best other edges of the nodes; and the keys of those that people have confirmed. */
async function readEdges(
  db: Database,
  walk: Walk & { readonly limit: number },
): Promise<{ readonly edges: readonly NodeEdge[]; readonly confirmed: ReadonlySet<string> }> {
  const { projectId } = walk;
  const between = await readBetween(db, { ...walk, nodes: walk.nodes.slice(0, maxPaired) });
  const remaining = walk.limit - between.length;
  if (remaining <= 0) return { edges: between, confirmed: await findConfirmed(db, projectId, between) };
  const known = new Set(between.map((edge) => keyOfEdge(edge.source, edge.target, edge.type)));
  const around = new Map<string, NodeEdge>();
  for (const edge of await readAround(db, walk)) {
    const key = keyOfEdge(edge.source, edge.target, edge.type);
    if (!known.has(key)) around.set(key, edge);
  }
  const confirmed = await findConfirmed(db, projectId, [...between, ...around.values()]);
  const isConfirmed = ({ source, target, type }: NodeEdge) =>
    Number(confirmed.has(keyOfEdge(source, target, type)));
  const best = [...around.values()].sort(
    (a, b) =>
      isConfirmed(b) - isConfirmed(a) ||
      b.chunks - a.chunks ||
      a.source - b.source ||
      a.target - b.target ||
      (a.type < b.type ? -1 : 1),
  );
  return { edges: [...between, ...best.slice(0, remaining)], confirmed };
}

/**
 * Looks up pairs of nodes by index instead of filtering all edges of a node: a frequent name has thousands of
 * edges.
 */
async function readBetween(
  db: Database,
  { projectId, nodes, asOf, names }: Walk,
): Promise<readonly NodeEdge[]> {
  const rows = await selectFor<TimedEdge>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select source, target, type, ${timeNames}, count(*) as chunks from (
        select r.source_node as source, r.target_node as target, r.type, ${timeColumns("r", asOf)} from (
          select r.* from keys as s
          cross join keys as t
          cross join relationship_places as r
          where r.project_id = ${projectId} and r.source_node = s.node_id and r.target_node = t.node_id and r.type <> ${lit(memberType)}
          limit ${lit(asOf === null ? maxBetween : maxWalkedBetween)}) as r
        where ${mayHold("r", asOf)}) as pairs
      group by source, target, type, ${timeNames} order by source, target, type`,
  });
  const [found] = await findHeldOfEach(db, [rows], { projectId, moment: asOf, limit: maxDecided, names });
  return firstChunks(found?.held ?? [], maxBetween);
}

/** The edges of the first chunks of these. */
function firstChunks(statements: readonly TimedEdge[], limit: number): readonly NodeEdge[] {
  const edges = new Map<string, NodeEdge>();
  let left = limit;
  for (const { source, target, type, ...statement } of statements) {
    const chunks = Math.min(left, statement.chunks);
    if (chunks <= 0) break;
    left -= chunks;
    const key = keyOfEdge(source, target, type);
    edges.set(key, { source, target, type, chunks: chunks + (edges.get(key)?.chunks ?? 0) });
  }
  return [...edges.values()];
}

/** Edges of the first places of each node in each direction, of those that hold among the first that are walked. */
async function readAround(
  db: Database,
  { projectId, nodes, asOf, names }: Walk,
): Promise<readonly NodeEdge[]> {
  const most = Math.max(maxAround, Math.min(maxWalkedAround, Math.floor(maxWalkedInAll / nodes.length)));
  const held = { source: new Map<number, Chosen>(), target: new Map<number, Chosen>() };
  const left = { source: nodes, target: nodes };
  // Most names have enough that hold among the first.
  for (const walked of asOf === null || most === maxAround ? [maxAround] : [maxAround, most]) {
    const lists = await readLists(db, left, { projectId, asOf, walked });
    const statements = sides.map((own) => [...lists[own].values()].flatMap(({ rows }) => rows));
    const found = await findHeldOfEach(db, statements, { projectId, moment: asOf, limit: maxDecided, names });
    for (const [at, own] of sides.entries()) {
      const byNode = Map.groupBy(found[at]?.held ?? [], (statement) => statement[own]);
      for (const node of left[own]) held[own].set(node, byNode.get(node) ?? []);
      left[own] = left[own].filter(
        (node) => lists[own].get(node)?.walked === walked && chunksOf(held[own].get(node) ?? []) < maxAround,
      );
    }
  }
  return sides.flatMap((own) => [...held[own].values()].flatMap((chosen) => firstChunks(chosen, maxAround)));
}

function chunksOf(edges: readonly NodeEdge[]): number {
  return edges.reduce((sum, { chunks }) => sum + chunks, 0);
}

type Lists = ReadonlyMap<number, { readonly rows: readonly TimedEdge[]; readonly walked: number }>;

interface ListWalk extends Pick<Walk, "projectId" | "asOf"> {
  readonly walked: number;
}

/** The statements in the first places of each node that may hold then. The database aggregates them into one list per node and side. */
async function readLists(
  db: Database,
  nodes: Readonly<Record<Side, readonly number[]>>,
  walk: ListWalk,
): Promise<Readonly<Record<Side, Lists>>> {
  const rows = await selectFor<{ side: Side; node: number; list: string | null }>(db, {
    columns: { node_id: "bigint", side: "text" },
    rows: sides.flatMap((side) => nodes[side].map((node): Row => [node, side])),
    query: sql.join(
      sides.map((side) => listsOf(side, walk)),
      sql` union all `,
    ),
  });
  const listsOfSide = (own: Side) =>
    new Map(
      rows.flatMap(({ side, node, list }) =>
        side === own ? [[node, parseList(list, node, own)] as const] : [],
      ),
    );
  return { source: listsOfSide("source"), target: listsOfSide("target") };
}

function listsOf(side: Side, { projectId, asOf, walked }: ListWalk) {
  const [column, other] = side === "source" ? ["source_node", "target_node"] : ["target_node", "source_node"];
  const columns = ["other", "type", "known", "turn", "begun", "ended", "times", "may"];
  const texts = columns.map((name) => sql`coalesce(cast(${sql.ref(name)} as text), ${lit(none)})`);
  return sql`select k.side, k.node_id as node, (
      select string_agg(${sql.join(texts, sql` || ${lit(columnEnd)} || `)}, ${lit(rowEnd)}) from (
        select other, type, ${timeNames}, may, count(*) as times from (
          select ${sql.ref(`r.${other}`)} as other, r.type, ${timeColumns("r", asOf)},
            case when ${mayHold("r", asOf)} then 1 else 0 end as may
          from relationship_places as r
          where r.project_id = ${projectId} and ${sql.ref(`r.${column}`)} = k.node_id and r.type <> ${lit(memberType)}
          order by ${sql.ref(`r.${other}`)}, r.type limit ${lit(walked)}) as first
        group by other, type, ${timeNames}, may) as counted) as list
      from keys as k where k.side = ${lit(side)}`;
}

/** Of an aggregated list, in the order of other names and types. */
function parseList(list: string | null, node: number, own: Side) {
  const textOf = (column: string | undefined) => (column === undefined || column === none ? null : column);
  const rows = (list === null ? [] : list.split(rowEnd)).map((row) => {
    const [text, type = "", known, turn, begun, ended, times, may] = row.split(columnEnd);
    const other = Number(text);
    const ends = own === "source" ? { source: node, target: other } : { source: other, target: node };
    const time = { known: textOf(known), turn: textOf(turn), begun: Number(begun), ended: Number(ended) };
    return { other, may: may === "1", edge: { ...ends, type, ...time, chunks: Number(times) } };
  });
  const order = rows.toSorted(
    (a, b) => a.other - b.other || Number(a.edge.type > b.edge.type) - Number(a.edge.type < b.edge.type),
  );
  return {
    rows: order.flatMap(({ may, edge }) => (may ? [edge] : [])),
    walked: chunksOf(rows.map(({ edge }) => edge)),
  };
}

/** Groups edges between nodes into edges between their entities. */
async function joinByEntity(
  db: Database,
  projectId: string,
  nodeEdges: readonly NodeEdge[],
): Promise<readonly Edge[]> {
  const rows = await selectIn<{ node_id: number; entity_id: number; name_key: string; type: string }>(
    db,
    nodeEdges.flatMap(({ source, target }) => [source, target]),
    (list) => sql`select node_id, entity_id, name_key, type from entities
      where project_id = ${projectId} and node_id in (${list})`,
  );
  const nodes = new Map(rows.map((row) => [row.node_id, row]));
  const ends = nodeEdges.flatMap((edge) => {
    const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
    if (source === undefined || target === undefined) return [];
    const name = [source.name_key, edge.type, target.name_key, source.type, target.type].join("\n");
    return [{ edge, name, source: source.entity_id, target: target.entity_id }];
  });
  const groups = Map.groupBy(ends, ({ source, target, edge }) => keyOfEdge(source, target, edge.type));
  return [...groups.values()].map((group) => {
    const first = group.reduce((least, next) => (next.name < least.name ? next : least));
    const chunks = group.reduce((sum, { edge }) => sum + edge.chunks, 0);
    const { source, target, name, edge } = first;
    return { source, target, type: edge.type, chunks, name, parts: group.map((part) => part.edge) };
  });
}

/** Keyed by the `name` of the edges. */
async function readPlaces(
  db: Database,
  { projectId, within, asOf = null }: { projectId: string; asOf?: Moment | null } & PlaceOptions,
  edges: readonly Edge[],
): Promise<ReadonlyMap<string, readonly RelationshipPlace[]>> {
  if (within === undefined) {
    const sentences = await readSurestSentences(db, {
      projectId,
      groups: edges.map(({ parts }) => parts),
      asOf,
    });
    return new Map(edges.map((edge, at) => [edge.name, sentences[at] ?? []]));
  }
  const parts = edges.flatMap((edge) => edge.parts);
  const places = await readRelationshipPlacesIn(db, projectId, { edges: parts, within, asOf });
  const ofEdge = (edge: Edge) =>
    edge.parts.flatMap((part) => places.get(keyOfEdge(part.source, part.target, part.type)) ?? []);
  return new Map(edges.map((edge) => [edge.name, surestSentences(ofEdge(edge))]));
}
