import { queryOptions } from "@tanstack/react-query";
import { service } from "./service.ts";

export function entitiesQuery(projectId: string, search: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "entities", search],
    queryFn: ({ signal }) =>
      service.graph.entities(projectId, { limit: 50, ...(search === "" ? {} : { search }) }, { signal }),
  });
}

export function entityQuery(projectId: string, entityId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "entity", entityId],
    queryFn: ({ signal }) => service.graph.entity(projectId, entityId, { limit: 100 }, { signal }),
  });
}

/** The relationships of one entity, with the sentences that state them. */
export function relationshipsQuery(projectId: string, entityId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "relationships", entityId],
    queryFn: ({ signal }) =>
      service.graph.relationships(projectId, { entity_id: entityId, limit: 100 }, { signal }),
  });
}

/** The relationships of one type that an entity has, to find one of them. */
export function edgeQuery(projectId: string, { sourceId, type }: { sourceId: string; type: string }) {
  return queryOptions({
    queryKey: ["projects", projectId, "relationships", sourceId, type],
    queryFn: ({ signal }) =>
      service.graph.relationships(projectId, { entity_id: sourceId, type, limit: 500 }, { signal }),
  });
}

export const proposalsPage = 50;

/** Relationships that are not sure enough for the graph, the most confident first. */
export function proposalsQuery(projectId: string, offset: number) {
  return queryOptions({
    queryKey: ["projects", projectId, "proposals", offset],
    queryFn: ({ signal }) => service.graph.proposals(projectId, { limit: proposalsPage, offset }, { signal }),
  });
}

/** The entities that are mentioned together with an entity, with the sentences that do so. */
export function associationsQuery(projectId: string, entityId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "associations", entityId],
    queryFn: ({ signal }) => service.graph.associations(projectId, { entity_id: entityId }, { signal }),
  });
}
