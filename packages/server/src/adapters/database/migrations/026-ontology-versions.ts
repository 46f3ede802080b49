import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Earlier versions of ontologies, and which version a project is bound to. The newest version stays in `ontologies`. */
export const ontologyVersions: Migration = {
  number: 26,
  name: "ontology-versions",
  statements: ({ text, integer, end }) => [
    sql`alter table ontologies add column version ${integer} not null default 1`,
    // null: the first version, which is as old as the ontology.
    sql`alter table ontologies add column changed_at ${integer}`,
    sql`alter table projects add column ontology_version ${integer} not null default 1`,
    sql`create table ontology_versions (
      account_id ${text} not null,
      ontology_id ${text} not null,
      version ${integer} not null,
      name ${text} not null,
      created_at ${integer} not null,
      schema_json ${text} not null,
      primary key (account_id, ontology_id, version)
    ) ${end}`,
  ],
};
