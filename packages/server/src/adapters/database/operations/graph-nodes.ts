/**
 * Nodes: pairs of name and type, identified by numbers. A node is live while a chunk of a live version
 * supports it.
 */
import { sql } from "kysely";
import type { EntityKey } from "../../../domain/graph.ts";
import type { Database } from "../schema.ts";
import type { FactsOfChunk } from "./graph-evidence.ts";
import { nameOf } from "./graph-facts.ts";
import { insertInto, type Row, selectFor, selectIn } from "./graph-sql.ts";

export interface Node extends EntityKey {
  readonly nodeId: number;
  /** null when the node is not live. */
  readonly entityId: number | null;
}

interface NodeRow {
  readonly node_id: number;
  readonly type: string;
  readonly name_key: string;
  readonly entity_id: number | null;
}

/** A chunk whose facts refer to stored nodes. */
export interface NumberedChunk extends FactsOfChunk {
  /** Node numbers, parallel to `facts.nodes`. */
  readonly ids: readonly number[];
}

/** Keyed by node number. */
export type Nodes = ReadonlyMap<number, Node>;

/**
 * Finds the nodes of these chunks, in the order of the chunks. Creates missing ones, which are not live yet.
 */
export async function internNodes(
  db: Database,
  projectId: string,
  chunks: readonly FactsOfChunk[],
): Promise<{ readonly nodes: Nodes; readonly numbered: readonly NumberedChunk[] }> {
  const keys = new Map<string, Row>();
  const named = chunks.map((chunk) => {
    const names = chunk.facts.nodes.map(([type, key]) => nameOf({ type, key }));
    names.forEach((name, at) => {
      const [type = "", key = ""] = chunk.facts.nodes[at] ?? [];
      if (!keys.has(name)) keys.set(name, [key, type]);
    });
    return { chunk, names };
  });
  const nodes = new Map<string, Node>();
  const add = (rows: readonly NodeRow[]) => {
    for (const row of rows) nodes.set(nameOf({ type: row.type, key: row.name_key }), toNode(row));
  };
  add(
    await selectFor<NodeRow>(db, {
      columns: { name_key: "text", type: "text" },
      rows: [...keys.values()],
      query: sql`select e.node_id, e.type, e.name_key, e.entity_id from keys as k
        cross join entities as e
        where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type`,
    }),
  );
  const missing = [...keys].filter(([name]) => !nodes.has(name));
  const first = missing.length === 0 ? 0 : await takeNumbers(db, projectId, missing.length);
  const rows = missing.map(([, [key = "", type = ""]], at): Row => [first + at, type, key]);
  add(
    await insertInto<NodeRow>(db, projectId, {
      table: "entities",
      columns: { node_id: "bigint", type: "text", name_key: "text" },
      rows,
      end: sql`returning node_id, type, name_key, entity_id`,
    }),
  );
  return {
    nodes: new Map([...nodes.values()].map((node) => [node.nodeId, node])),
    numbered: named.map(({ chunk, names }) => ({
      ...chunk,
      ids: names.map((name) => nodes.get(name)?.nodeId ?? 0),
    })),
  };
}

/** The first of as many numbers, which no other node of the project has or had. */
async function takeNumbers(db: Database, projectId: string, count: number): Promise<number> {
  const { next_node_id: next } = await db
    .updateTable("projects")
    .set((eb) => ({ next_node_id: eb("next_node_id", "+", count) }))
    .where("project_id", "=", projectId)
    .returning("next_node_id")
    .executeTakeFirstOrThrow();
  return next - count;
}

function toNode(row: NodeRow): Node {
  return { nodeId: row.node_id, type: row.type, key: row.name_key, entityId: row.entity_id };
}

/** The nodes that at least one chunk supports. */
export async function findSupported(
  db: Database,
  projectId: string,
  nodes: Iterable<number>,
): Promise<ReadonlySet<number>> {
  const rows = await selectIn<{ node_id: number }>(
    db,
    nodes,
    (
      list,
    ) => sql`select e.node_id from entities as e where e.project_id = ${projectId} and e.node_id in (${list})
      and exists (select 1 from entity_places as p where p.project_id = ${projectId} and p.node_id = e.node_id)`,
  );
  return new Set(rows.map((row) => row.node_id));
}

/** Makes each node an entity of its own, or clears its entity. */
export async function setLive(
  db: Database,
  projectId: string,
  { nodes, isLive }: { readonly nodes: Iterable<number>; readonly isLive: boolean },
): Promise<void> {
  const entityId = isLive ? sql`node_id` : sql`null`;
  await selectIn(
    db,
    nodes,
    (list) => sql`update entities set entity_id = ${entityId}
      where project_id = ${projectId} and node_id in (${list})`,
  );
}

/** Deletes the nodes that are not live and occur in no join and no proposal. */
export async function removeUnused(db: Database, projectId: string, nodes: Iterable<number>): Promise<void> {
  const isEnd = (table: string, column: string) =>
    sql`exists (select 1 from ${sql.table(table)} as o
      where o.project_id = ${projectId} and ${sql.ref(`o.${column}`)} = entities.node_id)`;
  await selectIn(
    db,
    nodes,
    (
      list,
    ) => sql`delete from entities where project_id = ${projectId} and node_id in (${list}) and entity_id is null
      and not ${isEnd("entity_joins", "node_a")} and not ${isEnd("entity_joins", "node_b")}
      and not ${isEnd("proposal_places", "source_node")} and not ${isEnd("proposal_places", "target_node")}`,
  );
}

/** The numbers of names that have a node, by `nameOf`. */
export async function readNodeNumbers(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<ReadonlyMap<string, number>> {
  const distinct = new Map(names.map((name) => [nameOf(name), name]));
  const found = await selectFor<{ node_id: number; type: string; name_key: string }>(db, {
    columns: { name_key: "text", type: "text" },
    rows: [...distinct.values()].map(({ type, key }): Row => [key, type]),
    query: sql`select e.node_id, e.type, e.name_key from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type`,
  });
  return new Map(found.map((row) => [nameOf({ type: row.type, key: row.name_key }), row.node_id]));
}

/** The nodes of each entity, including its own node. */
export async function readMembers(
  db: Database,
  projectId: string,
  entityIds: Iterable<number>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const ids = new Set(entityIds);
  // The own node has the number of the entity, so it is not read. `<>` matches the condition of the partial
  // index.
  const rows = await selectIn<{ node_id: number; entity_id: number }>(
    db,
    ids,
    (list) => sql`select node_id, entity_id from entities
      where project_id = ${projectId} and entity_id in (${list}) and entity_id <> node_id`,
  );
  const members = new Map([...ids].map((id) => [id, [id]]));
  for (const row of rows) members.get(row.entity_id)?.push(row.node_id);
  return members;
}
