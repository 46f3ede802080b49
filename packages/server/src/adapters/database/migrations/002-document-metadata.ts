import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Metadata of documents. Documents that existed before have none. */
export const documentMetadata: Migration = {
  number: 2,
  name: "document-metadata",
  statements: ({ text }) => [sql`alter table document_versions add column metadata ${text}`],
};
