import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { entityQuery } from "../../../api/graph.ts";
import { service } from "../../../api/service.ts";
import {
  addNeighbourhood,
  addRelationships,
  createKnowledgeGraph,
  type KnowledgeGraph,
  maxNodes,
} from "./knowledge-graph.ts";

const pageSize = 500;

export interface ReadGraph {
  readonly graph: KnowledgeGraph;
  /** Raised when nodes or edges came; the graph itself changes in place. */
  readonly revision: number;
  readonly state: "reading" | "read" | { readonly fault: Error };
  /** There are relationships that are not drawn yet. */
  readonly hasMore: boolean;
  readonly readMore: () => Promise<void>;
  /** Brings an entity with what it is related to. */
  readonly expand: (entityId: string) => Promise<void>;
}

/** Begins with a page of relationships; more come when they are asked for. */
export function useKnowledgeGraph(projectId: string): ReadGraph {
  const queryClient = useQueryClient();
  const [graph] = useState(createKnowledgeGraph);
  const [revision, setRevision] = useState(0);
  const [state, setState] = useState<ReadGraph["state"]>("reading");
  const [next, setNext] = useState<number | null>(0);
  const changed = () => setRevision((count) => count + 1);

  const readPage = async (offset: number, signal?: AbortSignal) => {
    const page = await service.graph.relationships(
      projectId,
      { limit: pageSize, offset },
      signal === undefined ? undefined : { signal },
    );
    addRelationships(graph, page.relationships);
    const read = offset + page.relationships.length;
    setNext(
      page.relationships.length === pageSize && read < page.total && graph.order < maxNodes ? read : null,
    );
    changed();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each project.
  useEffect(() => {
    const stop = new AbortController();
    readPage(0, stop.signal).then(
      () => setState("read"),
      (error: unknown) => {
        if (!stop.signal.aborted)
          setState({ fault: error instanceof Error ? error : new Error(String(error)) });
      },
    );
    return () => stop.abort();
  }, [projectId]);

  return {
    ...{ graph, revision, state, hasMore: next !== null },
    readMore: () => (next === null ? Promise.resolve() : readPage(next)),
    async expand(entityId) {
      addNeighbourhood(graph, await queryClient.fetchQuery(entityQuery(projectId, entityId)));
      changed();
    },
  };
}
