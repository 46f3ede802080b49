/** What the graph has of a relationship of an answer: its sentences, as on the pages of its entities. */
import type { EvidencedRelationship, QueryResult } from "@kcs/sdk";
import { queryOptions } from "@tanstack/react-query";
import { entitiesQuery } from "../../../api/graph.ts";
import { service } from "../../../api/service.ts";

export type AnswerRelationship = QueryResult["results"]["relationships"][number];

/** An answer names the ends of its relationships, so the entity is found by its name first. null: it is gone. */
export function evidenceQuery(projectId: string, { source, type, target }: AnswerRelationship) {
  return queryOptions({
    queryKey: ["projects", projectId, "evidence", source, type, target],
    async queryFn({ client, signal }): Promise<EvidencedRelationship | null> {
      // Relationships that are listed together have few sources.
      const { entities } = await client.fetchQuery({
        ...entitiesQuery(projectId, { find: source, type: null, from: 0 }),
        staleTime: 60_000,
      });
      for (const { name, entity_id } of entities) {
        if (name !== source) continue;
        const { relationships } = await service.graph.relationships(
          projectId,
          { entity_id, type, limit: 500 },
          { signal },
        );
        const found = relationships.find((one) => one.source.name === source && one.target.name === target);
        if (found !== undefined) return found;
      }
      return null;
    },
  });
}
