import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * The format version of each segment and when a rewrite of an older one is due. The default of `format_version` is
 * the version of every segment that was written before this migration, and must not change: on PostgreSQL a process
 * of the release before may still insert rows without it.
 */
export const segmentVersions: Migration = {
  number: 11,
  name: "segment-versions",
  statements: ({ integer }) => [
    sql`alter table segments add column format_version ${integer} not null default 2`,
    sql`alter table segments add column rewrite_at ${integer} not null default 0`,
    sql`create index segments_by_format on segments (format_version, rewrite_at, project_id, segment_id)`,
  ],
};
