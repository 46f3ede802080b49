import { z } from "zod";
import { count, day } from "./answer-fields.ts";

/** Ordered by day, then by project. Days without usage are left out. */
export const usage = z.strictObject({
  from: day,
  to: day,
  days: z.array(
    z.strictObject({
      date: day,
      /** null for usage of deleted projects and without a project, such as ontology suggestions. */
      project_id: z.string().nullable(),
      /** Embedded tokens. */
      tokens: count,
      /** Accepted documents. */
      documents: count,
      /** Indexed chunks. */
      chunks: count,
      queries: count,
      /** Language model calls and their input and output tokens. Replies from the cache are not counted. */
      model_calls: count,
      model_tokens: count,
    }),
  ),
  /** null means no limit. */
  limits: z.strictObject({
    /** Per UTC calendar month. */
    token_limit: count.nullable(),
    /** In this month: embedded tokens and tokens of language models. */
    tokens_used: count,
    tokens_left: count.nullable(),
    ingest_per_minute: count.nullable(),
    pending_jobs: count.nullable(),
    stored_bytes: count.nullable(),
    stored_bytes_used: count,
    concurrent_queries: count.nullable(),
    projects: count,
    ontologies: count,
  }),
});
