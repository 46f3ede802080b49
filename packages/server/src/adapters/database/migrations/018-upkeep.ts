import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Upkeep takes turns between accounts with deleted projects, and finds the jobs that ended long ago. */
export const upkeep: Migration = {
  number: 18,
  name: "upkeep",
  statements: ({ text, integer, end }) => [
    sql`create table removal_turns (
      account_id ${text} not null primary key,
      turn ${integer} not null
    ) ${end}`,
    sql`create index removal_turns_by_turn on removal_turns (turn)`,
    sql`insert into removal_turns (account_id, turn) select distinct account_id, 0 from deleted_projects`,
    sql`create index deleted_projects_by_account on deleted_projects (account_id, project_id)`,
    sql`create index jobs_by_end on jobs (completed_at, project_id, seq) where queue_state = 'done'`,
  ],
};
