import { sql } from "kysely";
import { writeAllowedProperties } from "../../../domain/ontology/allowed-properties.ts";
import type { Database } from "../schema.ts";
import { fillFromSchemas } from "./031-allowed-facts.ts";
import type { Migration } from "./migration.ts";

/** The properties that each version of an ontology has, to be searched without being read. An older process would leave those of an earlier version. */
export const allowedProperties: Migration = {
  number: 38,
  name: "allowed-properties",
  oldest: 38,
  statements: ({ text }) =>
    ["ontologies", "ontology_versions"].map(
      (table) =>
        sql`alter table ${sql.table(table)} add column allowed_properties ${text} not null default ''`,
    ),
  fill: fillAllowedProperties,
};

/** May be repeated. */
async function fillAllowedProperties(db: Database): Promise<void> {
  await fillFromSchemas(db, { column: "allowed_properties", write: writeAllowedProperties });
  // What people have added before is in the graph also where the ontology has no such property.
  await sql`insert into outdated_facts (project_id, version_id, position)
    select project_id, 0, seq from corrections where kind = 'add_property' on conflict do nothing`.execute(
    db,
  );
}
