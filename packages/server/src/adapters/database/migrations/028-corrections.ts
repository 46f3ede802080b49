import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Corrections of the graph, and what they do to the facts of chunks. */
export const corrections: Migration = {
  number: 28,
  name: "corrections",
  // Older processes would add facts to the graph without the corrections.
  oldest: 28,
  statements: ({ text, integer, end, clustered }) => [
    sql`create table corrections (
      project_id ${text} not null,
      seq ${integer} not null,
      correction_id ${text} not null,
      kind ${text} not null,
      change ${text} not null,
      rule ${text} not null,
      reason ${text},
      account_id ${text} not null,
      key_id ${text},
      created_at ${integer} not null,
      first_later_version ${integer} not null,
      byte_length ${integer} not null,
      primary key (project_id, seq)
    ) ${end}`,
    sql`create unique index corrections_by_id on corrections (project_id, correction_id)`,
    sql`create index corrections_by_kind on corrections (project_id, kind, seq)`,
    sql`create table correction_names (
      project_id ${text} not null,
      name_key ${text} not null,
      type ${text} not null,
      role ${text} not null,
      seq ${integer} not null,
      place ${integer} not null,
      shown ${text},
      primary key (project_id, name_key, type, role, seq)
    ) ${clustered}`,
    sql`create index correction_names_by_seq on correction_names (project_id, seq, role, place)`,
    sql`create table corrected_chunks (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      seq ${integer} not null,
      primary key (project_id, version_id, position, seq)
    ) ${clustered}`,
    sql`create index corrected_chunks_by_seq on corrected_chunks (project_id, seq, version_id, position)`,
    sql`create table outdated_facts (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      primary key (project_id, version_id, position)
    ) ${clustered}`,
    sql`alter table chunk_facts add column original ${text}`,
  ],
};
