import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Jobs that read the stored text of a version again, and each project's current reread or its last one. */
export const rereads: Migration = {
  number: 12,
  name: "rereads",
  statements: ({ text, integer, end }) => [
    sql`alter table jobs add column rereads_version ${integer}`,
    sql`create index jobs_rereading on jobs (project_id, seq)
      where rereads_version is not null and queue_state <> 'done'`,
    sql`create table rereads (
      project_id ${text} not null primary key,
      status ${text} not null,
      after_version ${integer} not null,
      end_version ${integer} not null,
      started_place ${integer} not null,
      max_pending_jobs ${integer},
      documents_processed ${integer} not null,
      documents_failed ${integer} not null,
      documents_total ${integer} not null,
      created_at ${integer} not null,
      completed_at ${integer},
      error_message ${text}
    ) ${end}`,
  ],
};
