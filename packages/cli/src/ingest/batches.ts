import type { FoundDocument } from "./find-documents.ts";

/** The service accepts batches of up to 1,000 documents and 64 MiB. A smaller one loses less when a run is interrupted. */
export const MAX_BATCH_BYTES = 16 * 1024 * 1024;
export const MAX_BATCH_DOCUMENTS = 1_000;
/** The service accepts uploads of up to 100 files, and of more bytes than a batch. */
const MAX_UPLOAD_FILES = 100;
const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

/**
 * Keeps the order and fills each batch up to the limits: texts, or files that are uploaded. A document over the byte limit becomes
 * a batch of its own.
 */
export function* batchesOf(
  documents: readonly FoundDocument[],
  { maxDocuments = MAX_BATCH_DOCUMENTS, maxBytes = MAX_BATCH_BYTES } = {},
): Generator<readonly FoundDocument[], void> {
  let batch: FoundDocument[] = [];
  let bytes = 0;
  for (const document of documents) {
    const isFile = "path" in document;
    const most = isFile ? Math.min(maxDocuments, MAX_UPLOAD_FILES) : maxDocuments;
    const isOver = bytes + document.bytes > (isFile ? MAX_UPLOAD_BYTES : maxBytes);
    const [first] = batch;
    if (first !== undefined && (batch.length >= most || isOver || "path" in first !== isFile)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(document);
    bytes += document.bytes;
  }
  if (batch.length > 0) yield batch;
}
