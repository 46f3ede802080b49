import { z } from "zod";
import { count, time } from "./answer-fields.ts";

/**
 * indexed: what queries see is what was last sent. replacing: they see the version before, until its job is done.
 * pending, running: no complete version yet. failed: none, and no job left that would make one.
 */
export const documentStatus = z.enum(["indexed", "replacing", "pending", "running", "failed"]);

const documentFields = {
  source_doc_id: z.string(),
  status: documentStatus,
  /** Chunks that queries see. */
  chunks: count,
  /** Of the text and the metadata, in UTF-8. */
  bytes: count,
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  created_at: time,
  /** When what is shown here was ingested. */
  updated_at: time,
  /** The last job of this document. */
  job_id: z.string().nullable(),
  error_message: z.string().nullable(),
};

export const listedDocument = z.strictObject(documentFields);

export const documentList = z.strictObject({
  documents: z.array(listedDocument),
  total: count,
  limit: count,
  offset: count,
});

/** Like a listed one, but with its chunks instead of their number. */
export const document = z.strictObject({
  ...documentFields,
  /** What queries see; where they see nothing yet, what was sent last. null when nothing is kept of it. */
  text: z.string().nullable(),
  /** In the order of the text; offsets into it in UTF-16 code units, `end` exclusive. */
  chunks: z.array(z.strictObject({ chunk_id: z.string(), start: count, end: count })),
});

export const chunk = z.strictObject({
  chunk_id: z.string(),
  source_doc_id: z.string(),
  start: count,
  end: count,
  text: z.string(),
  /** The text of the chunks beside it; null at the ends of the document. */
  before: z.string().nullable(),
  after: z.string().nullable(),
});
