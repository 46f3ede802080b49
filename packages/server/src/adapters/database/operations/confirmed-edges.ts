/** Relationships that people have confirmed or added: they come before all others. */
import { sql } from "kysely";
import type { Moment, Validity } from "../../../domain/validity.ts";
import type { Database } from "../schema.ts";
import { statedVersion } from "./correction-additions.ts";
import { mayHold } from "./edge-times.ts";
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

/**
 * The times that people gave to each of the relationships that they added, those of the last addition that holds then. null: none, or that one
 * has no times.
 */
export async function readAddedTimes(
  db: Database,
  { projectId, asOf }: { readonly projectId: string; readonly asOf: Moment | null },
  groups: readonly (readonly NodeEdge[])[],
): Promise<readonly (Validity | null)[]> {
  const edges = groups.flat();
  if (edges.length === 0) return groups.map(() => null);
  // A scalar subquery, which PostgreSQL never joins in another order; it begins with the primary key.
  const rows = await selectFor<NodeEdge & { readonly told: string | null }>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: edges.map(({ source, target, type }): Row => [source, target, type]),
    query: sql`select k.source_node as source, k.target_node as target, k.type, (
        select coalesce(r.valid_from, '') || ' ' || coalesce(r.valid_to, '') || ' ' || r.position
        from relationship_places as r
        where r.project_id = ${projectId} and r.source_node = k.source_node and r.target_node = k.target_node
          and r.type = k.type and r.version_id = ${sql.lit(statedVersion)} and ${mayHold("r", asOf)}
        order by r.position desc limit 1) as told
      from keys as k where k.source_node is not null`,
  });
  const added = new Map(
    rows.flatMap(({ source, target, type, told }) =>
      told === null ? [] : [[keyOfEdge(source, target, type), parseAdded(told)] as const],
    ),
  );
  return groups.map((group) => {
    const own = group.flatMap((edge) => added.get(keyOfEdge(edge.source, edge.target, edge.type)) ?? []);
    const times = own.toSorted((a, b) => b.position - a.position)[0]?.times ?? null;
    return times?.validFrom == null && times?.validTo == null ? null : times;
  });
}

function parseAdded(told: string): { readonly times: Validity; readonly position: number } {
  const [from = "", to = "", position] = told.split(" ");
  return { times: { validFrom: from || null, validTo: to || null }, position: Number(position) };
}
