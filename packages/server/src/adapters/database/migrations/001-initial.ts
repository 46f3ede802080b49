import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** All tables of the service. better-auth creates its own tables in the same database. */
export const initial: Migration = {
  number: 1,
  name: "initial",
  statements: ({ text, integer, bytes, end }) => [
    sql`create table projects (
      project_id ${text} not null primary key,
      account_id ${text} not null,
      account_seq ${integer} not null,
      name ${text} not null,
      mode ${text} not null,
      created_at ${integer} not null,
      ontology_id ${text},
      config ${text} not null,
      next_version_id ${integer} not null,
      next_segment_id ${integer} not null,
      index_version ${integer} not null,
      segment_count ${integer} not null,
      merge_checked_version ${integer} not null,
      merge_turn ${integer} not null
    ) ${end}`,
    sql`create index projects_by_account on projects (account_id, account_seq)`,
    sql`create index projects_by_segments on projects (segment_count)`,
    sql`create index projects_by_merge_turn on projects (merge_turn)`,

    sql`create table ontologies (
      account_id ${text} not null,
      ontology_id ${text} not null,
      account_seq ${integer} not null,
      name ${text} not null,
      created_at ${integer} not null,
      schema_json ${text} not null,
      primary key (account_id, ontology_id)
    ) ${end}`,
    sql`create index ontologies_by_account on ontologies (account_id, account_seq)`,

    sql`create table jobs (
      project_id ${text} not null,
      seq ${integer} not null,
      job_id ${text} not null,
      account_id ${text} not null,
      source_doc_id ${text} not null,
      version_id ${integer} not null,
      status ${text} not null,
      queue_state ${text} not null,
      ready_at ${integer},
      lease_token ${text},
      attempts ${integer} not null,
      chunks_processed ${integer} not null,
      created_at ${integer} not null,
      started_at ${integer},
      completed_at ${integer},
      error_message ${text},
      primary key (project_id, seq),
      unique (project_id, job_id)
    ) ${end}`,
    // Partial indexes: they exclude finished jobs, which are most of the table.
    sql`create index jobs_ready_by_account on jobs (account_id, seq) where queue_state = 'ready'`,
    sql`create index jobs_ready_by_project on jobs (project_id, seq) where queue_state = 'ready'`,
    sql`create index jobs_due_by_account on jobs (account_id, ready_at) where ready_at is not null`,
    sql`create index jobs_due_by_project on jobs (project_id, ready_at) where ready_at is not null`,
    sql`create index jobs_by_document on jobs (project_id, source_doc_id, seq) where queue_state <> 'done'`,
    sql`create index jobs_by_lease on jobs (lease_token) where lease_token is not null`,
    sql`create index jobs_running on jobs (project_id) where status = 'running'`,
    sql`create index jobs_failed on jobs (project_id) where status = 'failed'`,

    sql`create table document_versions (
      project_id ${text} not null,
      version_id ${integer} not null,
      source_doc_id ${text} not null,
      state ${text} not null,
      complete ${integer} not null,
      text_hash ${text} not null,
      byte_length ${integer} not null,
      chunk_count ${integer} not null,
      primary key (project_id, version_id)
    ) ${end}`,
    sql`create index versions_by_document on document_versions (project_id, source_doc_id)`,
    // Makes the database reject a second visible version of a document.
    sql`create unique index versions_live on document_versions (project_id, source_doc_id) where state = 'live'`,

    sql`create table version_texts (
      project_id ${text} not null,
      version_id ${integer} not null,
      encoding ${text} not null,
      bytes ${bytes} not null,
      primary key (project_id, version_id)
    ) ${end}`,

    sql`create table chunks (
      project_id ${text} not null,
      version_id ${integer} not null,
      position ${integer} not null,
      start_offset ${integer} not null,
      end_offset ${integer} not null,
      token_count ${integer} not null,
      content_hash ${text} not null,
      vector ${bytes} not null,
      header ${bytes} not null,
      text ${bytes} not null,
      primary key (project_id, version_id, position)
    ) ${end}`,
    sql`create index chunks_by_hash on chunks (project_id, version_id, content_hash)`,

    sql`create table segments (
      project_id ${text} not null,
      segment_id ${integer} not null,
      byte_length ${integer} not null,
      chunk_count ${integer} not null,
      dead_chunk_count ${integer} not null,
      primary key (project_id, segment_id)
    ) ${end}`,
    sql`create index segments_mostly_dead on segments (project_id) where dead_chunk_count * 2 > chunk_count`,

    sql`create table segment_blobs (
      project_id ${text} not null,
      segment_id ${integer} not null,
      bytes ${bytes} not null,
      primary key (project_id, segment_id)
    ) ${end}`,

    sql`create table segment_documents (
      project_id ${text} not null,
      segment_id ${integer} not null,
      version_id ${integer} not null,
      chunk_count ${integer} not null,
      state ${text} not null,
      primary key (project_id, segment_id, version_id)
    ) ${end}`,
    sql`create index segment_documents_by_version on segment_documents (project_id, version_id)`,
    sql`create index segment_documents_hidden on segment_documents (project_id, segment_id) where state <> 'live'`,

    sql`create table account_state (
      account_id ${text} not null primary key,
      next_seq ${integer} not null,
      project_count ${integer} not null,
      ontology_count ${integer} not null,
      pending_jobs ${integer} not null,
      stored_bytes ${integer} not null,
      served_at ${integer} not null
    ) ${end}`,
    sql`create index accounts_by_turn on account_state (served_at, account_id) where pending_jobs > 0`,

    sql`create table rate_requests (
      account_id ${text} not null,
      seq ${integer} not null,
      requested_at ${integer} not null,
      primary key (account_id, seq)
    ) ${end}`,
    sql`create index rate_requests_by_time on rate_requests (account_id, requested_at)`,
    sql`create index rate_requests_by_age on rate_requests (requested_at)`,

    sql`create table token_meters (
      account_id ${text} not null,
      month ${text} not null,
      tokens ${integer} not null,
      primary key (account_id, month)
    ) ${end}`,

    sql`create table settings (
      name ${text} not null primary key,
      value ${text} not null
    ) ${end}`,
  ],
};
