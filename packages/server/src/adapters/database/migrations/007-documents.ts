import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * One row per document, for lists: versions are created and deleted, and a failed version may leave no other
 * row.
 */
export const documents: Migration = {
  number: 7,
  name: "documents",
  statements: ({ text, integer, clustered }) => [
    sql`create table documents (
      project_id ${text} not null,
      source_doc_id ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      job_seq ${integer} not null,
      primary key (project_id, source_doc_id)
    ) ${clustered}`,
    sql`insert into documents (project_id, source_doc_id, created_at, updated_at, job_seq)
      select project_id, source_doc_id, min(created_at), coalesce(max(completed_at), max(created_at)), max(seq)
      from jobs group by project_id, source_doc_id`,
  ],
};
