/** A canvas over Sigma's, with the names of entities and the types of relationships, drawn again with each frame. */

import { plateOf } from "./draw-hover.ts";
import {
  createTakenRoom,
  drawLinks,
  drawNames,
  type PlacedEdge,
  type PlacedNode,
  type TakenRoom,
} from "./draw-names.ts";
import type { Drawn, Renderer } from "./drawn-graph.ts";
import { linkText } from "./link-text.ts";
import type { Position } from "./radial-layout.ts";
import type { Scene } from "./scene.ts";

/** Up to this number of entities names cover none of them. */
const maxObstacles = 1_500;
const maxNames = { few: 160, many: 70, moving: 40 } as const;
/** The best connected entities, whose names may cover others. */
const maxImportant = 24;
/** Entities, the most important first, that are looked at for each frame. */
const maxCandidates = { still: 1_200, moving: 150 } as const;
/** More lines leave no side of an entity free. */
const maxLines = 8;
/** Room for names of entities beyond the edge of the picture. */
const margin = 100;

export function addNameLayer(sigma: Renderer, drawn: Drawn): void {
  sigma.createCanvasContext("names", { style: { pointerEvents: "none" } });
  // Gives the new canvas its size.
  sigma.resize(true);
  const context = sigma.getCanvases()["names"]?.getContext("2d") ?? null;
  if (context === null) return;
  sigma.on("afterRender", () => {
    const { width, height } = sigma.getDimensions();
    context.clearRect(0, 0, width, height);
    if (drawn.scene !== null) drawLayer(context, sigma, drawn);
  });
}

function drawLayer(context: CanvasRenderingContext2D, sigma: Renderer, drawn: Drawn): void {
  const { graph, order, look, scene } = drawn;
  const isSmall = graph.order <= maxObstacles;
  const isMoving =
    !isSmall && (drawn.isMoving || sigma.getCamera().isAnimated() || sigma.getMouseCaptor().isMoving);
  const limit = isMoving ? maxNames.moving : isSmall ? maxNames.few : maxNames.many;
  const important = new Set(order.slice(0, scene?.kind === "overview" ? maxImportant : 0));
  const ids = new Map<PlacedNode, string>();
  for (const id of order.slice(0, maxCandidates[isMoving ? "moving" : "still"])) {
    const node = id === drawn.hovered ? null : placeOf(id, sigma, drawn);
    if (node !== null)
      ids.set({ ...node, isImportant: important.has(id), ends: isSmall ? endsOf(id, sigma, graph) : [] }, id);
  }
  const nodes = [...ids.keys()];
  const taken = createTakenRoom(sigma.getDimensions());
  if (drawn.hovered !== null) takePlate(context, sigma, { drawn, hovered: drawn.hovered, taken });
  const paint = look.paint;
  const obstacles = isSmall ? nodes : [];
  const named = drawNames(context, { nodes, obstacles, paint, limit }, taken);
  if (isMoving) return;
  const own = named.flatMap((node) => graph.edges(ids.get(node)));
  const edges = new Set(drawn.chosenEdge === null ? own : [drawn.chosenEdge, ...own]);
  const placed = [...edges].flatMap((edge): readonly PlacedEdge[] => {
    const [from, to] = graph.extremities(edge).map((id) => placeOf(id, sigma, drawn));
    const text = linkText(graph.getEdgeAttribute(edge, "types"));
    return from == null || to == null || text === ""
      ? []
      : [{ text, from, to, isChosen: edge === drawn.chosenEdge }];
  });
  drawLinks(context, { edges: placed, paint }, taken);
}

/** The name under the pointer stands on its plate, and no other one over it. */
function takePlate(
  context: CanvasRenderingContext2D,
  sigma: Renderer,
  { drawn, hovered, taken }: { drawn: Drawn; hovered: string; taken: TakenRoom },
): void {
  const node = placeOf(hovered, sigma, drawn);
  if (node === null) return;
  const { kind } = drawn.graph.getNodeAttributes(hovered);
  taken.take(plateOf(context, { ...node, kind }, sigma.getSetting("labelFont")));
}

/** null: out of sight, or not among what stands out. */
function placeOf(id: string, sigma: Renderer, { graph, scene, strong }: Drawn): PlacedNode | null {
  const data = sigma.getNodeDisplayData(id);
  if (data === undefined || (strong !== null && !strong.has(id))) return null;
  const { x, y } = sigma.framedGraphToViewport(data);
  const { width, height } = sigma.getDimensions();
  if (x < -margin || y < -margin || x > width + margin || y > height + margin) return null;
  const node = graph.getNodeAttributes(id);
  return {
    name: node.name,
    ...{ x, y },
    size: sigma.scaleSize(data.size),
    ...{ isImportant: false, ends: [] },
    isStrong: id === scene?.centre || strong !== null,
    side: sideOf(node, scene),
  };
}

/** Where the lines of an entity lead to. */
function endsOf(id: string, sigma: Renderer, graph: Drawn["graph"]): readonly Position[] {
  if (graph.degree(id) > maxLines) return [];
  return graph.neighbors(id).flatMap((other) => {
    const data = sigma.getNodeDisplayData(other);
    return data === undefined ? [] : [sigma.framedGraphToViewport(data)];
  });
}

/** Of a path outside of its waves, where no line is. */
function sideOf({ x, y }: Position, scene: Scene | null): PlacedNode["side"] {
  if (scene?.kind === "path") return y > 0 ? "above" : "below";
  return scene?.kind === "around" && x < -1 ? "left" : "right";
}
