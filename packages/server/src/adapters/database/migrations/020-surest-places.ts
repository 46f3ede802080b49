import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The surest statements of an edge are read without the others. */
export const surestPlaces: Migration = {
  number: 20,
  name: "surest-places",
  statements: () =>
    ["relationship_places", "proposal_places"].map(
      (table) => sql`create index ${sql.id(`${table}_by_confidence`)} on ${sql.table(table)}
        (source_node, target_node, type, confidence desc, version_id, position)`,
    ),
};
