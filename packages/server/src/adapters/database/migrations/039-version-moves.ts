import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** How often a project was moved to another ontology, now and when each version was read; null: it was read before this was counted. An older process would not count. */
export const versionMoves: Migration = {
  number: 39,
  name: "version-moves",
  oldest: 39,
  statements: ({ integer }) => [
    sql`alter table projects add column moves ${integer} not null default 0`,
    sql`alter table document_versions add column moves ${integer}`,
  ],
};
