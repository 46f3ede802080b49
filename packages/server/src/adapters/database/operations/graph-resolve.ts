/**
 * Decides which nodes form one entity: the connected components over joins, which texts state or a rule
 * infers. A node with too many joins of one origin is an ambiguous name, and none of those joins counts. The
 * result depends only on the live nodes and joins, so entities separate again when the evidence that joined
 * them is removed.
 */
import { type RawBuilder, sql } from "kysely";
import { UNTYPED } from "../../../domain/graph.ts";
import type { JoinReason } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { readMembers } from "./graph-nodes.ts";
import { selectIn } from "./graph-sql.ts";

/** Joins count for nodes with at most this number of live partners: a name has few other forms. */
const maxJoins: Readonly<Record<JoinReason, number>> = { text: 12, rule: 4, untyped: 1 };

/** A node that changed its entity. */
export interface Move {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

/** The nodes that have joins, and the nodes that they are joined to; also of nodes that are no longer live. */
export async function findPartners(db: Database, nodes: Iterable<number>): Promise<readonly number[]> {
  const rows = await selectIn<{ node_a: number; node_b: number }>(
    db,
    nodes,
    (list) => sql`select node_a, node_b from entity_joins where node_a in (${list})
      union all select node_a, node_b from entity_joins where node_b in (${list})
      union all select node as node_a, other as node_b from (${untypedJoins(list)}) as u`,
  );
  return [...new Set(rows.flatMap((row) => [row.node_a, row.node_b]))];
}

/**
 * Recomputes the entities of the given nodes and their partners. `changed` must contain all ends of joins
 * that were created or deleted, and all nodes with joins that became live or are no longer live, with their
 * partners: then every part into which an entity splits contains at least one of them. The cost depends on
 * the size of these entities, not on the size of the graph.
 */
export async function resolveEntities(db: Database, changed: readonly number[]): Promise<readonly Move[]> {
  if (changed.length === 0) return [];
  const partners = await readJoins(db, changed);
  const members = await readEntityNodes(db, [...changed, ...[...partners.values()].flat()]);
  const joins = await readJoins(db, [...members.keys()]);
  const nodes = [...members.keys()].sort((a, b) => untyped(members, a) - untyped(members, b) || a - b);
  const neighbours = (origins: readonly JoinReason[]) => (node: number) =>
    [...joinsOf(joins, node, origins)].flatMap(({ other, origin }) =>
      joins.get(keyOf(other, origin))?.includes(node) === true ? [other] : [],
    );
  const first = new Map(firstOfComponents(nodes, neighbours(origins)));
  // Names without a type that a text calls the same would join the different types of these names.
  for (const [, component] of Map.groupBy(nodes, (node) => first.get(node))) {
    const types = new Set(
      component.map((node) => members.get(node)?.type).filter((type) => type !== UNTYPED),
    );
    if (types.size < 2) continue;
    for (const [node, to] of firstOfComponents(component, neighbours(["text", "rule"]))) first.set(node, to);
  }
  const moves = [...members].flatMap(([node, { entityId: from }]) => {
    const to = first.get(node) ?? node;
    return to === from ? [] : [{ node, from, to }];
  });
  for (const [entityId, moved] of Map.groupBy(moves, ({ to }) => to)) {
    await selectIn(
      db,
      moved.map(({ node }) => node),
      (list) => sql`update entities set entity_id = ${entityId} where node_id in (${list})`,
    );
  }
  return moves;
}

const origins: readonly JoinReason[] = ["text", "rule", "untyped"];

function keyOf(node: number, origin: JoinReason): string {
  return `${node} ${origin}`;
}

const untyped = (members: ReadonlyMap<number, Member>, node: number) =>
  members.get(node)?.type === UNTYPED ? 1 : 0;

function* joinsOf(
  joins: ReadonlyMap<string, readonly number[]>,
  node: number,
  origins: readonly JoinReason[],
) {
  for (const origin of origins) {
    for (const other of joins.get(keyOf(node, origin)) ?? []) yield { other, origin };
  }
}

/**
 * The live nodes that each node is joined to, keyed by `keyOf`. Nodes with too many joins of an origin are
 * omitted.
 */
async function readJoins(
  db: Database,
  nodes: readonly number[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  // Counts first, so that the thousands of joins of an ambiguous name are not read.
  const unambiguous = await selectIn<{ node: number; origin: JoinReason }>(
    db,
    nodes,
    (list) => sql`select node, origin from (${liveJoins(list, null)}) as j
      group by node, origin
      having count(*) <= case origin when 'text' then ${sql.lit(maxJoins.text)} when 'rule' then ${sql.lit(maxJoins.rule)}
        else ${sql.lit(maxJoins.untyped)} end`,
  );
  const joins = new Map<string, number[]>();
  for (const origin of origins) {
    const counted = unambiguous.filter((row) => row.origin === origin).map((row) => row.node);
    const rows = await selectIn<{ node: number; other: number }>(db, counted, (list) =>
      liveJoins(list, origin),
    );
    for (const { node, other } of rows) {
      const others = joins.get(keyOf(node, origin)) ?? [];
      joins.set(keyOf(node, origin), others);
      others.push(other);
    }
  }
  return joins;
}

function liveJoins(list: RawBuilder<unknown>, origin: JoinReason | null) {
  if (origin === "untyped") return untypedJoins(list);
  const ofOrigin = origin === null ? sql`` : sql`and j.origin = ${origin}`;
  const untyped = origin === null ? sql`union all ${untypedJoins(list)}` : sql``;
  return sql`
    select j.node_a as node, j.node_b as other, j.origin from entity_joins as j
    cross join entities as e
    where e.node_id = j.node_b and e.entity_id is not null and j.node_a in (${list}) ${ofOrigin}
    union all
    select j.node_b, j.node_a, j.origin from entity_joins as j
    cross join entities as e
    where e.node_id = j.node_a and e.entity_id is not null and j.node_b in (${list}) ${ofOrigin} ${untyped}`;
}

/** The live nodes of the listed ones' names that have a type where the listed one has none, and the other way round. */
function untypedJoins(list: RawBuilder<unknown>) {
  return sql`
    select a.node_id as node, b.node_id as other, 'untyped' as origin from entities as a
    cross join projects as p
    cross join entities as b
    where a.node_id in (${list}) and p.project_id = a.project_id and p.ontology_id is null
      and b.project_id = a.project_id and b.name_key = a.name_key and b.entity_id is not null
      and (a.type = ${sql.lit(UNTYPED)}) <> (b.type = ${sql.lit(UNTYPED)})`;
}

interface Member {
  readonly entityId: number;
  readonly type: string;
}

/**
 * All nodes of the entities that the given nodes belong to. This includes the node whose number an entity has
 * even if that node is no longer live; no join that counts leads to it.
 */
async function readEntityNodes(db: Database, nodes: readonly number[]): Promise<ReadonlyMap<number, Member>> {
  const rows = await selectIn<{ node_id: number; entity_id: number }>(
    db,
    nodes,
    (list) =>
      sql`select node_id, entity_id from entities where node_id in (${list}) and entity_id is not null`,
  );
  const entityOfNode = new Map<number, number>();
  const entities = await readMembers(
    db,
    rows.map((row) => row.entity_id),
  );
  for (const [entityId, members] of entities) for (const node of members) entityOfNode.set(node, entityId);
  const types = await selectIn<{ node_id: number; type: string }>(
    db,
    entityOfNode.keys(),
    (list) => sql`select node_id, type from entities where node_id in (${list})`,
  );
  return new Map(
    types.map(({ node_id: node, type }) => [node, { entityId: entityOfNode.get(node) ?? node, type }]),
  );
}

/** Maps each node to the node of its connected component that comes first in `nodes`. */
function firstOfComponents(
  nodes: readonly number[],
  neighboursOf: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const firstOf = new Map<number, number>();
  for (const first of nodes) {
    if (firstOf.has(first)) continue;
    const stack = [first];
    firstOf.set(first, first);
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      for (const other of neighboursOf(next)) {
        if (firstOf.has(other)) continue;
        firstOf.set(other, first);
        stack.push(other);
      }
    }
  }
  return firstOf;
}
