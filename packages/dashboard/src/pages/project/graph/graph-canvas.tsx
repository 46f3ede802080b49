import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef } from "react";
import Sigma from "sigma";
import { drawDiscNodeLabel } from "sigma/rendering";
import type { Settings } from "sigma/settings";
import { Button } from "../../../components/button.tsx";
import { drawHoverWith } from "./draw-hover.ts";
import styles from "./graph-canvas.module.css";
import type { EdgeAttributes, KnowledgeGraph, NodeAttributes } from "./knowledge-graph.ts";
import type { Palette } from "./type-colours.ts";

export type Selection =
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "edge"; readonly id: string };

/** Up to this number of nodes all of them have labels; in larger graphs only nodes of at least `minLabelledSize`. */
const maxAllLabelled = 150;
/** Size of a node's circle in pixels. */
const minLabelledSize = 7;
/** Up to this number of highlighted nodes have labels even if the labels overlap. */
const maxForcedLabels = 25;
/** The font of the page. */
const font = '"Inter Variable", system-ui, sans-serif';

export interface GraphCanvasProps {
  readonly graph: KnowledgeGraph;
  readonly palette: Palette;
  readonly selection: Selection | null;
  readonly hiddenKinds: ReadonlySet<string>;
  /** The layout is still running. */
  readonly isMoving: boolean;
  readonly onSelect: (selection: Selection | null) => void;
  readonly onExpand: (entityId: string) => void;
}

/** A drawing of the graph with pan and zoom. The lists next to it contain the same information. */
export function GraphCanvas(props: GraphCanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const sigma = useRef<Sigma<NodeAttributes, EdgeAttributes> | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const { graph, palette, selection, hiddenKinds, isMoving } = props;

  useEffect(() => {
    if (container.current === null) return;
    const drawn = new Sigma<NodeAttributes, EdgeAttributes>(graph, container.current, settings());
    sigma.current = drawn;
    drawn.on("clickNode", ({ node }) => latest.current.onSelect({ kind: "node", id: node }));
    drawn.on("clickEdge", ({ edge }) => latest.current.onSelect({ kind: "edge", id: edge }));
    drawn.on("clickStage", () => latest.current.onSelect(null));
    drawn.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
      preventSigmaDefault();
      latest.current.onExpand(node);
    });
    return () => {
      drawn.kill();
      sigma.current = null;
    };
  }, [graph]);

  useEffect(() => {
    const reducers = reducersFor(graph, { palette, selection, hiddenKinds });
    sigma.current?.setSettings({
      ...reducers,
      labelColor: { color: palette.label },
      labelRenderedSizeThreshold: graph.order <= maxAllLabelled ? 0 : minLabelledSize,
      defaultDrawNodeHover: drawHoverWith(palette),
    });
  }, [graph, palette, selection, hiddenKinds]);

  useEffect(() => {
    if (sigma.current === null || selection?.kind !== "node" || isMoving) return;
    bringIntoView(sigma.current, selection.id);
  }, [selection, isMoving]);

  const camera = () => sigma.current?.getCamera();
  return (
    <div className={styles.frame}>
      <div
        ref={container}
        className={styles.canvas}
        role="img"
        aria-label="The graph. Its entities are in the list on this page."
      />
      <div className={styles.tools}>
        <Button size="icon" aria-label="Zoom in" onPress={() => void camera()?.animatedZoom()}>
          <ZoomIn aria-hidden size={16} />
        </Button>
        <Button size="icon" aria-label="Zoom out" onPress={() => void camera()?.animatedUnzoom()}>
          <ZoomOut aria-hidden size={16} />
        </Button>
        <Button size="icon" aria-label="Show all" onPress={() => void camera()?.animatedReset()}>
          <Maximize aria-hidden size={16} />
        </Button>
      </div>
    </div>
  );
}

/** Moves the camera to a node that was selected in the list, unless the node is visible already. */
function bringIntoView(drawn: Sigma<NodeAttributes, EdgeAttributes>, node: string): void {
  // New and moved nodes have no display position before they are drawn.
  drawn.refresh();
  const place = drawn.getNodeDisplayData(node);
  if (place === undefined) return;
  const { x, y } = drawn.framedGraphToViewport(place);
  const { width, height } = drawn.getDimensions();
  if (x > 0 && x < width && y > 0 && y < height) return;
  const hasReducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const centre = { x: place.x, y: place.y };
  if (hasReducedMotion) drawn.getCamera().setState(centre);
  else void drawn.getCamera().animate(centre, { duration: 300 });
}

function settings(): Partial<Settings<NodeAttributes, EdgeAttributes>> {
  return {
    allowInvalidContainer: true,
    enableEdgeEvents: true,
    renderEdgeLabels: true,
    defaultEdgeType: "arrow",
    hideEdgesOnMove: true,
    labelDensity: 0.6,
    labelFont: font,
    edgeLabelFont: font,
    labelSize: 13,
    edgeLabelSize: 11,
    stagePadding: 48,
    zIndex: true,
  };
}

/** Highlights the selection and its neighbours; the rest is faded. */
function reducersFor(
  graph: KnowledgeGraph,
  { palette, selection, hiddenKinds }: Pick<GraphCanvasProps, "palette" | "selection" | "hiddenKinds">,
): Partial<Settings<NodeAttributes, EdgeAttributes>> {
  const highlight = highlightOf(graph, selection);
  return {
    nodeReducer(node, attributes) {
      const isFaded = highlight !== null && !highlight.nodes.has(node);
      const isSelected = selection?.kind === "node" && selection.id === node;
      return {
        ...attributes,
        color: isFaded ? palette.faded : palette.ofType(attributes.kind),
        label: isFaded ? "" : attributes.label,
        forceLabel: highlight !== null && !isFaded && highlight.nodes.size <= maxForcedLabels,
        hidden: hiddenKinds.has(`node ${attributes.kind}`),
        highlighted: isSelected,
        zIndex: isFaded ? 0 : 1,
      };
    },
    edgeReducer(edge, attributes) {
      const { kind } = attributes;
      const isFaded = highlight !== null && !highlight.edges.has(edge);
      const isHighlighted = highlight !== null && !isFaded;
      return {
        ...attributes,
        // An association stays lighter than a relationship.
        color: isFaded ? palette.faded : isHighlighted && kind !== null ? palette.label : palette.edge,
        label: isHighlighted ? attributes.label : "",
        hidden: kind !== null && hiddenKinds.has(`edge ${kind}`),
        zIndex: isFaded ? 0 : 1,
      };
    },
    edgeLabelColor: { color: palette.label },
    // `drawHoverWith` draws the name of the selected node.
    defaultDrawNodeLabel(context, node, drawing) {
      if (!node.highlighted) drawDiscNodeLabel(context, node, drawing);
    },
  };
}

/** The highlighted nodes and edges; null when nothing is selected. */
function highlightOf(graph: KnowledgeGraph, selection: Selection | null) {
  if (selection?.kind === "node" && graph.hasNode(selection.id)) {
    return {
      nodes: new Set([selection.id, ...graph.neighbors(selection.id)]),
      edges: new Set(graph.edges(selection.id)),
    };
  }
  if (selection?.kind === "edge" && graph.hasEdge(selection.id)) {
    return { nodes: new Set(graph.extremities(selection.id)), edges: new Set([selection.id]) };
  }
  return null;
}
