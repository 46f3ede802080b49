import { z } from "zod";
import { count, time } from "./answer-fields.ts";

/** A project's current reread, or its last one. */
export const reread = z.strictObject({
  project_id: z.string(),
  status: z.enum(["running", "completed", "failed", "cancelled"]),
  /** Documents whose job has ended, the failed ones included. */
  documents_processed: count,
  documents_failed: count,
  /** Those, and the documents that are still to be read. */
  documents_total: count,
  /** null when the project was never read again. */
  created_at: time.nullable(),
  completed_at: time.nullable(),
  error_message: z.string().nullable(),
});
