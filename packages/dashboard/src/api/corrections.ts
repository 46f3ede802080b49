import type { CreateCorrections } from "@kcs/sdk";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { projectQuery } from "./projects.ts";
import { service } from "./service.ts";

export const correctionsPage = 50;

export type NewCorrection = CreateCorrections["corrections"][number];

export function correctionsQuery(projectId: string, offset: number) {
  return queryOptions({
    queryKey: ["projects", projectId, "corrections", offset],
    queryFn: ({ signal }) =>
      service.corrections.list(projectId, { limit: correctionsPage, offset }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** All that is shown of a project may have changed. */
export function refreshProject(client: QueryClient, projectId: string): Promise<void> {
  return client.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
}
