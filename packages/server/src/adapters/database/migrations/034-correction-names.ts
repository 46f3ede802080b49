import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** How many names a correction has. Those that were made before count as none. */
export const correctionNames: Migration = {
  number: 34,
  name: "correction-names",
  statements: ({ integer }) => [sql`alter table corrections add column name_count ${integer}`],
};
