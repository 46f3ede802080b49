import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { fillEdges } from "./fill-edges.ts";
import type { Migration } from "./migration.ts";

/**
 * How sure each chunk's statement of a relationship is, in thousandths. On PostgreSQL a process of the release before may still
 * insert rows without it.
 */
export const relationshipConfidence: Migration = {
  number: 19,
  name: "relationship-confidence",
  statements: ({ integer }) => [
    sql`alter table relationship_places add column confidence ${integer} not null default 0`,
  ],
  fill: fillConfidence,
};

export function fillConfidence(db: Database): Promise<void> {
  return fillEdges(db, {
    columns: { confidence: "bigint" },
    values: ([, , , , , confidence]) => [confidence],
  });
}
