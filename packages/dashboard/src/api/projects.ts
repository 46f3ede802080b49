import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";

export interface ListedProject {
  readonly project_id: string;
  readonly name: string;
  readonly mode: "vector_only" | "kg_vector";
  readonly created_at: string;
  readonly ontology: { readonly name: string } | null;
}

export const projectsQuery = queryOptions({
  queryKey: ["projects"],
  queryFn: ({ signal }) =>
    request<{ readonly projects: readonly ListedProject[] }>("api/v1/projects", { signal }),
});
