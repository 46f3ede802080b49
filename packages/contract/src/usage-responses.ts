import { z } from "zod";
import { count, day } from "./answer-fields.ts";

/** Days without any use are left out; by day, then by project. */
export const usage = z.strictObject({
  from: day,
  to: day,
  days: z.array(
    z.strictObject({
      date: day,
      /** Also of projects that are deleted by now; null for what belongs to none, such as suggestions. */
      project_id: z.string().nullable(),
      /** Tokens that were embedded. */
      tokens: count,
      /** Documents accepted. */
      documents: count,
      /** Chunks made. */
      chunks: count,
      queries: count,
      /** Calls of language models, and their tokens in both directions; kept replies are free. */
      model_calls: count,
      model_tokens: count,
    }),
  ),
  /** null where there is no limit. */
  limits: z.strictObject({
    /** Per UTC calendar month. */
    token_limit: count.nullable(),
    /** In this month: embedded ones and those of language models. */
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
