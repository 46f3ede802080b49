import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** How often a project was moved to another ontology, now and when each version was read. An older process would not count. */
export const versionMoves: Migration = {
  number: 39,
  name: "version-moves",
  oldest: 39,
  statements: ({ integer }) =>
    ["projects", "document_versions"].map(
      (table) => sql`alter table ${sql.table(table)} add column moves ${integer} not null default 0`,
    ),
};
