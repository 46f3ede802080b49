import { queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

const maxFitRows = 20;

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

export function projectConfigQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "config"],
    queryFn: ({ signal }) => service.projects.config(projectId, { signal }),
  });
}

/** The project's current move to another embedding model, or the last one. */
export function reembeddingQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "reembedding"],
    queryFn: ({ signal }) => service.projects.reembedding(projectId, { signal }),
  });
}

/** The project's current reread of its documents, or the last one. */
export function rereadQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "reread"],
    queryFn: ({ signal }) => service.projects.getReread(projectId, { signal }),
  });
}

/** What extraction found in the documents but the ontology has no type for. */
export function graphFitQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "fit"],
    queryFn: ({ signal }) => service.graph.fit(projectId, { limit: maxFitRows }, { signal }),
  });
}
