import { sql } from "kysely";
import { writeAllowedProperties } from "../../../domain/ontology/allowed-properties.ts";
import type { Database } from "../schema.ts";
import { fillFromSchemas } from "./031-allowed-facts.ts";
import type { Migration } from "./migration.ts";

const tables = ["ontologies", "ontology_versions"];

/**
 * The properties that each version of an ontology has, to be searched without being read, and of which version they are: an older process, which
 * may write until it finds the database newer, leaves those of an earlier version, or none.
 */
export const allowedProperties: Migration = {
  number: 38,
  name: "allowed-properties",
  oldest: 38,
  statements: ({ integer, text }) =>
    tables.flatMap((table) => [
      sql`alter table ${sql.table(table)} add column allowed_properties ${text} not null default ''`,
      sql`alter table ${sql.table(table)} add column properties_version ${integer}`,
    ]),
  fill: fillAllowedProperties,
};

/** May be repeated. */
async function fillAllowedProperties(db: Database): Promise<void> {
  await fillFromSchemas(db, { column: "allowed_properties", write: writeAllowedProperties });
  for (const table of tables)
    await sql`update ${sql.table(table)} set properties_version = version`.execute(db);
  // Of what people have added, properties that the ontology lacks are in the graph, and what is of an entity of a renamed type may not be.
  await sql`insert into outdated_facts (project_id, version_id, position)
    select project_id, 0, seq from corrections where kind in ('add_property', 'add_relationship') on conflict do nothing`.execute(
    db,
  );
}
