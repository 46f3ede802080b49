import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Files that documents come from: their bytes in pieces, once for each content of a project; the file of each version; jobs that
 * wait for their text; and the page on which a chunk begins.
 */
export const files: Migration = {
  number: 21,
  name: "files",
  statements: ({ text, integer, bytes, end, clustered }) => [
    sql`create table file_contents (
      project_id ${text} not null,
      content_id ${text} not null,
      state ${text} not null,
      sha256 ${text},
      byte_length ${integer} not null,
      created_at ${integer} not null,
      primary key (project_id, content_id)
    ) ${clustered}`,
    sql`create unique index file_contents_by_hash on file_contents (project_id, sha256) where state = 'kept'`,
    sql`create index file_contents_left on file_contents (created_at) where state <> 'kept'`,
    sql`create table file_pieces (
      project_id ${text} not null,
      content_id ${text} not null,
      position ${integer} not null,
      bytes ${bytes} not null,
      primary key (project_id, content_id, position)
    ) ${end}`,
    sql`create table version_files (
      project_id ${text} not null,
      version_id ${integer} not null,
      content_id ${text} not null,
      name ${text} not null,
      media_type ${text},
      byte_length ${integer} not null,
      is_member ${integer} not null,
      pages ${bytes},
      primary key (project_id, version_id)
    ) ${end}`,
    sql`create index version_files_by_content on version_files (project_id, content_id)`,
    sql`alter table jobs add column convert_at ${integer}`,
    sql`alter table jobs add column convert_token ${text}`,
    sql`create index jobs_unread on jobs (account_id, convert_at) where queue_state = 'unread'`,
    sql`create index jobs_converting on jobs (convert_token) where convert_token is not null`,
    sql`alter table account_state add column converted_at ${integer} not null default 0`,
    sql`alter table chunks add column page ${integer}`,
  ],
};
