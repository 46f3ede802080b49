import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Processes of one database know of each other, and what each can do. */
export const processes: Migration = {
  number: 23,
  name: "processes",
  statements: ({ text, integer, end }) => [
    sql`create table processes (
      process_id ${text} not null primary key,
      place ${text} not null,
      version ${text} not null,
      roles ${text} not null,
      spaces ${text} not null,
      reads_with_model ${integer} not null,
      secret_mark ${text} not null,
      started_at ${integer} not null,
      seen_at ${integer} not null,
      stopped ${integer} not null
    ) ${end}`,
  ],
};
