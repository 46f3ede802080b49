import { z } from "zod";
import { count, time } from "./answer-fields.ts";

export const feedback = z.strictObject({
  feedback_id: z.string(),
  project_id: z.string(),
  rating: z.enum(["up", "down"]),
  query: z.string(),
  mode: z.enum(["static", "dynamic"]),
  /** The summary of the answer. */
  answer: z.string(),
  strategy_used: z.string(),
  /** The documents of its passages, best first. */
  source_doc_ids: z.array(z.string()),
  comment: z.string().nullable(),
  /** Of the project's index when the feedback was given. */
  index_version: count,
  service_version: z.string(),
  created_at: time,
});

export const feedbackList = z.strictObject({
  /** Newest first. */
  feedback: z.array(feedback),
  total: count,
  limit: count,
  offset: count,
});
