import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Feedback on answers; and jobs by their status, which one index serves instead of two for a single status each. */
export const feedback: Migration = {
  number: 22,
  name: "feedback",
  statements: ({ text, integer, end }) => [
    sql`create table feedback (
      project_id ${text} not null,
      answer_hash ${text} not null,
      feedback_id ${text} not null,
      seq ${integer} not null,
      rating ${text} not null,
      mode ${text} not null,
      query ${text} not null,
      answer ${text} not null,
      strategy_used ${text} not null,
      source_doc_ids ${text} not null,
      comment ${text},
      index_version ${integer} not null,
      service_version ${text} not null,
      created_at ${integer} not null,
      byte_length ${integer} not null,
      primary key (project_id, answer_hash)
    ) ${end}`,
    sql`create unique index feedback_by_seq on feedback (project_id, seq)`,
    sql`create index feedback_by_rating on feedback (project_id, rating, seq)`,
    sql`create index jobs_by_status on jobs (project_id, status, seq)`,
    sql`drop index jobs_running`,
    sql`drop index jobs_failed`,
  ],
};
