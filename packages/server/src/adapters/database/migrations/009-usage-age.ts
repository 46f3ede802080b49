import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** An index to find the days of all accounts that are old enough to be deleted. */
export const usageAge: Migration = {
  number: 9,
  name: "usage-age",
  statements: () => [sql`create index usage_by_age on usage_days (day)`],
};
