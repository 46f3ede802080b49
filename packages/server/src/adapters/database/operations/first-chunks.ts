/** The first chunks of a few names together. */
import { type RawBuilder, sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { Database } from "../schema.ts";
import { isPresent, type Row, selectFor } from "./graph-sql.ts";

/** Separators of rows and columns in an aggregated list of numbers. */
const rowEnd = ",";
const columnEnd = ":";
const { lit } = sql;

/**
 * The first chunks (by version and position) that support any of these nodes, each once. Of each node only as many are read as
 * are returned: a frequent name has a row for each chunk of its project. `condition` is on its places `p`.
 */
export async function readFirstChunks(
  db: Database,
  projectId: string,
  { nodes, limit, condition }: { nodes: readonly number[]; limit: number; condition: RawBuilder<unknown> },
): Promise<readonly ChunkKey[]> {
  const rows = await selectFor<{ places: string | null }>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.map((node): Row => [node]),
    query: sql`select (select string_agg(version_id || ${lit(columnEnd)} || position, ${lit(rowEnd)}) from (
        select version_id, position from entity_places as p
        where p.project_id = ${projectId} and p.node_id = k.node_id and ${condition} and ${isPresent(projectId, "p.version_id")}
        order by version_id, position limit ${limit}) as first) as places
      from keys as k where k.node_id is not null`,
  });
  const places = new Set(rows.flatMap((row) => row.places?.split(rowEnd) ?? []));
  return [...places]
    .map((place) => {
      const [versionId = 0, position = 0] = place.split(columnEnd).map(Number);
      return { versionId, position };
    })
    .sort((a, b) => a.versionId - b.versionId || a.position - b.position)
    .slice(0, limit);
}
