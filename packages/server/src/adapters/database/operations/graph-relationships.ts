/**
 * Relationships between entities, with the sentences that state them. graph-ledger.ts explains `cross join`.
 */
import { sql } from "kysely";
import type { Moment } from "../../../domain/validity.ts";
import type { PlaceOptions, Relationship, RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { findConfirmed } from "./confirmed-edges.ts";
import { readSurestSentences } from "./edge-quotes.ts";
import { findHeld, mayHold, type Timed, timeColumns, timeNames } from "./edge-times.ts";
import { toNumbers } from "./graph-entities.ts";
import { memberType } from "./graph-facts.ts";
import { readMembers } from "./graph-nodes.ts";
import { keyOfEdge } from "./graph-places.ts";
import { readRelationshipPlacesIn, surestSentences } from "./graph-quotes.ts";
import { isOf, type Row, selectFor, selectIn } from "./graph-sql.ts";

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
  const read = { nodes, limit: input.limit * nodeEdgesPerResult, asOf: input.asOf ?? null };
  const { edges: nodeEdges, confirmed } = await readEdges(db, input.projectId, read);
  const edges = await joinByEntity(db, nodeEdges);
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
  return best.map((edge) => {
    const { type, source, target, chunks } = edge;
    const evidence = places?.get(edge.name) ?? [];
    const by = { isConfirmed: isConfirmed(edge) };
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
  const own = await selectIn<{ node_id: number }>(
    db,
    ids,
    (list) => sql`select node_id from entities
      where node_id in (${list}) and entity_id = node_id and ${isOf(projectId)}`,
  );
  const members = await readMembers(
    db,
    own.map((row) => row.node_id),
  );
  return new Map([...members].flatMap(([entity, nodes]) => nodes.map((node) => [node, entity] as const)));
}

/** All edges between the nodes, then the best other edges of the nodes; and the keys of those that people have confirmed. */
async function readEdges(
  db: Database,
  projectId: string,
  { nodes, limit, asOf }: { nodes: readonly number[]; limit: number; asOf: Moment | null },
): Promise<{ readonly edges: readonly NodeEdge[]; readonly confirmed: ReadonlySet<string> }> {
  const between = await readBetween(db, nodes.slice(0, maxPaired), asOf);
  const remaining = limit - between.length;
  if (remaining <= 0) return { edges: between, confirmed: await findConfirmed(db, projectId, between) };
  const known = new Set(between.map((edge) => keyOfEdge(edge.source, edge.target, edge.type)));
  const around = new Map<string, NodeEdge>();
  for (const edge of await readAround(db, nodes, asOf)) {
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
  nodes: readonly number[],
  asOf: Moment | null,
): Promise<readonly NodeEdge[]> {
  const rows = await selectFor<TimedEdge>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select source, target, type, ${timeNames}, count(*) as chunks from (
        select r.source_node as source, r.target_node as target, r.type, ${timeColumns("r", asOf)} from (
          select r.* from keys as s
          cross join keys as t
          cross join relationship_places as r
          where r.source_node = s.node_id and r.target_node = t.node_id and r.type <> ${lit(memberType)}
          limit ${lit(asOf === null ? maxBetween : maxWalkedBetween)}) as r
        where ${mayHold("r", asOf)}) as pairs
      group by source, target, type, ${timeNames} order by source, target, type`,
  });
  const { held } = await findHeld(db, rows, asOf, maxDecided);
  return firstChunks(held, maxBetween);
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
  nodes: readonly number[],
  asOf: Moment | null,
): Promise<readonly NodeEdge[]> {
  const most = Math.max(maxAround, Math.min(maxWalkedAround, Math.floor(maxWalkedInAll / nodes.length)));
  const edges: NodeEdge[] = [];
  for (const own of ["source", "target"] as const) {
    const held = new Map<number, readonly TimedEdge[]>();
    let left = nodes;
    // Most names have enough that hold among the first.
    for (const walked of asOf === null || most === maxAround ? [maxAround] : [maxAround, most]) {
      const lists = await readLists(db, left, { own, asOf, walked });
      const statements = [...lists.values()].flatMap(({ rows }) => rows);
      const found = await findHeld(db, statements, asOf, maxDecided);
      const byNode = Map.groupBy(found.held, (statement) => statement[own]);
      for (const node of left) held.set(node, byNode.get(node) ?? []);
      left = left.filter(
        (node) => lists.get(node)?.walked === walked && chunksOf(held.get(node) ?? []) < maxAround,
      );
      if (left.length === 0) break;
    }
    for (const statements of held.values()) edges.push(...firstChunks(statements, maxAround));
  }
  return edges;
}

function chunksOf(edges: readonly NodeEdge[]): number {
  return edges.reduce((sum, { chunks }) => sum + chunks, 0);
}

/** The statements in the first places of each node that may hold then. The database aggregates them into one list per node. */
async function readLists(
  db: Database,
  nodes: readonly number[],
  { own, asOf, walked }: { own: "source" | "target"; asOf: Moment | null; walked: number },
): Promise<ReadonlyMap<number, { readonly rows: readonly TimedEdge[]; readonly walked: number }>> {
  const [column, other] = own === "source" ? ["source_node", "target_node"] : ["target_node", "source_node"];
  const columns = ["other", "type", "known", "turn", "begun", "ended", "times", "may"];
  const texts = columns.map((name) => sql`coalesce(cast(${sql.ref(name)} as text), ${lit(none)})`);
  const rows = await selectFor<{ node: number; list: string | null }>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select k.node_id as node, (
      select string_agg(${sql.join(texts, sql` || ${lit(columnEnd)} || `)}, ${lit(rowEnd)}) from (
        select other, type, ${timeNames}, may, count(*) as times from (
          select ${sql.ref(`r.${other}`)} as other, r.type, ${timeColumns("r", asOf)},
            case when ${mayHold("r", asOf)} then 1 else 0 end as may
          from relationship_places as r
          where ${sql.ref(`r.${column}`)} = k.node_id and r.type <> ${lit(memberType)}
          order by ${sql.ref(`r.${other}`)}, r.type limit ${lit(walked)}) as first
        group by other, type, ${timeNames}, may) as counted) as list
      from keys as k where k.node_id is not null`,
  });
  return new Map(rows.map(({ node, list }) => [node, parseList(list, node, own)]));
}

/** Of an aggregated list, in the order of other names and types. */
function parseList(list: string | null, node: number, own: "source" | "target") {
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
async function joinByEntity(db: Database, nodeEdges: readonly NodeEdge[]): Promise<readonly Edge[]> {
  const rows = await selectIn<{ node_id: number; entity_id: number; name_key: string; type: string }>(
    db,
    nodeEdges.flatMap(({ source, target }) => [source, target]),
    (list) => sql`select node_id, entity_id, name_key, type from entities where node_id in (${list})`,
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
