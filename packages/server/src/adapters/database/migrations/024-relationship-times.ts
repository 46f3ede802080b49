import { sql } from "kysely";
import { fillEdges } from "./fill-edges.ts";
import type { Migration } from "./migration.ts";

/** From when until when a relationship holds, as far as the chunk states it. */
export const relationshipTimes: Migration = {
  number: 24,
  name: "relationship-times",
  statements: ({ text }) => [
    sql`alter table relationship_places add column valid_from ${text}`,
    sql`alter table relationship_places add column valid_to ${text}`,
  ],
  fill: (db) =>
    fillEdges(db, {
      columns: { valid_from: "text", valid_to: "text" },
      values: ([, , , , , , , validFrom, validTo]) => [validFrom, validTo],
    }),
};
