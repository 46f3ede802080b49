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
/** The service lists no more than these. */
const maxPages = 21;

export interface ReadGraph {
  readonly graph: KnowledgeGraph;
  /** Raised when nodes or edges came; the graph itself changes in place. */
  readonly revision: number;
  readonly state: "reading" | "read" | { readonly fault: Error };
  /** There are relationships that are not drawn yet. */
  readonly hasMore: boolean;
  readonly readMore: () => Promise<void>;
  /** All that a project lists, up to as many as can be drawn. */
  readonly readAll: () => Promise<void>;
  /** More is being read, or why it could not be. */
  readonly more: "idle" | "reading" | { readonly fault: Error };
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
  const [more, setMore] = useState<ReadGraph["more"]>("idle");
  const changed = () => setRevision((count) => count + 1);

  /** Where the next page begins; null after the last one. */
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

  /** Laid out and drawn once, after the last of them. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once for each project.
  useEffect(() => {
    const stop = new AbortController();
    readPage(0, stop.signal).then(
      (after) => {
        setNext(after);
        changed();
        setState("read");
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setState({ fault: errorOf(error) });
      },
    );
    return () => stop.abort();
  }, [projectId]);

  return {
    ...{ graph, revision, state, more, hasMore: next !== null },
    readMore: () => readPages(1),
    readAll: () => readPages(maxPages),
    async expand(entityId) {
      addNeighbourhood(graph, await queryClient.fetchQuery(entityQuery(projectId, entityId)));
      changed();
    },
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
