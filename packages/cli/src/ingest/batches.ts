import type { FoundDocument } from "./find-documents.ts";

/** The service accepts batches of up to 1,000 documents and 64 MiB. A smaller one loses less when a run is interrupted. */
export const MAX_BATCH_BYTES = 16 * 1024 * 1024;
export const MAX_BATCH_DOCUMENTS = 1_000;
/** The service accepts uploads of up to 100 files, and of more bytes than a batch. */
const MAX_UPLOAD_FILES = 100;
const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

interface Batch {
  readonly documents: FoundDocument[];
  bytes: number;
}

/**
 * Fills each batch up to the limits, in the order of the documents: of texts, or of files that are uploaded, however the two
 * alternate. A document over the byte limit becomes a batch of its own.
 */
export function* batchesOf(
  documents: readonly FoundDocument[],
  { maxDocuments = MAX_BATCH_DOCUMENTS, maxBytes = MAX_BATCH_BYTES } = {},
): Generator<readonly FoundDocument[], void> {
  const limits = {
    text: { documents: maxDocuments, bytes: maxBytes },
    file: { documents: Math.min(maxDocuments, MAX_UPLOAD_FILES), bytes: MAX_UPLOAD_BYTES },
  };
  const open: Record<keyof typeof limits, Batch> = {
    text: { documents: [], bytes: 0 },
    file: { documents: [], bytes: 0 },
  };
  for (const document of documents) {
    const kind = "path" in document ? "file" : "text";
    const [batch, most] = [open[kind], limits[kind]];
    const isFull = batch.documents.length >= most.documents || batch.bytes + document.bytes > most.bytes;
    if (batch.documents.length > 0 && isFull) {
      yield batch.documents;
      open[kind] = { documents: [document], bytes: document.bytes };
    } else {
      batch.documents.push(document);
      batch.bytes += document.bytes;
    }
  }
  for (const { documents: last } of Object.values(open)) if (last.length > 0) yield last;
}
