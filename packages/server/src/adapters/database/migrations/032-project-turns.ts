import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Which project of an account was served last, so that its projects take turns. `jobs_ready_by_account` stays for older processes. */
export const projectTurns: Migration = {
  number: 32,
  name: "project-turns",
  statements: ({ text }) => [
    sql`alter table account_state add column served_project ${text} not null default ''`,
    sql`create index jobs_ready_by_turn on jobs (account_id, project_id, seq) where queue_state = 'ready'`,
  ],
};
