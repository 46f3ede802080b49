import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What large ingests, deletions and replacements still have to do to the graph and the stored rows. */
export const versionChanges: Migration = {
  number: 14,
  name: "version changes",
  statements: ({ text, integer, end, clustered }) => [
    sql`create table version_changes (
      project_id ${text} not null,
      version_id ${integer} not null,
      kind ${text} not null,
      chunk_count ${integer} not null,
      in_graph ${integer} not null,
      primary key (project_id, version_id)
    ) ${clustered}`,
    sql`create table deleted_projects (
      project_id ${text} not null primary key,
      account_id ${text} not null
    ) ${end}`,
  ],
};
