import { z } from "zod";
import { count, time } from "./answer-fields.ts";

const embeddingSpace = z.strictObject({ embedding_model: z.string(), embedding_dimensions: count });

/** A project's current move to another embedding model, or its last one. */
export const reembedding = z.strictObject({
  project_id: z.string(),
  status: z.enum(["pending", "running", "completed", "failed", "cancelled"]),
  from: embeddingSpace,
  to: embeddingSpace,
  /** Chunks that already have a vector of the new model. */
  chunks_processed: count,
  /** Chunks of the project now, or at the end of a move that has ended. */
  chunks_total: count,
  /** null when the project was never moved. */
  created_at: time.nullable(),
  started_at: time.nullable(),
  completed_at: time.nullable(),
  error_message: z.string().nullable(),
});
