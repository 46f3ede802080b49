import type { DocumentList } from "@kcs/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { documentsPerPage } from "./document-pages.ts";
import { service } from "./service.ts";

/** Of a document that is being read. */
const pollMs = 2_000;

export type DocumentState = DocumentList["documents"][number]["status"];

export interface DocumentListing {
  /** A part of the id; "" lists all documents. */
  readonly find: string;
  readonly from: number;
  readonly state?: DocumentState;
  readonly sort?: "source_doc_id" | "updated_at";
  readonly order?: "asc" | "desc";
  /** Default: a page. */
  readonly limit?: number;
}

export function documentsQuery(projectId: string, listing: DocumentListing) {
  const { find, from, state, limit = documentsPerPage, ...order } = listing;
  return queryOptions({
    queryKey: ["projects", projectId, "documents", { find, from, state, limit, ...order }],
    queryFn: ({ signal }) => listDocuments(projectId, listing, signal),
    placeholderData: keepPreviousData,
  });
}

export function listDocuments(
  projectId: string,
  { find, from, state, limit = documentsPerPage, ...order }: DocumentListing,
  signal?: AbortSignal,
): Promise<DocumentList> {
  return service.documents.list(
    projectId,
    {
      ...{ limit, offset: from, status: state, ...order },
      ...(find === "" ? {} : { search: find }),
    },
    signal === undefined ? {} : { signal },
  );
}

export function documentQuery(projectId: string, sourceDocId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "document", sourceDocId],
    queryFn: ({ signal }) => service.documents.get(projectId, sourceDocId, { signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isAtRest(data.status) ? false : pollMs),
  });
}

function isAtRest(status: DocumentState): boolean {
  return status === "indexed" || status === "failed";
}

const maxLatest = 200;

/** The documents that were sent last. Failed jobs that somebody looks at are mostly theirs. */
export function latestDocumentsQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "documents", "latest"],
    queryFn: ({ signal }) =>
      service.documents.list(projectId, { limit: maxLatest, sort: "updated_at", order: "desc" }, { signal }),
  });
}
