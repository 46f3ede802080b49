/** Nodes: names with their types, known by numbers. A node is live while a chunk of a live version contributes to it. */
import { sql } from "kysely";
import type { EntityKey } from "../../../domain/graph.ts";
import type { Database } from "../schema.ts";
import type { FactsOfChunk } from "./graph-evidence.ts";
import { nameOf } from "./graph-facts.ts";
import { insertAll, type Row, selectFor, selectIn } from "./graph-sql.ts";

export interface Node extends EntityKey {
  readonly nodeId: number;
  /** null: it is not live. */
  readonly entityId: number | null;
}

interface NodeRow {
  readonly node_id: number;
  readonly type: string;
  readonly name_key: string;
  readonly entity_id: number | null;
}

/** A chunk whose nodes are known. */
export interface NumberedChunk extends FactsOfChunk {
  /** Of `facts.nodes`. */
  readonly ids: readonly number[];
}

/** By number. */
export type Nodes = ReadonlyMap<number, Node>;

/** The nodes of all these chunks, in the order of the chunks, made where they are missing, and not live as yet. */
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
  const missing = [...keys].flatMap(([name, [key, type]]) =>
    nodes.has(name) ? [] : [[projectId, type, key] as Row],
  );
  add(
    await insertAll<NodeRow>(db, {
      table: "entities",
      columns: { project_id: "text", type: "text", name_key: "text" },
      rows: missing,
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

function toNode(row: NodeRow): Node {
  return { nodeId: row.node_id, type: row.type, key: row.name_key, entityId: row.entity_id };
}

/** Those of the nodes that chunks contribute to. */
export async function findSupported(db: Database, nodes: Iterable<number>): Promise<ReadonlySet<number>> {
  const rows = await selectIn<{ node_id: number }>(
    db,
    nodes,
    (list) => sql`select e.node_id from entities as e where e.node_id in (${list})
      and exists (select 1 from entity_places as p where p.node_id = e.node_id)`,
  );
  return new Set(rows.map((row) => row.node_id));
}

/** Each becomes an entity of its own, or none. */
export async function setLive(db: Database, nodes: Iterable<number>, isLive: boolean): Promise<void> {
  const entityId = isLive ? sql`node_id` : sql`null`;
  await selectIn(
    db,
    nodes,
    (list) => sql`update entities set entity_id = ${entityId} where node_id in (${list})`,
  );
}

/** Removes those of the nodes that are neither live nor named by any join. */
export async function removeUnused(db: Database, nodes: Iterable<number>): Promise<void> {
  await selectIn(
    db,
    nodes,
    (list) => sql`delete from entities where node_id in (${list}) and entity_id is null
      and not exists (select 1 from entity_joins as j where j.node_a = entities.node_id)
      and not exists (select 1 from entity_joins as j where j.node_b = entities.node_id)`,
  );
}

/** The nodes of each entity. */
export async function readMembers(
  db: Database,
  entityIds: Iterable<number>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const ids = new Set(entityIds);
  // An entity's own node is one of them. The condition is that of the index.
  const rows = await selectIn<{ node_id: number; entity_id: number }>(
    db,
    ids,
    (list) => sql`select node_id, entity_id from entities
      where entity_id in (${list}) and entity_id <> node_id`,
  );
  const members = new Map([...ids].map((id) => [id, [id]]));
  for (const row of rows) members.get(row.entity_id)?.push(row.node_id);
  return members;
}
