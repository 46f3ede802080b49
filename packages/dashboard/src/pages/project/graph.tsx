import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { EdgePanel } from "./graph/edge-panel.tsx";
import { EntityPanel } from "./graph/entity-panel.tsx";
import { EntitySearch } from "./graph/entity-search.tsx";
import { GraphCanvas, type Selection } from "./graph/graph-canvas.tsx";
import { KindFilter } from "./graph/kind-filter.tsx";
import { countKinds } from "./graph/knowledge-graph.ts";
import { createPalette } from "./graph/type-colours.ts";
import { useDark } from "./graph/use-dark.ts";
import { type ReadGraph, useKnowledgeGraph } from "./graph/use-knowledge-graph.ts";
import { useLayout } from "./graph/use-layout.ts";
import styles from "./graph.module.css";

/** Entities and relationships as a drawing and as lists, with their evidence. */
export function GraphPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const read = useKnowledgeGraph(projectId);
  if (typeof read.state === "object") return <PageFault error={read.state.fault} />;
  if (read.state === "reading") return <PageSkeleton />;
  return <GraphView projectId={projectId} read={read} />;
}

function GraphView({ projectId, read }: { readonly projectId: string; readonly read: ReadGraph }) {
  const { graph, revision } = read;
  const { find = "" } = useSearch({ from: "/signed-in/projects/$projectId/graph" });
  const [selection, setSelection] = useState<Selection | null>(null);
  const [hiddenKinds, setHiddenKinds] = useState<ReadonlySet<string>>(new Set());
  const { kinds, palette } = useKinds(read);
  const isMoving = useLayout(graph, revision);
  const choose = (entityId: string) => {
    setSelection({ kind: "node", id: entityId });
    void read.expand(entityId);
  };
  return (
    <div className={styles.page}>
      <div className={styles.search}>
        <EntitySearch
          projectId={projectId}
          initial={find}
          selected={selection?.kind === "node" ? selection.id : null}
          onChoose={choose}
        />
      </div>
      <div className={styles.picture}>
        {graph.order === 0 ? (
          <EmptyState title="No relationship to draw yet">
            Relationships are extracted from documents.{" "}
            <Link to="/projects/$projectId/ingest" params={{ projectId }}>
              Add some
            </Link>
            , or select an entity from the list.
          </EmptyState>
        ) : (
          <GraphCanvas
            graph={graph}
            palette={palette}
            selection={selection}
            hiddenKinds={hiddenKinds}
            isMoving={isMoving}
            onSelect={setSelection}
            onExpand={(id) => void read.expand(id)}
          />
        )}
      </div>
      {selection !== null && (
        <aside className={styles.panel} aria-label="Selection">
          {selection.kind === "node" ? (
            <EntityPanel projectId={projectId} entityId={selection.id} onExpand={choose} onChoose={choose} />
          ) : (
            <EdgePanel
              projectId={projectId}
              edgeId={selection.id}
              sourceId={graph.source(selection.id)}
              type={graph.getEdgeAttribute(selection.id, "kind")}
              onChoose={choose}
            />
          )}
        </aside>
      )}
      <div className={styles.filters}>
        <KindFilter
          label="Entities drawn"
          prefix="node"
          kinds={kinds.nodes}
          hidden={hiddenKinds}
          onChange={setHiddenKinds}
          colourOf={palette.ofType}
        />
        <KindFilter
          label="Relationships drawn"
          prefix="edge"
          kinds={kinds.edges}
          hidden={hiddenKinds}
          onChange={setHiddenKinds}
        />
        <DrawnCount read={read} isMoving={isMoving} />
      </div>
    </div>
  );
}

/** The types in the loaded part of the graph, with their colours. */
function useKinds({ graph, revision }: ReadGraph) {
  const isDark = useDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph is mutated in place, and its revision signals the change.
  const kinds = useMemo(
    () => ({
      nodes: countKinds(graph.mapNodes((_node, { kind }) => kind)),
      edges: countKinds(graph.mapEdges((_edge, { kind }) => kind)),
    }),
    [graph, revision],
  );
  const names = kinds.nodes.map(({ kind }) => kind);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are derived from the kinds.
  const palette = useMemo(() => createPalette(names, isDark), [kinds, isDark]);
  return { kinds, palette };
}

/** Says how much of the graph is drawn, and loads more on a click. */
function DrawnCount({
  read: { graph, hasMore, more, readMore, readAll },
  isMoving,
}: {
  readonly read: ReadGraph;
  /** The layout is still running. */
  readonly isMoving: boolean;
}) {
  if (graph.order === 0) return null;
  const isReading = more === "reading";
  const relationships = `${graph.size.toLocaleString("en")} ${graph.size === 1 ? "relationship" : "relationships"}`;
  const counts = `${graph.order.toLocaleString("en")} ${graph.order === 1 ? "entity" : "entities"} and ${relationships}`;
  return (
    <div className={styles.drawn}>
      <p role="status" className={styles.count}>
        {isReading ? "Loading more …" : isMoving ? `Arranging ${counts} …` : `${counts} drawn`}
      </p>
      {typeof more === "object" && <FaultNotice error={more.fault} />}
      {hasMore && (
        <div className={styles.more}>
          <Button size="small" isPending={isReading} onPress={() => void readMore()}>
            Draw more
          </Button>
          <Button size="small" isPending={isReading} onPress={() => void readAll()}>
            Draw all
          </Button>
        </div>
      )}
    </div>
  );
}
