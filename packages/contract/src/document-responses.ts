import { z } from "zod";
import { count, filePlace, time } from "./answer-fields.ts";

/**
 * indexed: queries see the version that was sent last. replacing: queries see the previous version until the job of
 * the new one completes. pending, running: there is no complete version yet. failed: there is no complete version, and
 * no pending or running job.
 */
export const documentStatus = z.enum(["indexed", "replacing", "pending", "running", "failed"]);

const documentFields = {
  source_doc_id: z.string(),
  status: documentStatus,
  /** Number of chunks that queries see. */
  chunks: count,
  /** Size of the text and the metadata in UTF-8. */
  bytes: count,
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  created_at: time,
  /** When the version described here was ingested. */
  updated_at: time,
  /** The last job of this document. */
  job_id: z.string().nullable(),
  error_message: z.string().nullable(),
  /** The file that the text was made from; absent where the document was sent as a text. */
  file: z
    .strictObject({
      /** As its sender named it, without folders. */
      name: z.string(),
      /** As its content was recognised; null until it has been read. */
      media_type: z.string().nullable(),
      /** Size of the file. */
      bytes: count,
    })
    .optional(),
};

export const listedDocument = z.strictObject(documentFields);

export const documentList = z.strictObject({
  documents: z.array(listedDocument),
  total: count,
  limit: count,
  offset: count,
});

/** A listed document with its text, and with its chunks instead of their number. */
export const document = z.strictObject({
  ...documentFields,
  /** The text that queries see, or the text sent last while they see none. null when no text is stored. */
  text: z.string().nullable(),
  /** In text order. Offsets count UTF-16 code units of the text; `end` is exclusive. */
  chunks: z.array(z.strictObject({ chunk_id: z.string(), start: count, end: count, page: filePlace.page })),
});

export const chunk = z.strictObject({
  chunk_id: z.string(),
  source_doc_id: z.string(),
  start: count,
  end: count,
  text: z.string(),
  /** The text of the previous and the next chunk; null at the start and the end of the document. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  ...filePlace,
});
