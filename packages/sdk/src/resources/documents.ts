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
} from "../wire.ts";

const PAGE = 1000;

export interface DocumentPage {
  /** A part of the id. */
  readonly search?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export function documentsResource(transport: Transport) {
  /** By id; `total` counts all that match. */
  const list = (projectId: string, page: DocumentPage = {}, options?: CallOptions) =>
    transport.json<DocumentList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/documents`,
      query: { ...page },
      options,
    });
  return {
    list,

    /** Accepts a document and resolves to its job at once; `jobs.wait` waits for it. The same id again replaces it. */
    ingest: (projectId: string, body: IngestDocument, options?: CallOptions) =>
      transport.json<AcceptedJob>({
        method: "POST",
        path: pathOf`/projects/${projectId}/ingest`,
        body,
        creates: true,
        options,
      }),

    /** Up to 1,000 documents in one request, all or none; it counts once for the rate limit. */
    ingestBatch: (projectId: string, documents: IngestBatch["documents"], options?: CallOptions) =>
      transport.json<AcceptedBatch>({
        method: "POST",
        path: pathOf`/projects/${projectId}/ingest/batch`,
        body: { documents },
        creates: true,
        options,
      }),

    /** With its text and the places of its chunks. */
    get: (projectId: string, sourceDocId: string, options?: CallOptions) =>
      transport.json<Document>({
        method: "GET",
        path: pathOf`/projects/${projectId}/documents/${sourceDocId}`,
        options,
      }),

    /** With its chunks, and what of the graph rests on it alone. */
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

    /** Each document, by id. */
    each: (projectId: string, filter: { search?: string | undefined } = {}, options?: CallOptions) =>
      eachItem<ListedDocument>({
        pageSize: PAGE,
        page: async (limit, offset) =>
          (await list(projectId, { ...filter, limit, offset }, options)).documents,
      }),
  };
}
