import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** So that the next page and the next file of an account are each found behind any number of the other. */
export const jobsByPage: Migration = {
  number: 42,
  name: "jobs-by-page",
  oldest: 41,
  statements: () => [
    sql`create index jobs_unread_by_page on jobs (account_id, is_page, convert_at) where queue_state = 'unread'`,
  ],
};
