/** A scene as the graph that Sigma draws. */
import { DirectedGraph } from "graphology";
import type Sigma from "sigma";
import { arrowsAround } from "./arrow-size.ts";
import type { Position, Positions } from "./radial-layout.ts";
import { isMutual, type Scene, type SceneEdge, type SceneNode } from "./scene.ts";
import { type Paint, type Shape, signOf, type TypeSlots } from "./type-sign.ts";

export interface NodeAttributes {
  name: string;
  /** Type of the entity. */
  kind: string;
  /** Of the drawing program. */
  type: "shape";
  shape: Shape;
  color: string;
  x: number;
  y: number;
  size: number;
  zIndex: number;
}

export interface EdgeAttributes {
  types: readonly string[];
  type: "arrow" | "line";
  color: string;
  size: number;
  zIndex: number;
}

export type DrawnGraph = DirectedGraph<NodeAttributes, EdgeAttributes>;

export interface Look {
  readonly paint: Paint;
  readonly isDark: boolean;
  readonly slots: TypeSlots;
}

export function isSameLook(one: Look, other: Look): boolean {
  return one.isDark === other.isDark && one.slots === other.slots;
}

export type Renderer = Sigma<NodeAttributes, EdgeAttributes>;

/** What is drawn now. */
export interface Drawn {
  graph: DrawnGraph;
  scene: Scene | null;
  look: Look;
  /** The entities, the most important first. */
  order: readonly string[];
  hovered: string | null;
  chosenEdge: string | null;
  /** The entities that stand out; null: nothing does. */
  strong: ReadonlySet<string> | null;
  isMoving: boolean;
  /** As a file, with whole names. */
  isPicture: boolean;
}

/** Arrows of more lines cannot be told apart, and take longer to draw. */
const maxArrows = 1_500;
/** More entities around a chosen one are smaller, so that they stand apart. */
const maxRoomy = 40;
/** More lines would be a thicket: they are paler. */
const maxClear = 600;

export function createDrawnGraph(scene: Scene, positions: Positions, look: Look): DrawnGraph {
  const graph: DrawnGraph = new DirectedGraph<NodeAttributes, EdgeAttributes>();
  for (const node of scene.nodes) {
    graph.addNode(node.id, attributesOf(node, { scene, look, position: positions.get(node.id) }));
  }
  const incoming = incomingOf(scene);
  const isFew = scene.edges.length <= maxArrows;
  const isClear = scene.kind !== "overview" || scene.edges.length <= maxClear;
  for (const edge of scene.edges) {
    // Arrows that run into each other say nothing, and hide what they lead to.
    const isRoom =
      (incoming.get(edge.target) ?? 0) <= arrowsAround(graph.getNodeAttribute(edge.target, "size"));
    graph.addDirectedEdgeWithKey(
      edge.id,
      edge.source,
      edge.target,
      lineOf(edge, { hasArrows: isFew && isRoom, isClear, isNear: scene.kind !== "overview", look }),
    );
  }
  return graph;
}

/** How many lines lead to an entity. */
function incomingOf({ edges }: Scene): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { target } of edges) counts.set(target, (counts.get(target) ?? 0) + 1);
  return counts;
}

function attributesOf(
  { id, name, type, degree }: SceneNode,
  { scene, look, position = { x: 0, y: 0 } }: { scene: Scene; look: Look; position: Position | undefined },
): NodeAttributes {
  const { colour, shape } = signOf(type, look.isDark, look.slots);
  const isCentre = id === scene.centre;
  return {
    ...{ name, kind: type, type: "shape", shape, color: colour },
    ...{ x: position.x, y: position.y },
    size: isCentre
      ? 16
      : scene.kind === "overview"
        ? sizeOf(degree, scene.nodes.length)
        : (scene.nodes.length > maxRoomy ? 0.7 : 1) * (8 + Math.min(4, degree)),
    zIndex: isCentre ? 2 : 1,
  };
}

/** In pixels. In large graphs entities are smaller. */
export function sizeOf(degree: number, nodes: number): number {
  const scale = [1_500, 600, 150].filter((many) => nodes > many).length;
  return (1 - 0.2 * scale) * (4 + Math.min(10, 1.9 * Math.sqrt(degree)));
}

function lineOf(
  { types, there, back, chunks }: SceneEdge,
  {
    hasArrows,
    isClear,
    isNear,
    look: { paint },
  }: { hasArrows: boolean; isClear: boolean; isNear: boolean; look: Look },
): EdgeAttributes {
  const isAssociation = types.length === 0;
  return {
    types,
    type: hasArrows && !isMutual({ there, back }) ? "arrow" : "line",
    color: isClear && !isAssociation ? paint.strong : paint.edge,
    size: isAssociation ? 0.8 : isNear ? 1.6 : isClear ? 1.1 + Math.min(1.1, Math.log2(chunks) / 4) : 0.8,
    zIndex: isAssociation ? 0 : 1,
  };
}
