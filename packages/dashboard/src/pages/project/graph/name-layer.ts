/** A canvas over Sigma's, with the names of entities and the types of relationships, drawn again with each frame. */

import { drawPlate, placePlate } from "./draw-hover.ts";
import { drawLinks, type PlacedEdge } from "./draw-links.ts";
import { type Box, createTakenRoom, drawNames, type PlacedNode } from "./draw-names.ts";
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
    if (node === null) continue;
    const ends = isSmall ? endsOf(id, sigma, { graph, isCentre: id === scene?.centre }) : [];
    ids.set({ ...node, isImportant: important.has(id), ends }, id);
  }
  const nodes = [...ids.keys()];
  const taken = createTakenRoom(sigma.getDimensions());
  const plate = drawn.hovered === null ? null : plateFor(context, sigma, { drawn, id: drawn.hovered, nodes });
  if (plate !== null) taken.take(plate.box);
  const paint = look.paint;
  const obstacles = isSmall ? nodes : [];
  const named = drawNames(context, { nodes, obstacles, paint, limit, isWhole: drawn.isPicture }, taken);
  // Of what somebody has chosen every line has its type, as far as there is room, also that of an entity whose name has none.
  const isNear = scene?.kind !== "overview";
  const ends = (isNear ? nodes : named).flatMap((node) => ids.get(node) ?? []);
  const links = { edges: linksOf(ends, sigma, drawn), obstacles, paint, isWhole: scene?.kind === "path" };
  if (!isMoving) drawLinks(context, links, taken);
  // The last, so that nothing is written over it.
  if (plate !== null) drawPlate(context, plate, { box: plate.box, paint });
}

/** The lines that have their types: of the entity under the pointer, if its lines stand out, else of the entities with names. */
function linksOf(named: readonly string[], sigma: Renderer, drawn: Drawn): readonly PlacedEdge[] {
  const { graph, hovered, strong, chosenEdge } = drawn;
  const ends = hovered === null || strong === null || chosenEdge !== null ? named : [hovered];
  const own = ends.flatMap((id) => graph.edges(id));
  const edges = new Set(chosenEdge === null ? own : [chosenEdge, ...own]);
  return [...edges].flatMap((edge): readonly PlacedEdge[] => {
    const [from, to] = graph.extremities(edge).map((id) => placeOf(id, sigma, drawn));
    const text = linkText(graph.getEdgeAttribute(edge, "types"));
    return from == null || to == null || text === ""
      ? []
      : [{ text, from, to, isChosen: edge === chosenEdge }];
  });
}

/** Of the entity under the pointer; null: it is out of sight. */
function plateFor(
  context: CanvasRenderingContext2D,
  sigma: Renderer,
  { drawn, id, nodes }: { drawn: Drawn; id: string; nodes: readonly PlacedNode[] },
) {
  // Also while a line is chosen that is not one of its own.
  const node = placeOf(id, sigma, { ...drawn, strong: null });
  if (node === null) return null;
  const { kind } = drawn.graph.getNodeAttributes(id);
  const ends = endsOf(id, sigma, { graph: drawn.graph, isCentre: false });
  const plate = { ...node, kind, ends, labelFont: sigma.getSetting("labelFont") };
  const box: Box = placePlate(context, plate, { ...sigma.getDimensions(), others: nodes });
  return { ...plate, box };
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

/** Where the lines of an entity lead to. Those of the centre also where they are many: its name stands in any case. */
function endsOf(
  id: string,
  sigma: Renderer,
  { graph, isCentre }: { readonly graph: Drawn["graph"]; readonly isCentre: boolean },
): readonly Position[] {
  if (!isCentre && graph.degree(id) > maxLines) return [];
  return graph.neighbors(id).flatMap((other) => {
    const data = sigma.getNodeDisplayData(other);
    return data === undefined ? [] : [sigma.framedGraphToViewport(data)];
  });
}

/** Of a path above or below, because its lines lead to the sides. */
function sideOf({ x }: Position, scene: Scene | null): PlacedNode["side"] {
  if (scene?.kind === "path") return "below";
  return scene?.kind === "around" && x < -1 ? "left" : "right";
}
