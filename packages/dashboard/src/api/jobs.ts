import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export const jobsPerPage = 50;

/** Newest first. */
export function jobsQuery(projectId: string, from: number) {
  return queryOptions({
    queryKey: ["projects", projectId, "jobs", from],
    queryFn: ({ signal }) => service.jobs.list(projectId, { limit: jobsPerPage, offset: from }, { signal }),
    placeholderData: keepPreviousData,
  });
}
