import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What a document is labelled with; those that were there before have no labels. */
export const documentMetadata: Migration = {
  number: 2,
  name: "document-metadata",
  statements: ({ text }) => [sql`alter table document_versions add column metadata ${text}`],
};
