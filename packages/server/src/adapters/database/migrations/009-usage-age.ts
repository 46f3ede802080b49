import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Finds the days of all accounts that are old enough to go. */
export const usageAge: Migration = {
  number: 9,
  name: "usage-age",
  statements: () => [sql`create index usage_by_age on usage_days (day)`],
};
