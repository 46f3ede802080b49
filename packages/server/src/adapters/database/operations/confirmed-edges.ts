/** Relationships that people have confirmed or added: they come before all others. */
import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { confidenceUnits } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import type { NodeEdge } from "./graph-quotes.ts";
import { type Row, selectFor } from "./graph-sql.ts";

/** The keys (`keyOfEdge`) of those among the edges. */
export async function findConfirmed(
  db: Database,
  projectId: string,
  edges: readonly NodeEdge[],
): Promise<ReadonlySet<string>> {
  if (edges.length === 0) return new Set();
  const some = await db
    .selectFrom("corrections")
    .select("seq")
    .where("project_id", "=", projectId)
    .where("kind", "in", ["confirm", "add_relationship"])
    .limit(1)
    .executeTakeFirst();
  if (some === undefined) return new Set();
  const rows = await selectFor<{ source_node: number; target_node: number; type: string }>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: edges.map(({ source, target, type }): Row => [source, target, type]),
    query: sql`select k.source_node, k.target_node, k.type from keys as k
      where exists (select 1 from relationship_places as r
        where r.project_id = ${projectId} and r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type
          and r.confidence > ${sql.lit(confidenceUnits)})`,
  });
  return new Set(rows.map((row) => keyOfEdge(row.source_node, row.target_node, row.type)));
}
