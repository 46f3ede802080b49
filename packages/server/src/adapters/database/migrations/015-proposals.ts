import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The chunks of live versions that state relationships which are proposed, not asserted. Confidence is in thousandths. */
export const proposals: Migration = {
  number: 15,
  name: "proposals",
  statements: ({ text, integer, clustered }) => [
    sql`create table proposal_places (
      source_node ${integer} not null, target_node ${integer} not null, type ${text} not null,
      version_id ${integer} not null, position ${integer} not null, confidence ${integer} not null,
      primary key (source_node, target_node, type, version_id, position)
    ) ${clustered}`,
    sql`create index proposal_places_backwards
      on proposal_places (target_node, source_node, type, version_id, position)`,
  ],
};
