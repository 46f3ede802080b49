import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Processes of one database tell each other the longest text that they accept. */
export const processLimits: Migration = {
  number: 27,
  name: "process-limits",
  statements: ({ integer }) => [sql`alter table processes add column max_text_bytes ${integer}`],
};
