import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { associationsQuery, entitiesQuery } from "../../../api/graph.ts";
import { addAssociations, type KnowledgeGraph, removeAssociations } from "./knowledge-graph.ts";

/** Entities whose associations are drawn at once: each takes a request. */
const maxAssociated = 40;
const concurrentRequests = 4;

type DrawnEntity = Parameters<typeof addAssociations>[1];

export interface DrawnAssociations {
  readonly isDrawn: boolean;
  readonly state: "idle" | "reading" | { readonly fault: Error };
  /** Draws those of the most connected entities, or of the first ones of the list if there is none; or removes all. */
  readonly draw: (isDrawn: boolean) => Promise<void>;
  /** Adds those of one more entity, if any are drawn. */
  readonly expand: (entity: DrawnEntity) => Promise<void>;
}

export function useAssociations(
  projectId: string,
  graph: KnowledgeGraph,
  onChange: () => void,
): DrawnAssociations {
  const queryClient = useQueryClient();
  const [isDrawn, setDrawn] = useState(false);
  const [state, setState] = useState<DrawnAssociations["state"]>("idle");

  const read = async (entity: DrawnEntity) => {
    const { associations } = await queryClient.fetchQuery(associationsQuery(projectId, entity.entity_id));
    return { entity, associations };
  };
  const addAll = async () => {
    const listed =
      graph.order === 0 ? (await queryClient.fetchQuery(entitiesQuery(projectId, ""))).entities : [];
    const entities = [...mostConnected(graph), ...listed].slice(0, maxAssociated);
    for (let from = 0; from < entities.length; from += concurrentRequests) {
      const lists = await Promise.all(entities.slice(from, from + concurrentRequests).map(read));
      for (const { entity, associations } of lists) addAssociations(graph, entity, associations);
    }
  };

  return {
    isDrawn,
    state,
    async draw(shouldDraw) {
      setDrawn(shouldDraw);
      if (shouldDraw) {
        setState("reading");
        await addAll().then(
          () => setState("idle"),
          (error: unknown) => setState({ fault: error instanceof Error ? error : new Error(String(error)) }),
        );
      } else removeAssociations(graph);
      onChange();
    },
    async expand(entity) {
      if (isDrawn) addAssociations(graph, entity, (await read(entity)).associations);
    },
  };
}

function mostConnected(graph: KnowledgeGraph): readonly DrawnEntity[] {
  return graph
    .mapNodes((node, { label, kind }) => ({ entity_id: node, name: label, type: kind }))
    .sort((one, other) => graph.degree(other.entity_id) - graph.degree(one.entity_id));
}
