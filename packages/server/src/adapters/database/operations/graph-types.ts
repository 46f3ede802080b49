/** Stored counts of entities and relationships by type. */
import { sql } from "kysely";
import type { GraphTypes } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { memberType } from "./graph-facts.ts";
import type { Nodes } from "./graph-nodes.ts";
import type { EdgeKey } from "./graph-places.ts";
import type { Move } from "./graph-resolve.ts";
import { insertAll, type Row, selectIn } from "./graph-sql.ts";

const maxTypes = 1_000;

interface Changes {
  readonly nodes: Nodes;
  readonly born: ReadonlySet<number>;
  readonly died: ReadonlySet<number>;
  readonly moves: readonly Move[];
  readonly newEdges: readonly EdgeKey[];
  readonly lostEdges: readonly EdgeKey[];
}

/** An entity counts under the type of the node whose number it has. */
export async function changeCounts(db: Database, projectId: string, changes: Changes): Promise<void> {
  const { nodes, born, died, moves } = changes;
  const types = new Map<number, string>();
  const steps = new Map<string, number>();
  const count = (row: readonly string[], step: number) => {
    const key = JSON.stringify(row);
    steps.set(key, (steps.get(key) ?? 0) + step);
  };
  for (const { nodeId, entityId, type } of nodes.values()) {
    types.set(nodeId, type);
    if (born.has(nodeId)) count([type], 1);
    if (died.has(nodeId) && entityId === nodeId) count([type], -1);
  }
  const ends = [...changes.newEdges, ...changes.lostEdges].flatMap(({ source, target }) => [source, target]);
  const others = [...moves.map(({ node }) => node), ...ends].filter((node) => !types.has(node));
  const read = await selectIn<{ node_id: number; type: string }>(
    db,
    others,
    (list) =>
      sql`select node_id, type from entities where project_id = ${projectId} and node_id in (${list})`,
  );
  for (const row of read) types.set(row.node_id, row.type);
  for (const { node, from, to } of moves) {
    const type = types.get(node) ?? "";
    if (from === node) count([type], -1);
    if (to === node) count([type], 1);
  }
  const countEdges = (edges: readonly EdgeKey[], step: number) => {
    for (const { source, target, type } of edges) {
      if (type !== memberType) count([type, types.get(source) ?? "", types.get(target) ?? ""], step);
    }
  };
  countEdges(changes.newEdges, 1);
  countEdges(changes.lostEdges, -1);
  await writeCounts(db, projectId, steps);
}

async function writeCounts(
  db: Database,
  projectId: string,
  steps: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = [...steps]
    .filter(([, step]) => step !== 0)
    .map(([key, step]): Row => [projectId, ...(JSON.parse(key) as string[]), step]);
  await insertAll(db, {
    table: "entity_types",
    columns: { project_id: "text", type: "text", count: "bigint" },
    rows: rows.filter((row) => row.length === 3),
    end: sql`on conflict (project_id, type) do update set count = entity_types.count + excluded.count`,
  });
  await insertAll(db, {
    table: "relationship_types",
    columns: { project_id: "text", type: "text", source_type: "text", target_type: "text", count: "bigint" },
    rows: rows.filter((row) => row.length > 3),
    end: sql`on conflict (project_id, type, source_type, target_type)
      do update set count = relationship_types.count + excluded.count`,
  });
  if (![...steps.values()].some((step) => step < 0)) return;
  for (const table of ["entity_types", "relationship_types"] as const) {
    await db.deleteFrom(table).where("project_id", "=", projectId).where("count", "=", 0).execute();
  }
}

export async function readGraphTypes(
  db: Database,
  { projectId }: { projectId: string },
): Promise<GraphTypes> {
  const entities = await sql<GraphTypes["entities"][number]>`
    select type, count from entity_types where project_id = ${projectId}
    order by count desc, type limit ${sql.lit(maxTypes)}`.execute(db);
  const relationships = await sql<{ type: string; source_type: string; target_type: string; count: number }>`
    select type, source_type, target_type, count from relationship_types where project_id = ${projectId}
    order by count desc, type, source_type, target_type limit ${sql.lit(maxTypes)}`.execute(db);
  return {
    entities: entities.rows,
    relationships: relationships.rows.map(
      ({ source_type: sourceType, target_type: targetType, type, count }) => ({
        type,
        sourceType,
        targetType,
        count,
      }),
    ),
  };
}
