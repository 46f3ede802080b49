import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Each migration notes which releases can still use the database, so that those that run meanwhile know whether they can. */
export const oldestSchema: Migration = {
  number: 25,
  name: "oldest-schema",
  oldest: 24,
  statements: ({ integer }) => [sql`alter table schema_migrations add column oldest ${integer}`],
};
