import { queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) => service.projects.list({}, { signal }),
});

export function projectQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId],
    queryFn: ({ signal }) => service.projects.get(projectId, { signal }),
  });
}

export function projectStatsQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "stats"],
    queryFn: ({ signal }) => service.projects.stats(projectId, { signal }),
  });
}
