import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * A mark on segments that must be built again from chunks. Those that are there already have an older format, which
 * this version of the service does not read: they are marked, and not left for a question to find.
 */
export const damagedSegments: Migration = {
  number: 3,
  name: "damaged-segments",
  statements: ({ integer }) => [
    sql`alter table segments add column repair_at ${integer}`,
    sql`alter table segments add column repair_failures ${integer} not null default 0`,
    sql`create index segments_damaged on segments (repair_at, project_id, segment_id) where repair_at is not null`,
    sql`create index segments_damaged_by_project on segments (project_id, segment_id) where repair_at is not null`,
    sql`update segments set repair_at = 0`,
  ],
};
