import { queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export const ontologiesQuery = queryOptions({
  queryKey: ["ontologies"],
  queryFn: ({ signal }) => service.ontologies.list({}, { signal }),
});

export function ontologyQuery(ontologyId: string) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId],
    queryFn: ({ signal }) => service.ontologies.get(ontologyId, { signal }),
  });
}

/** Newest first, each with the number of projects that are bound to it. */
export function ontologyVersionsQuery(ontologyId: string) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId, "versions"],
    queryFn: ({ signal }) => service.ontologies.versions(ontologyId, { signal }),
  });
}

/** Runs the service's checks without storing the schema. */
export function ontologyCheckQuery(schema: Readonly<Record<string, unknown>> | null) {
  return queryOptions({
    queryKey: ["ontology-check", schema],
    queryFn: ({ signal }) => service.ontologies.lint({ schema: schema ?? {} }, { signal }),
    enabled: schema !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
