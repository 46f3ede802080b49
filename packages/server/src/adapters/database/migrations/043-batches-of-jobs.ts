import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Where the jobs of a project begin that came since none was unfinished: how far they are says what all its jobs ever cannot. */
export const batchesOfJobs: Migration = {
  number: 43,
  name: "batches-of-jobs",
  oldest: 41,
  statements: ({ integer }) => [sql`alter table projects add column batch_seq ${integer} not null default 0`],
};
