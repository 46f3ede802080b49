import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The stored bytes of an account include its ontologies. */
export const ontologyBytes = {
  number: 13,
  name: "ontology-bytes",
  statements: () => [
    sql`update account_state set stored_bytes = stored_bytes + coalesce((
      select sum(octet_length(o.schema_json)) from ontologies as o
      where o.account_id = account_state.account_id), 0)`,
  ],
} satisfies Migration;
