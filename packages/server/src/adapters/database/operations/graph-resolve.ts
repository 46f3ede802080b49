/**
 * Which names are one entity: the connected components of the nodes, over joins that texts state or that a rule supposes. A
 * node with many joins of one origin is an ambiguous name, and none of those joins counts. Nothing but the live nodes
 * and joins decides, so whatever joined two entities parts them again when it goes.
 */
import { sql } from "kysely";
import type { JoinOrigin } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";

/** Joins to so many live nodes still count: other forms of one name are few. */
const maxJoins: Readonly<Record<JoinOrigin, number>> = { text: 12, rule: 4 };
const maxListed = 512;

interface Part {
  readonly projectId: string;
  readonly versionId: number;
  readonly from: number;
}

/**
 * The nodes whose joins may count otherwise with the part than without it: those that it joins, those that no other chunk
 * has, and those joined to the latter. To be asked while the part is in the graph.
 */
export async function findJoined(db: Database, part: Part): Promise<readonly string[]> {
  const within = sql`project_id = ${part.projectId} and version_id = ${part.versionId} and position >= ${part.from}`;
  // A row that counts no more chunks than the part has is not there without it.
  const joins = await sql<{ node_a: string; node_b: string }>`
    select j.node_a, j.node_b from
      (select node_a, node_b, origin, count(*) as times from join_evidence where ${within}
        group by node_a, node_b, origin) as c
      cross join entity_joins as j
      where j.project_id = ${part.projectId} and j.node_a = c.node_a and j.node_b = c.node_b
        and j.origin = c.origin and j.chunks = c.times`.execute(db);
  const entities = await sql<{ node: string }>`
    select e.node_id as node from
      (select node_id, count(*) as times from chunk_entities where ${within} group by node_id) as c
      cross join entities as e
      where e.project_id = ${part.projectId} and e.node_id = c.node_id and e.chunks = c.times
        and (exists (select 1 from entity_joins as j where j.project_id = e.project_id and j.node_a = e.node_id)
          or exists (select 1 from entity_joins as j where j.project_id = e.project_id and j.node_b = e.node_id))`.execute(
    db,
  );
  const own = entities.rows.map((row) => row.node);
  const nodes = new Set([...own, ...joins.rows.flatMap((row) => [row.node_a, row.node_b])]);
  for (const list of partsOf(own, maxListed)) {
    const partners = await sql<{ node: string }>`
      select node_b as node from entity_joins where project_id = ${part.projectId} and node_a in (${sql.join(padded(list))})
      union select node_a from entity_joins where project_id = ${part.projectId} and node_b in (${sql.join(padded(list))})`.execute(
      db,
    );
    for (const row of partners.rows) nodes.add(row.node);
  }
  return [...nodes];
}

/**
 * Computes the entities around these nodes anew: as `findJoined` gave them, so that each part into which an entity falls has
 * one of them. Costs what the entities around are large, whatever the graph.
 */
export async function resolveEntities(
  db: Database,
  projectId: string,
  changed: readonly string[],
): Promise<void> {
  if (changed.length === 0) return;
  const partners = await readJoins(db, projectId, changed);
  const around = new Set([...changed, ...[...partners.values()].flat()]);
  const members = await readMembers(db, projectId, [...around]);
  const joins = await readJoins(db, projectId, [...members.keys()]);
  const leasts = leastOfComponents([...members.keys()], (node) =>
    [...joinsOf(joins, node)].flatMap(({ other, origin }) =>
      joins.get(keyOf(other, origin))?.includes(node) === true ? [other] : [],
    ),
  );
  const moved = [...members].filter(([node, entityId]) => leasts.get(node) !== entityId);
  for (const [least, nodes] of Map.groupBy(moved, ([node]) => leasts.get(node) ?? node)) {
    for (const list of partsOf(nodes, maxListed)) {
      await db
        .updateTable("entities")
        .set({ entity_id: least })
        .where("project_id", "=", projectId)
        .where("node_id", "in", padded(list.map(([node]) => node)))
        .execute();
    }
  }
}

const origins: readonly JoinOrigin[] = ["text", "rule"];

function keyOf(node: string, origin: JoinOrigin): string {
  return `${node} ${origin}`;
}

function* joinsOf(joins: ReadonlyMap<string, readonly string[]>, node: string) {
  for (const origin of origins) {
    for (const other of joins.get(keyOf(node, origin)) ?? []) yield { other, origin };
  }
}

/** The live nodes that each is joined to, by `keyOf` node and origin; those with too many are left out. */
async function readJoins(
  db: Database,
  projectId: string,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const joins = new Map<string, string[]>();
  for (const origin of origins) {
    for (const list of partsOf(nodes, maxListed)) {
      // Counted first, so that a name with thousands of joins is not read.
      const few = await sql<{ node: string }>`
        select node from (${liveJoins(projectId, origin, list)}) as j
        group by node having count(*) <= ${maxJoins[origin]}`.execute(db);
      if (few.rows.length === 0) continue;
      const names = few.rows.map((row) => row.node);
      const { rows } = await sql<{
        node: string;
        other: string;
      }>`${liveJoins(projectId, origin, names)}`.execute(db);
      for (const { node, other } of rows) {
        const others = joins.get(keyOf(node, origin)) ?? [];
        joins.set(keyOf(node, origin), others);
        others.push(other);
      }
    }
  }
  return joins;
}

function liveJoins(projectId: string, origin: JoinOrigin, nodes: readonly string[]) {
  const list = sql.join(padded(nodes));
  return sql`
    select j.node_a as node, j.node_b as other from entity_joins as j
    cross join entities as e
    where e.project_id = j.project_id and e.node_id = j.node_b
      and j.project_id = ${projectId} and j.origin = ${origin} and j.node_a in (${list})
    union all
    select j.node_b, j.node_a from entity_joins as j
    cross join entities as e
    where e.project_id = j.project_id and e.node_id = j.node_a
      and j.project_id = ${projectId} and j.origin = ${origin} and j.node_b in (${list})`;
}

/** All nodes of the entities that the given ones belong to, with the entity of each. */
async function readMembers(
  db: Database,
  projectId: string,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const entityIds = new Set<string>();
  for (const list of partsOf(nodes, maxListed)) {
    const rows = await db
      .selectFrom("entities")
      .select("entity_id")
      .where("project_id", "=", projectId)
      .where("node_id", "in", padded(list))
      .execute();
    for (const row of rows) entityIds.add(row.entity_id);
  }
  const members = new Map<string, string>();
  for (const list of partsOf([...entityIds], maxListed)) {
    const rows = await db
      .selectFrom("entities")
      .select(["node_id", "entity_id"])
      .where("project_id", "=", projectId)
      .where("entity_id", "in", padded(list))
      .execute();
    for (const row of rows) members.set(row.node_id, row.entity_id);
  }
  return members;
}

/** The least node of each node's connected component. */
function leastOfComponents(
  nodes: readonly string[],
  neighboursOf: (node: string) => readonly string[],
): ReadonlyMap<string, string> {
  const leasts = new Map<string, string>();
  // In ascending order, so that whoever reaches a node first is the least of its component.
  for (const least of nodes.toSorted()) {
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
