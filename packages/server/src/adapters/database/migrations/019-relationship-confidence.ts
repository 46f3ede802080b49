import { sql } from "kysely";
import { partsOf } from "../operations/bulk.ts";
import { type FactsOfChunk, type FactsRow, toFacts } from "../operations/graph-evidence.ts";
import { nameOf } from "../operations/graph-facts.ts";
import { type Columns, type Row, selectFor, valuesOf } from "../operations/graph-sql.ts";
import type { Database } from "../schema.ts";
import type { Migration } from "./migration.ts";

/**
 * How sure each chunk's statement of a relationship is, in thousandths. On PostgreSQL a process of the release before may still
 * insert rows without it.
 */
export const relationshipConfidence: Migration = {
  number: 19,
  name: "relationship-confidence",
  statements: ({ integer }) => [
    sql`alter table relationship_places add column confidence ${integer} not null default 0`,
  ],
  fill: fillConfidence,
};

const chunksPerStep = 200;
const rowsPerUpdate = 256;
const edgeColumns = {
  source_node: "bigint",
  target_node: "bigint",
  type: "text",
  version_id: "bigint",
  position: "bigint",
} as const satisfies Columns;

/** In many short statements: PostgreSQL cancels a long one. */
export async function fillConfidence(db: Database): Promise<void> {
  let after = { project_id: "", version_id: 0, position: 0 };
  for (;;) {
    const { rows } = await sql<FactsRow & { project_id: string }>`
      select project_id, version_id, position, facts from chunk_facts
      where (project_id, version_id, position) > (${after.project_id}, ${after.version_id}, ${after.position})
      order by project_id, version_id, position limit ${sql.lit(chunksPerStep)}`.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const [projectId, chunks] of Map.groupBy(rows, (row) => row.project_id))
      await fillChunks(db, projectId, chunks.map(toFacts));
    after = last;
  }
}

async function fillChunks(db: Database, projectId: string, chunks: readonly FactsOfChunk[]): Promise<void> {
  const nodes = await readNodes(db, projectId, chunks);
  const edges = chunks.flatMap(({ versionId, position, facts }) => {
    const numberAt = (at: number) => {
      const [type = "", key = ""] = facts.nodes[at] ?? [];
      return nodes.get(nameOf({ type, key })) ?? 0;
    };
    return facts.edges.map(([source, target, type, , , confidence]): Row => {
      return [numberAt(source), numberAt(target), type, versionId, position, confidence];
    });
  });
  for (const part of partsOf(edges, rowsPerUpdate)) await update(db, part);
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
async function update(db: Database, edges: readonly Row[]): Promise<void> {
  const key = sql.raw(Object.keys(edgeColumns).join(", "));
  const columns = { ...edgeColumns, confidence: "bigint" } as const;
  await sql`insert into relationship_places (${key}, confidence)
    with keys (${key}, confidence) as (values ${valuesOf(columns, edges)})
    select ${key}, confidence from keys as k
    where exists (select 1 from relationship_places as r
      where r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type
        and r.version_id = k.version_id and r.position = k.position)
    on conflict (${key}) do update set confidence = excluded.confidence`.execute(db);
}
