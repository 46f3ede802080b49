import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What corrections name after moves of their projects to ontologies that have other names for the types. */
export const renamedTypes: Migration = {
  number: 36,
  name: "renamed-types",
  statements: ({ text }) => [sql`alter table corrections add column renamed_types ${text}`],
};
