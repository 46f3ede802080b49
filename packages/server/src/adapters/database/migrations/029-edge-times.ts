import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What tells when relationships hold beside their own bounds. Facts that were read before have none of it until they are read again. */
export const edgeTimes: Migration = {
  number: 29,
  name: "edge-times",
  statements: ({ text }) => [
    sql`alter table relationship_places add column known_until ${text}`,
    sql`alter table relationship_places add column turn_at ${text}`,
    sql`create index relationship_ends on relationship_places (source_node, target_node, type, valid_to)
      where valid_to is not null`,
    sql`create index relationship_starts on relationship_places (source_node, target_node, type, valid_from)
      where valid_from is not null`,
    sql`create index relationship_turns on relationship_places (source_node, type, turn_at)
      where turn_at is not null`,
    sql`create index relationship_knowledge on relationship_places (source_node, target_node, type, known_until)
      where turn_at is not null`,
  ],
};
