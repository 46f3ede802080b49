import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export const documentsPerPage = 50;

/** `find` is a part of the id; "" lists all documents. */
export function documentsQuery(projectId: string, { find, from }: { find: string; from: number }) {
  return queryOptions({
    queryKey: ["projects", projectId, "documents", { find, from }],
    queryFn: ({ signal }) =>
      service.documents.list(
        projectId,
        { limit: documentsPerPage, offset: from, ...(find === "" ? {} : { search: find }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

export function documentQuery(projectId: string, sourceDocId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "document", sourceDocId],
    queryFn: ({ signal }) => service.documents.get(projectId, sourceDocId, { signal }),
  });
}
