import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * The bytes of segments may be objects outside of the database. An older process would take those segments for damaged, and forget the
 * objects of those that it removes.
 */
export const segmentObjects: Migration = {
  number: 37,
  name: "segment-objects",
  oldest: 37,
  statements: ({ text, integer, end }) => [
    sql`alter table segments add column object_key ${text}`,
    sql`alter table segments add column object_hash ${text}`,
    sql`create index segments_outside on segments (project_id, segment_id) where object_key is not null`,
    sql`create table segment_objects (
      project_id ${text} not null,
      object_key ${text} not null,
      remove_at ${integer} not null,
      is_claimed ${integer} not null,
      primary key (project_id, object_key)
    ) ${end}`,
    sql`create index segment_objects_by_time on segment_objects (remove_at)`,
  ],
};
