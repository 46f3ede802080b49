/** Puts the graph back to what it was before its keys had the project, where nodes were numbered across projects. */
import { type RawBuilder, sql } from "kysely";
import { graphTables } from "../../src/adapters/database/migrations/040-graph-keys.ts";
import type { Database } from "../../src/adapters/database/schema.ts";

/** More than a project of a test has. */
const PER_PROJECT = 100_000;
const NODES = /\b(?:node_\w+|entity_id|source_node|target_node)\b/g;

/** The columns of a table, with the numbers that its nodes had. `projects`: each next one has later numbers. */
export function withOldNumbers(table: string, projects: readonly string[]): RawBuilder<unknown> {
  const cases = projects.map((id, at) => sql`when ${sql.lit(id)} then ${sql.lit(at * PER_PROJECT)}`);
  const shift = sql`case project_id ${sql.join(cases, sql` `)} else 0 end`;
  const columns = (graphTables[table] ?? "").split(", ");
  return sql.join(
    columns.map((name) =>
      name.match(NODES) === null
        ? sql.ref(name)
        : sql`cast(${sql.ref(name)} + ${shift} as bigint) as ${sql.ref(name)}`,
    ),
  );
}

export async function undoGraphKeys(db: Database, projects: readonly string[]): Promise<void> {
  for (const [name, columns] of Object.entries(graphTables)) {
    const [table, old] = [sql.table(name), sql.table(`old_${name}`)];
    const own = name === "entities" ? sql`project_id, ` : sql``;
    await sql`create table ${old} as select ${own} ${withOldNumbers(name, projects)} from ${table}`.execute(
      db,
    );
    await sql`drop table ${table}`.execute(db);
    await sql`alter table ${old} rename to ${table}`.execute(db);
    const key = sql.raw(columns.split(", chunks")[0]?.split(", forms")[0]?.split(", confidence")[0] ?? "");
    await sql`create unique index ${sql.id(`old_${name}_key`)} on ${table} (${key})`.execute(db);
  }
  await sql`alter table projects drop column next_node_id`.execute(db);
  await sql`alter table projects drop column batch_seq`.execute(db);
  await sql`drop index jobs_unread_by_page`.execute(db);
  await sql`alter table jobs drop column is_page`.execute(db);
  await sql`delete from schema_migrations where number >= 40`.execute(db);
}
