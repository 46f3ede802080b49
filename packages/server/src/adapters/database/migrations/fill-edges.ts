import { sql } from "kysely";
import { partsOf } from "../operations/bulk.ts";
import { type FactsOfChunk, type FactsRow, toFacts } from "../operations/graph-evidence.ts";
import { nameOf, type StoredEdge } from "../operations/graph-facts.ts";
import { type Columns, type Row, selectFor, valuesOf } from "../operations/graph-sql.ts";
import type { Database } from "../schema.ts";

const chunksPerStep = 200;
const rowsPerUpdate = 256;
const edgeColumns = {
  source_node: "bigint",
  target_node: "bigint",
  type: "text",
  version_id: "bigint",
  position: "bigint",
} as const satisfies Columns;

/** New columns of the statements of relationships, and their values of a statement. */
export interface EdgeFill {
  readonly columns: Columns;
  readonly values: (edge: StoredEdge) => Row;
}

/**
 * Fills the columns from the facts of chunks, in many short statements: PostgreSQL cancels a long one. May be
 * repeated.
 */
export async function fillEdges(db: Database, fill: EdgeFill): Promise<void> {
  let after = { project_id: "", version_id: 0, position: 0 };
  for (;;) {
    const { rows } = await sql<FactsRow & { project_id: string }>`
      select project_id, version_id, position, facts from chunk_facts
      where (project_id, version_id, position) > (${after.project_id}, ${after.version_id}, ${after.position})
      order by project_id, version_id, position limit ${sql.lit(chunksPerStep)}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const [projectId, chunks] of Map.groupBy(rows, (row) => row.project_id))
      await fillChunks(db, { projectId, chunks: chunks.map(toFacts) }, fill);
    after = last;
  }
}

async function fillChunks(
  db: Database,
  { projectId, chunks }: { readonly projectId: string; readonly chunks: readonly FactsOfChunk[] },
  { columns, values }: EdgeFill,
): Promise<void> {
  const nodes = await readNodes(db, projectId, chunks);
  const edges = chunks.flatMap(({ versionId, position, facts }) => {
    const numberAt = (at: number) => {
      const [type = "", key = ""] = facts.nodes[at] ?? [];
      return nodes.get(nameOf({ type, key })) ?? 0;
    };
    return facts.edges.map((edge): Row => {
      const [source, target, type] = edge;
      return [numberAt(source), numberAt(target), type, versionId, position, ...values(edge)];
    });
  });
  for (const part of partsOf(edges, rowsPerUpdate)) await update(db, columns, part);
}

/** The numbers of the names in the facts, by `nameOf`. */
async function readNodes(
  db: Database,
  projectId: string,
  chunks: readonly FactsOfChunk[],
): Promise<ReadonlyMap<string, number>> {
  const names = new Map(
    chunks.flatMap(({ facts }) =>
      facts.nodes.map(([type, key]) => [nameOf({ type, key }), [type, key]] as const),
    ),
  );
  const rows = await selectFor<{ node_id: number; type: string; name_key: string }>(db, {
    columns: { type: "text", name_key: "text" },
    rows: [...names.values()],
    query: sql`select e.node_id, e.type, e.name_key from keys as k
      cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type`,
  });
  return new Map(rows.map((row) => [nameOf({ type: row.type, key: row.name_key }), row.node_id]));
}

/**
 * Only rows that are there: the facts of versions that are not live, or no longer, have none. Both databases find them by the
 * primary key; joined to the table, an update would read all of it.
 */
async function update(db: Database, filled: Columns, edges: readonly Row[]): Promise<void> {
  const key = sql.raw(Object.keys(edgeColumns).join(", "));
  const names = Object.keys(filled);
  const columns = sql.raw(names.join(", "));
  const set = sql.raw(names.map((name) => `${name} = excluded.${name}`).join(", "));
  await sql`insert into relationship_places (${key}, ${columns})
    with keys (${key}, ${columns}) as (values ${valuesOf({ ...edgeColumns, ...filled }, edges)})
    select ${key}, ${columns} from keys as k
    where exists (select 1 from relationship_places as r
      where r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type
        and r.version_id = k.version_id and r.position = k.position)
    on conflict (${key}) do update set ${set}`.execute(db);
}
