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
import { type DrawnAssociations, useAssociations } from "./use-associations.ts";

const pageSize = 500;
/** Up to this number of relationships the associations are drawn without being asked for. */
const fewRelationships = 30;
/** The service lists at most this number of pages. */
const maxPages = 21;

export interface ReadGraph {
  readonly graph: KnowledgeGraph;
  /** Increases when nodes or edges are added, because the graph is mutated in place. */
  readonly revision: number;
  readonly state: "reading" | "read" | { readonly fault: Error };
  /** Whether there are relationships that are not loaded yet. */
  readonly hasMore: boolean;
  readonly readMore: () => Promise<void>;
  /** Loads all relationships that the service lists, up to the number that can be drawn. */
  readonly readAll: () => Promise<void>;
  /** State of `readMore` and `readAll`. */
  readonly more: "idle" | "reading" | { readonly fault: Error };
  /** Adds an entity with its relationships, and with its associations if they are drawn. */
  readonly expand: (entityId: string) => Promise<void>;
  readonly associations: DrawnAssociations;
}

/** Loads the first page of relationships, and more on request. */
export function useKnowledgeGraph(projectId: string): ReadGraph {
  const queryClient = useQueryClient();
  const [graph] = useState(createKnowledgeGraph);
  const [revision, setRevision] = useState(0);
  const [state, setState] = useState<ReadGraph["state"]>("reading");
  const [next, setNext] = useState<number | null>(0);
  const [more, setMore] = useState<ReadGraph["more"]>("idle");
  const changed = () => setRevision((count) => count + 1);
  const associations = useAssociations(projectId, graph, changed);

  /** Resolves to the offset of the next page; null after the last one. */
  const readPage = async (offset: number, signal?: AbortSignal): Promise<number | null> => {
    const page = await service.graph.relationships(
      projectId,
      { limit: pageSize, offset },
      signal === undefined ? undefined : { signal },
    );
    addRelationships(graph, page.relationships);
    const read = offset + page.relationships.length;
    const isLast = page.relationships.length < pageSize || read >= page.total || graph.order >= maxNodes;
    return isLast ? null : read;
  };

  /** Updates the revision once, after the last page, so that the graph is laid out and drawn only once. */
  const readPages = async (count: number) => {
    setMore("reading");
    let from = next;
    try {
      for (let page = 0; page < count && from !== null; page++) from = await readPage(from);
      setMore("idle");
    } catch (error) {
      setMore({ fault: errorOf(error) });
    }
    setNext(from);
    changed();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once per project.
  useEffect(() => {
    const stop = new AbortController();
    readPage(0, stop.signal).then(
      (after) => {
        setNext(after);
        changed();
        setState("read");
        if (graph.size <= fewRelationships) void associations.draw(true);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ fault: errorOf(error) });
      },
    );
    return () => stop.abort();
  }, [projectId]);

  return {
    graph,
    revision,
    state,
    more,
    hasMore: next !== null,
    readMore: () => readPages(1),
    readAll: () => readPages(maxPages),
    associations,
    async expand(entityId) {
      const detail = await queryClient.fetchQuery(entityQuery(projectId, entityId));
      addNeighbourhood(graph, detail);
      await associations.expand(detail);
      changed();
    },
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
