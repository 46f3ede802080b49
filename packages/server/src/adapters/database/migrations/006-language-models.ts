import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Reusable replies of language models, and the usage and cost of their calls. */
export const languageModels: Migration = {
  number: 6,
  name: "language-models",
  statements: ({ text, integer, bytes, end, clustered }) => [
    sql`create table model_replies (
      account_id ${text} not null,
      key ${text} not null,
      project_id ${text},
      encoding ${text} not null,
      bytes ${bytes} not null,
      stored_bytes ${integer} not null,
      used_at ${integer} not null,
      primary key (account_id, key)
    ) ${end}`,
    // Contains all columns that trimming reads, in its order.
    sql`create index model_replies_by_use on model_replies (used_at, account_id, key, stored_bytes)`,
    sql`create index model_replies_by_project on model_replies (project_id) where project_id is not null`,

    sql`create table model_usage (
      account_id ${text} not null,
      day ${text} not null,
      project_id ${text} not null,
      job_id ${text} not null,
      task ${text} not null,
      model ${text} not null,
      calls ${integer} not null,
      input_tokens ${integer} not null,
      output_tokens ${integer} not null,
      cost_micros ${integer} not null,
      primary key (account_id, day, project_id, job_id, task, model)
    ) ${clustered}`,
    sql`create index model_usage_by_day on model_usage (day)`,
  ],
};
