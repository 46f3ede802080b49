/** JSON of documents and chunks. */
import { LazyList } from "@kcs/contract";
import { spanAt } from "../../domain/chunk-spans.ts";
import { formatChunkId } from "../../domain/document.ts";
import type { FilePlace } from "../../domain/file.ts";
import type {
  ChunkContext,
  DocumentContent,
  DocumentState,
  StoredDocument,
} from "../../ports/document-store.ts";

function time(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

function documentHead(document: StoredDocument) {
  const { seen, sent, job, file } = document;
  const version = seen ?? sent;
  return {
    source_doc_id: document.sourceDocId,
    status: statusOf(document),
    bytes: version?.byteLength ?? 0,
    metadata: version?.metadata ?? {},
    created_at: time(document.createdAt),
    updated_at: time(document.updatedAt),
    job_id: job?.jobId ?? null,
    error_message: job?.errorMessage ?? null,
    ...(file && {
      file: { name: file.name, media_type: file.mediaType, bytes: file.byteLength },
    }),
  };
}

/** Depends on whether queries see the complete document, and whether a job is about to change it. */
function statusOf({ seen, job }: StoredDocument): DocumentState {
  const isComplete = seen?.isComplete === true;
  if (job?.status === "pending" || job?.status === "running") return isComplete ? "replacing" : job.status;
  return isComplete ? "indexed" : "failed";
}

export function presentDocuments(
  { documents, total }: { readonly documents: readonly StoredDocument[]; readonly total: number },
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return {
    documents: documents.map((document) => ({
      ...documentHead(document),
      chunks: document.seen?.chunkCount ?? 0,
    })),
    total,
    limit,
    offset,
  };
}

export function presentDocument({ document, text, chunks }: DocumentContent) {
  return {
    ...documentHead(document),
    text,
    chunks: new LazyList({
      length: chunks.count,
      heldBytes: chunks.numbers.byteLength,
      itemAt(at) {
        const { page, ...chunk } = spanAt(chunks, at);
        const { start, end } = chunk;
        return { chunk_id: formatChunkId(chunk), start, end, ...(page !== null && { page }) };
      },
    }),
  };
}

export function presentChunkContext(chunk: ChunkContext) {
  return {
    chunk_id: formatChunkId(chunk),
    source_doc_id: chunk.sourceDocId,
    start: chunk.start,
    end: chunk.end,
    text: chunk.text,
    before: chunk.before,
    after: chunk.after,
    ...presentPlace(chunk.place),
  };
}

/** Members beside those of a chunk, where its document has a file. */
export function presentPlace(place: FilePlace | undefined) {
  const { page = null, section = null } = place ?? {};
  return { ...(page !== null && { page }), ...(section !== null && { section }) };
}
