/** Finds the line that somebody means who clicks near it: a line alone is too thin to hit. */
import type { DrawnGraph, Renderer } from "./drawn-graph.ts";
import type { Position } from "./radial-layout.ts";

/** In pixels on each side of a line: its text is as high. */
const reach = 8;

/** The id of the edge that is nearest to a place of the picture and within reach; null for none. */
export function nearestEdge(
  sigma: Pick<Renderer, "getNodeDisplayData" | "framedGraphToViewport">,
  graph: DrawnGraph,
  place: Position,
): string | null {
  const places = new Map<string, Position | null>();
  const placeOf = (node: string): Position | null => {
    const known = places.get(node);
    if (known !== undefined) return known;
    const data = sigma.getNodeDisplayData(node);
    const found = data === undefined ? null : sigma.framedGraphToViewport(data);
    places.set(node, found);
    return found;
  };
  let [nearest, least]: [string | null, number] = [null, reach];
  graph.forEachEdge((edge, _attributes, source, target) => {
    const [from, to] = [placeOf(source), placeOf(target)];
    if (from === null || to === null) return;
    const distance = distanceToLine(place, { from, to });
    if (distance <= least) [nearest, least] = [edge, distance];
  });
  return nearest;
}

export function distanceToLine(
  { x, y }: Position,
  { from, to }: { readonly from: Position; readonly to: Position },
): number {
  const [across, down] = [to.x - from.x, to.y - from.y];
  const along = ((x - from.x) * across + (y - from.y) * down) / (across ** 2 + down ** 2 || 1);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - from.x - share * across, y - from.y - share * down);
}
