import { sql } from "kysely";
import { ADDRESS_MEDIA_TYPE } from "../../../domain/file.ts";
import type { Migration } from "./migration.ts";

/** Whether the file of a job is a page that is not fetched yet, so that pages and files are claimed apart. An older process would not say. */
export const pageJobs: Migration = {
  number: 41,
  name: "page-jobs",
  oldest: 41,
  statements: ({ integer }) => [
    sql`alter table jobs add column is_page ${integer} not null default 0`,
    sql`update jobs set is_page = 1 where queue_state in ('unread', 'blocked') and exists (
      select 1 from version_files as f where f.project_id = jobs.project_id and f.version_id = jobs.version_id
        and f.media_type = ${sql.lit(ADDRESS_MEDIA_TYPE)})`,
  ],
};
