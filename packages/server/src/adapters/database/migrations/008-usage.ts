import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Usage of accounts by day and project, counted from this migration on. Rows of deleted projects are kept.
 */
export const usage: Migration = {
  number: 8,
  name: "usage",
  statements: ({ text, integer, clustered }) => [
    sql`create table usage_days (
      account_id ${text} not null,
      project_id ${text} not null,
      day ${text} not null,
      tokens ${integer} not null,
      documents ${integer} not null,
      chunks ${integer} not null,
      queries ${integer} not null,
      primary key (account_id, project_id, day)
    ) ${clustered}`,
    sql`create index usage_by_day on usage_days (account_id, day, project_id)`,
  ],
};
