import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * What corrections name after moves of their projects to ontologies that have other names for the types. An older process would not apply them, and would
 * forget that the waiting jobs of a deleted project count.
 */
export const renamedTypes: Migration = {
  number: 36,
  name: "renamed-types",
  oldest: 36,
  statements: ({ text }) => [sql`alter table corrections add column renamed_types ${text}`],
};
