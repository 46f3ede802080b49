import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** When texts were accepted, where a reread has given them new versions, and members of archives new jobs. */
export const acceptedOrder: Migration = {
  number: 33,
  name: "accepted-order",
  statements: ({ integer }) => [
    sql`alter table document_versions add column text_version ${integer}`,
    sql`alter table documents add column archive_seq ${integer}`,
  ],
};
