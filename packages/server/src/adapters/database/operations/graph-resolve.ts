/**
 * Which names are one entity: the connected components of the nodes, over joins that texts state or that a rule supposes. A
 * node with many joins of one origin is an ambiguous name, and none of those joins counts. Nothing but the live nodes
 * and joins decides, so whatever joined two entities parts them again when it goes.
 */
import { type RawBuilder, sql } from "kysely";
import type { JoinOrigin } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { readMembers } from "./graph-nodes.ts";
import { selectIn } from "./graph-sql.ts";

/** Joins to so many live nodes still count: other forms of one name are few. */
const maxJoins: Readonly<Record<JoinOrigin, number>> = { text: 12, rule: 4 };

/** A node that belongs to another entity now. */
export interface Move {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

/** Of these nodes those that have joins, and what they are joined to. */
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
 * Computes the entities around these nodes anew: all ends of joins that came or went, and all nodes that came or went and
 * have joins, with their partners, so that each part into which an entity falls has one of them. Costs what the entities around are
 * large, whatever the graph.
 */
export async function resolveEntities(db: Database, changed: readonly number[]): Promise<readonly Move[]> {
  if (changed.length === 0) return [];
  const partners = await readJoins(db, changed);
  const members = await readAround(db, [...changed, ...[...partners.values()].flat()]);
  const joins = await readJoins(db, [...members.keys()]);
  const leasts = leastOfComponents([...members.keys()], (node) =>
    [...joinsOf(joins, node)].flatMap(({ other, origin }) =>
      joins.get(keyOf(other, origin))?.includes(node) === true ? [other] : [],
    ),
  );
  const moves = [...members].flatMap(([node, from]) => {
    const to = leasts.get(node) ?? node;
    return to === from ? [] : [{ node, from, to }];
  });
  for (const [least, moved] of Map.groupBy(moves, ({ to }) => to)) {
    await selectIn(
      db,
      moved.map(({ node }) => node),
      (list) => sql`update entities set entity_id = ${least} where node_id in (${list})`,
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

/** The live nodes that each is joined to, by `keyOf` node and origin; those with too many are left out. */
async function readJoins(
  db: Database,
  nodes: readonly number[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  // Counted first, so that a name with thousands of joins is not read.
  const few = await selectIn<{ node: number; origin: JoinOrigin }>(
    db,
    nodes,
    (list) => sql`select node, origin from (${liveJoins(list, null)}) as j
      group by node, origin
      having count(*) <= case origin when 'text' then ${sql.lit(maxJoins.text)} else ${sql.lit(maxJoins.rule)} end`,
  );
  const joins = new Map<string, number[]>();
  for (const origin of origins) {
    const counted = few.filter((row) => row.origin === origin).map((row) => row.node);
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
 * All nodes of the entities that the given ones belong to, with the entity of each. One after which its entity was called and
 * which has gone is among them: no join that counts leads to it.
 */
async function readAround(db: Database, nodes: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await selectIn<{ node_id: number; entity_id: number }>(
    db,
    nodes,
    (list) =>
      sql`select node_id, entity_id from entities where node_id in (${list}) and entity_id is not null`,
  );
  const around = new Map<number, number>();
  const live = await readMembers(
    db,
    rows.map((row) => row.entity_id),
  );
  for (const [entityId, members] of live) for (const node of members) around.set(node, entityId);
  return around;
}

/** The least node of each node's connected component. */
function leastOfComponents(
  nodes: readonly number[],
  neighboursOf: (node: number) => readonly number[],
): ReadonlyMap<number, number> {
  const leasts = new Map<number, number>();
  // In ascending order, so that whoever reaches a node first is the least of its component.
  for (const least of nodes.toSorted((a, b) => a - b)) {
    if (leasts.has(least)) continue;
    const queue = [least];
    leasts.set(least, least);
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const other of neighboursOf(next)) {
        if (leasts.has(other)) continue;
        leasts.set(other, least);
        queue.push(other);
      }
    }
  }
  return leasts;
}
