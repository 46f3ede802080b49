import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * A mark for segments that must be rebuilt from chunks. Existing segments have an older format that this
 * version of the service cannot read. They are marked here, so that the first question does not have to
 * discover it.
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
