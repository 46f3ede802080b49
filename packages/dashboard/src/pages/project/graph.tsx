import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { AssociationPanel } from "./graph/association-panel.tsx";
import { EdgePanel } from "./graph/edge-panel.tsx";
import { EntityPanel } from "./graph/entity-panel.tsx";
import { EntitySearch } from "./graph/entity-search.tsx";
import { GraphCanvas, type Selection } from "./graph/graph-canvas.tsx";
import { KindFilter } from "./graph/kind-filter.tsx";
import { countAssociations, countKinds, type KnowledgeGraph } from "./graph/knowledge-graph.ts";
import { ProposalTable } from "./graph/proposal-table.tsx";
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
  const [isProposed, setProposed] = useState(false);
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
        {isProposed ? (
          <ProposalTable projectId={projectId} />
        ) : graph.order === 0 ? (
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
            <LinePanel projectId={projectId} graph={graph} edge={selection.id} onChoose={choose} />
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
        <CheckboxField
          label="Associations"
          isSelected={read.associations.isDrawn}
          onChange={(isDrawn) => {
            setSelection(null);
            void read.associations.draw(isDrawn);
          }}
        />
        <CheckboxField label="Proposed" isSelected={isProposed} onChange={setProposed} />
        <DrawnCount read={read} isMoving={isMoving} />
      </div>
    </div>
  );
}

/** What a line stands for: a relationship or an association. */
function LinePanel({
  projectId,
  graph,
  edge,
  onChoose,
}: {
  readonly projectId: string;
  readonly graph: KnowledgeGraph;
  readonly edge: string;
  readonly onChoose: (entityId: string) => void;
}) {
  const { kind } = graph.getEdgeAttributes(edge);
  const [source, target] = graph.extremities(edge);
  return kind === null ? (
    <AssociationPanel
      projectId={projectId}
      entityId={source}
      name={graph.getNodeAttribute(source, "label")}
      otherId={target}
      onChoose={onChoose}
    />
  ) : (
    <EdgePanel projectId={projectId} edgeId={edge} sourceId={source} type={kind} onChoose={onChoose} />
  );
}

/** The types in the loaded part of the graph, with their colours. */
function useKinds({ graph, revision }: ReadGraph) {
  const isDark = useDark();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the graph is mutated in place, and its revision signals the change.
  const kinds = useMemo(
    () => ({
      nodes: countKinds(graph.mapNodes((_node, { kind }) => kind)),
      edges: countKinds(graph.mapEdges((_edge, { kind }) => kind ?? []).flat()),
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
  read: { graph, hasMore, more, readMore, readAll, associations },
  isMoving,
}: {
  readonly read: ReadGraph;
  /** The layout is still running. */
  readonly isMoving: boolean;
}) {
  if (graph.order === 0) return null;
  const isReading = more === "reading" || associations.state === "reading";
  const faults = [more, associations.state].filter((state) => typeof state === "object");
  return (
    <div className={styles.drawn}>
      <p role="status" className={styles.count}>
        {isReading
          ? "Loading more …"
          : isMoving
            ? `Arranging ${countsOf(graph)} …`
            : `${countsOf(graph)} drawn`}
      </p>
      {faults.map(({ fault }) => (
        <FaultNotice key={fault.message} error={fault} />
      ))}
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

function countsOf(graph: KnowledgeGraph): string {
  const associations = countAssociations(graph);
  const facts = [
    counted(graph.order, "entity", "entities"),
    counted(graph.size - associations, "relationship", "relationships"),
  ];
  if (associations === 0) return facts.join(" and ");
  return [...facts, counted(associations, "association", "associations")].join(", ");
}

function counted(count: number, one: string, several: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}
