/**
 * Decides which nodes form one entity: the connected components over joins, which texts state or a rule
 * infers. A node with too many joins of one origin is an ambiguous name, and none of those joins counts. The
 * result depends only on the live nodes and joins, so entities separate again when the evidence that joined
 * them is removed.
 */
import { type RawBuilder, sql } from "kysely";
import type { JoinOrigin } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { readMembers } from "./graph-nodes.ts";
import { selectIn } from "./graph-sql.ts";

/** Joins count for nodes with at most this number of live partners: a name has few other forms. */
const maxJoins: Readonly<Record<JoinOrigin, number>> = { text: 12, rule: 4 };

/** A node that changed its entity. */
export interface Move {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

/** The nodes that have joins, and the nodes that they are joined to. */
export async function findPartners(db: Database, nodes: Iterable<number>): Promise<readonly number[]> {
  const rows = await selectIn<{ node_a: number; node_b: number }>(
    db,
    nodes,
    (list) => sql`select node_a, node_b from entity_joins where node_a in (${list})
      union all select node_a, node_b from entity_joins where node_b in (${list})`,
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
  const smallest = smallestOfComponents([...members.keys()], (node) =>
    [...joinsOf(joins, node)].flatMap(({ other, origin }) =>
      joins.get(keyOf(other, origin))?.includes(node) === true ? [other] : [],
    ),
  );
  const moves = [...members].flatMap(([node, from]) => {
    const to = smallest.get(node) ?? node;
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

const origins: readonly JoinOrigin[] = ["text", "rule"];

function keyOf(node: number, origin: JoinOrigin): string {
  return `${node} ${origin}`;
}

function* joinsOf(joins: ReadonlyMap<string, readonly number[]>, node: number) {
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
  const unambiguous = await selectIn<{ node: number; origin: JoinOrigin }>(
    db,
    nodes,
    (list) => sql`select node, origin from (${liveJoins(list, null)}) as j
      group by node, origin
      having count(*) <= case origin when 'text' then ${sql.lit(maxJoins.text)} else ${sql.lit(maxJoins.rule)} end`,
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

function liveJoins(list: RawBuilder<unknown>, origin: JoinOrigin | null) {
  const ofOrigin = origin === null ? sql`` : sql`and j.origin = ${origin}`;
  return sql`
    select j.node_a as node, j.node_b as other, j.origin from entity_joins as j
    cross join entities as e
    where e.node_id = j.node_b and e.entity_id is not null and j.node_a in (${list}) ${ofOrigin}
    union all
    select j.node_b, j.node_a, j.origin from entity_joins as j
    cross join entities as e
    where e.node_id = j.node_a and e.entity_id is not null and j.node_b in (${list}) ${ofOrigin}`;
}

/**
 * Maps all nodes of the entities that the given nodes belong to, to their entity. This includes the node
 * whose number an entity has even if that node is no longer live; no join that counts leads to it.
 */
async function readEntityNodes(db: Database, nodes: readonly number[]): Promise<ReadonlyMap<number, number>> {
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
  return entityOfNode;
}

/** Maps each node to the smallest node of its connected component. */
function smallestOfComponents(
  nodes: readonly number[],
  neighboursOf: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const smallestOf = new Map<number, number>();
  // In ascending order, so that the start node that first reaches a node is the smallest of its component.
  for (const smallest of nodes.toSorted((a, b) => a - b)) {
    if (smallestOf.has(smallest)) continue;
    const stack = [smallest];
    smallestOf.set(smallest, smallest);
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      for (const other of neighboursOf(next)) {
        if (smallestOf.has(other)) continue;
        smallestOf.set(other, smallest);
        stack.push(other);
      }
    }
  }
  return smallestOf;
}
