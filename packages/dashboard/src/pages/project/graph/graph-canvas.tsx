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

/** Up to so many, all have their names; of more, those whose circle is large enough, in pixels. */
const fewNodes = 150;
const labelledSize = 7;
/** So many around what is selected have their names, however close they are. */
const fewNeighbours = 25;
/** As the page's own. */
const font = '"Inter Variable", system-ui, sans-serif';

export interface GraphCanvasProps {
  readonly graph: KnowledgeGraph;
  readonly palette: Palette;
  readonly selection: Selection | null;
  readonly hiddenKinds: ReadonlySet<string>;
  /** Nodes are still being placed. */
  readonly isMoving: boolean;
  readonly onSelect: (selection: Selection | null) => void;
  readonly onExpand: (entityId: string) => void;
}

/** The graph as a picture to move about in; everything in it is in the lists beside it, too. */
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
      labelRenderedSizeThreshold: graph.order <= fewNodes ? 0 : labelledSize,
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
        aria-label="The graph. Its entities are listed beside it."
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

/** Who chooses from the list does not know where it is; what is seen already stays where it is. */
function bringIntoView(drawn: Sigma<NodeAttributes, EdgeAttributes>, node: string): void {
  // What came a moment ago, or was placed anew, has no place in the picture before it is drawn.
  drawn.refresh();
  const place = drawn.getNodeDisplayData(node);
  if (place === undefined) return;
  const { x, y } = drawn.framedGraphToViewport(place);
  const { width, height } = drawn.getDimensions();
  if (x > 0 && x < width && y > 0 && y < height) return;
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const centre = { x: place.x, y: place.y };
  if (isStill) drawn.getCamera().setState(centre);
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

/** What stands out: the selection and what it touches; the rest fades. */
function reducersFor(
  graph: KnowledgeGraph,
  { palette, selection, hiddenKinds }: Pick<GraphCanvasProps, "palette" | "selection" | "hiddenKinds">,
): Partial<Settings<NodeAttributes, EdgeAttributes>> {
  const near = nearOf(graph, selection);
  return {
    nodeReducer(node, attributes) {
      const isFaded = near !== null && !near.nodes.has(node);
      const isSelected = selection?.kind === "node" && selection.id === node;
      return {
        ...attributes,
        color: isFaded ? palette.faded : palette.ofType(attributes.kind),
        label: isFaded ? "" : attributes.label,
        forceLabel: near !== null && !isFaded && near.nodes.size <= fewNeighbours,
        hidden: hiddenKinds.has(`node ${attributes.kind}`),
        highlighted: isSelected,
        zIndex: isFaded ? 0 : 1,
      };
    },
    edgeReducer(edge, attributes) {
      const isFaded = near !== null && !near.edges.has(edge);
      const isNear = near !== null && !isFaded;
      return {
        ...attributes,
        color: isFaded ? palette.faded : isNear ? palette.label : palette.edge,
        label: isNear ? attributes.label : "",
        hidden: hiddenKinds.has(`edge ${attributes.kind}`),
        zIndex: isFaded ? 0 : 1,
      };
    },
    edgeLabelColor: { color: palette.label },
    // What is selected has its name on a plate.
    defaultDrawNodeLabel(context, node, drawing) {
      if (!node.highlighted) drawDiscNodeLabel(context, node, drawing);
    },
  };
}

/** null: nothing is selected, everything stands out. */
function nearOf(graph: KnowledgeGraph, selection: Selection | null) {
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
