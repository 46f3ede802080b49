import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * What documents count towards the storage of their account; those that were accepted before count nothing until they are ingested
 * again. Where upkeep is among the ended jobs of each account. An older process would leave what deleted documents have counted, and forget
 * the chunks of undone corrections.
 */
export const bytesOfRows: Migration = {
  number: 35,
  name: "bytes-of-rows",
  oldest: 35,
  statements: ({ integer }) => [
    sql`alter table documents add column byte_length ${integer} not null default 0`,
    sql`alter table account_state add column jobs_checked ${integer} not null default 0`,
    sql`alter table account_state add column jobs_check_at ${integer} not null default 0`,
    sql`create index jobs_ended_by_account on jobs (account_id, seq) where queue_state = 'done'`,
  ],
};
