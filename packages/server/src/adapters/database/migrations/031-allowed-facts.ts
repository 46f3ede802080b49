import { sql } from "kysely";
import { writeAllowedFacts } from "../../../domain/ontology/allowed-facts.ts";
import { type OntologySchema, parseOntology } from "../../../domain/ontology-schema.ts";
import type { Database } from "../schema.ts";
import type { Migration } from "./migration.ts";

/** The facts that each version of an ontology allows, in a form that is read in a few milliseconds. An older process would leave those of an earlier version. */
export const allowedFacts: Migration = {
  number: 31,
  name: "allowed-facts",
  oldest: 31,
  statements: ({ text }) =>
    ["ontologies", "ontology_versions"].map(
      (table) =>
        sql`alter table ${sql.table(table)} add column allowed_facts ${text} not null
          default '{"types":[],"edges":[]}'`,
    ),
  fill: fillAllowedFacts,
};

/** May be repeated. */
export async function fillAllowedFacts(db: Database): Promise<void> {
  await fillFromSchemas(db, {
    column: "allowed_facts",
    write: (schema) => writeAllowedFacts(schema).facts,
  });
}

/** A column of all versions of ontologies, one after another, because each may have megabytes. */
export async function fillFromSchemas(
  db: Database,
  { column, write }: { readonly column: string; readonly write: (schema: OntologySchema) => string },
): Promise<void> {
  const tables = [sql`ontologies`, sql`ontology_versions`];
  for (const table of tables) {
    let after = { account_id: "", ontology_id: "", version: 0 };
    for (;;) {
      const { rows } = await sql<typeof after & { schema_json: string }>`
        select account_id, ontology_id, version, schema_json from ${table}
        where (account_id, ontology_id, version) > (${after.account_id}, ${after.ontology_id}, ${after.version})
        order by account_id, ontology_id, version limit 1`.execute(db);
      const [row] = rows;
      if (row === undefined) break;
      await sql`update ${table} set ${sql.ref(column)} = ${write(parseOntology(row.schema_json))}
        where account_id = ${row.account_id} and ontology_id = ${row.ontology_id}
          and version = ${row.version}`.execute(db);
      after = row;
    }
  }
}
