import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Every embedding space that a project has been in gives its vectors a number, the vector set. Vectors of the
 * current set are in the listed segments, and in `moved_vectors` if that has a row for the chunk's text, else
 * in the chunk's row.
 */
export const vectorSets: Migration = {
  number: 10,
  name: "vector-sets",
  statements: ({ text, integer, bytes, end }) => [
    sql`alter table projects add column vector_set ${integer} not null default 0`,
    sql`alter table segments add column vector_set ${integer} not null default 0`,
    sql`create table moved_vectors (
      project_id ${text} not null,
      vector_set ${integer} not null,
      content_hash ${text} not null,
      vector ${bytes} not null,
      primary key (project_id, vector_set, content_hash)
    ) ${end}`,
    sql`create table reembeddings (
      project_id ${text} not null primary key,
      account_id ${text} not null,
      status ${text} not null,
      from_model ${text} not null,
      from_dimensions ${integer} not null,
      to_model ${text} not null,
      to_dimensions ${integer} not null,
      last_set ${integer} not null,
      staged_set ${integer},
      staged_until ${integer},
      ready_at ${integer},
      lease_token ${text},
      attempts ${integer} not null,
      served_at ${integer} not null,
      chunks_processed ${integer} not null,
      chunks_total ${integer} not null,
      created_at ${integer} not null,
      started_at ${integer},
      progressed_at ${integer},
      completed_at ${integer},
      error_message ${text},
      cleanup_at ${integer},
      cleanup_version ${integer} not null,
      cleanup_position ${integer} not null
    ) ${end}`,
    sql`create index reembeddings_due on reembeddings (ready_at) where ready_at is not null`,
    sql`create index reembeddings_by_lease on reembeddings (lease_token) where lease_token is not null`,
    sql`create index reembeddings_by_account on reembeddings (account_id, served_at)`,
    sql`create index reembeddings_to_clean on reembeddings (cleanup_at) where cleanup_at is not null`,
  ],
};
