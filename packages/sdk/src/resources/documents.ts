import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  AcceptedBatch,
  AcceptedJob,
  Chunk,
  Document,
  DocumentList,
  IngestBatch,
  IngestDocument,
  ListedDocument,
  RereadDocuments,
} from "../wire.ts";

const PAGE = 1000;

export interface DocumentPage {
  /** A part of the id. */
  readonly search?: string | undefined;
  readonly status?: ListedDocument["status"] | undefined;
  /** Default: by id, ascending. */
  readonly sort?: "source_doc_id" | "updated_at" | undefined;
  readonly order?: "asc" | "desc" | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export function documentsResource(transport: Transport) {
  /** Ordered by id or by the last update. `total` counts all matching documents. */
  const list = (projectId: string, page: DocumentPage = {}, options?: CallOptions) =>
    transport.json<DocumentList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/documents`,
      query: { ...page },
      options,
    });
  return {
    list,

    /** Resolves to the job as soon as the document is accepted; `jobs.wait` waits for it. Replaces a document with the same id. */
    ingest: (projectId: string, body: IngestDocument, options?: CallOptions) =>
      transport.json<AcceptedJob>({
        method: "POST",
        path: pathOf`/projects/${projectId}/ingest`,
        body,
        creates: true,
        options,
      }),

    /** Sends up to 1,000 documents in one request, all or none. Counts as one request for the rate limit. */
    ingestBatch: (projectId: string, documents: IngestBatch["documents"], options?: CallOptions) =>
      transport.json<AcceptedBatch>({
        method: "POST",
        path: pathOf`/projects/${projectId}/ingest/batch`,
        body: { documents },
        creates: true,
        options,
      }),

    /**
     * Reads up to 128 documents again for the graph, in the background (`jobs.wait`), and retries those that failed. One without
     * a text, because it was cancelled, has no job in the answer.
     */
    reread: (projectId: string, sourceDocIds: RereadDocuments["source_doc_ids"], options?: CallOptions) =>
      transport.json<AcceptedBatch>({
        method: "POST",
        path: pathOf`/projects/${projectId}/reread/documents`,
        body: { source_doc_ids: sourceDocIds },
        options,
      }),

    /** The document with its text and the offsets of its chunks. */
    get: (projectId: string, sourceDocId: string, options?: CallOptions) =>
      transport.json<Document>({
        method: "GET",
        path: pathOf`/projects/${projectId}/documents/${sourceDocId}`,
        options,
      }),

    /** Also deletes its chunks and the part of the graph that no other document supports. */
    delete: (projectId: string, sourceDocId: string, options?: CallOptions) =>
      transport.empty({
        method: "DELETE",
        path: pathOf`/projects/${projectId}/documents/${sourceDocId}`,
        options,
      }),

    /** A chunk with the text before and after it. */
    chunk: (projectId: string, chunkId: string, options?: CallOptions) =>
      transport.json<Chunk>({
        method: "GET",
        path: pathOf`/projects/${projectId}/chunks/${chunkId}`,
        options,
      }),

    /** Yields all documents, ordered by id. */
    each: (projectId: string, filter: { search?: string | undefined } = {}, options?: CallOptions) =>
      eachItem<ListedDocument, DocumentList>({
        pageSize: PAGE,
        page: (limit, offset) => list(projectId, { ...filter, limit, offset }, options),
        itemsOf: ({ documents }) => documents,
      }),
  };
}
