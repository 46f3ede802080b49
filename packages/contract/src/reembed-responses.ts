import { z } from "zod";
import { count, time } from "./answer-fields.ts";

const embeddingSpace = z.strictObject({ embedding_model: z.string(), embedding_dimensions: count });

/** A project on its way to another embedding model, or the last one that it went. */
export const reembedding = z.strictObject({
  project_id: z.string(),
  status: z.enum(["pending", "running", "completed", "failed", "cancelled"]),
  from: embeddingSpace,
  to: embeddingSpace,
  /** With a vector of the new model. */
  chunks_processed: count,
  /** That the project has now; when it has ended, that it had then. */
  chunks_total: count,
  /** null where the project was always where it is. */
  created_at: time.nullable(),
  started_at: time.nullable(),
  completed_at: time.nullable(),
  error_message: z.string().nullable(),
});
