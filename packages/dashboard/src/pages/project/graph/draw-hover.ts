/** What stands out of the entity under the pointer: a ring, and a plate with its name and type. */
import type { NodeHoverDrawingFunction } from "sigma/rendering";
import { type Box, meets, type PlacedNode } from "./draw-names.ts";
import type { EdgeAttributes, NodeAttributes } from "./drawn-graph.ts";
import type { Paint } from "./type-sign.ts";

const padding = 8;
const height = 42;
/** Between the entity and its plate. */
const gap = 10;

/** The plate is drawn with the names, over all of them. */
export function drawRingWith(
  paintNow: () => Paint,
): NodeHoverDrawingFunction<NodeAttributes, EdgeAttributes> {
  return (context, { x, y, size }) => {
    context.beginPath();
    context.arc(x, y, size + 4, 0, 2 * Math.PI);
    context.strokeStyle = paintNow().accent;
    context.lineWidth = 2;
    context.stroke();
  };
}

export interface Plate extends Pick<PlacedNode, "name"> {
  /** Type of the entity. */
  readonly kind: string;
  readonly labelFont: string;
}

export function drawPlate(
  context: CanvasRenderingContext2D,
  { name, kind, labelFont }: Plate,
  { box, paint }: { readonly box: Box; readonly paint: Paint },
): void {
  const middle = (box.top + box.bottom) / 2;
  context.beginPath();
  context.roundRect(box.left, box.top, box.right - box.left, height, 8);
  context.fillStyle = paint.surface;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = paint.edge;
  context.stroke();
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.direction = "ltr";
  context.font = nameFont(labelFont);
  context.fillStyle = paint.ink;
  context.fillText(name, box.left + padding, middle - 8);
  context.font = typeFont(labelFont);
  context.fillStyle = paint.soft;
  context.fillText(kind, box.left + padding, middle + 10);
}

interface Around {
  /** Of the picture. */
  readonly width: number;
  readonly height: number;
  /** The entities that can be seen. */
  readonly others: readonly Pick<PlacedNode, "x" | "y" | "size">[];
}

/** Beside the entity, within the picture, where it covers the fewest other entities, and of equal sides the fewest of its lines. */
export function placePlate(
  context: CanvasRenderingContext2D,
  plate: Plate & Pick<PlacedNode, "x" | "y" | "size" | "ends">,
  { width, height: high, others }: Around,
): Box {
  const sides = sidesOf(plate, { across: widthOf(context, plate), width, high });
  const within = sides.filter(
    ({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= width && bottom <= high,
  );
  const costs = (within.length === 0 ? sides.slice(0, 1) : within).map((box) => ({
    box,
    covered: others.filter((other) => covers(box, other)).length,
    crossed: plate.ends.filter((end) => meets(box, { from: plate, to: end })).length,
  }));
  return costs.reduce((best, next) =>
    next.covered < best.covered || (next.covered === best.covered && next.crossed < best.crossed)
      ? next
      : best,
  ).box;
}

function widthOf(context: CanvasRenderingContext2D, { name, kind, labelFont }: Plate): number {
  context.font = typeFont(labelFont);
  const typeWidth = context.measureText(kind).width;
  context.font = nameFont(labelFont);
  return Math.max(context.measureText(name).width, typeWidth) + 2 * padding;
}

/** Shifted along their side of the entity where they would leave the picture. */
function sidesOf(
  { x, y, size }: Pick<PlacedNode, "x" | "y" | "size">,
  { across, width, high }: { readonly across: number; readonly width: number; readonly high: number },
): readonly [Box, ...Box[]] {
  const distance = size + gap;
  const top = Math.max(0, Math.min(y - height / 2, high - height));
  const left = Math.max(0, Math.min(x - across / 2, width - across));
  const beside = { top, bottom: top + height };
  const along = { left, right: left + across };
  return [
    { ...beside, left: x + distance, right: x + distance + across },
    { ...beside, left: x - distance - across, right: x - distance },
    { ...along, top: y + distance, bottom: y + distance + height },
    { ...along, top: y - distance - height, bottom: y - distance },
  ];
}

function covers(
  { left, right, top, bottom }: Box,
  { x, y, size }: Pick<PlacedNode, "x" | "y" | "size">,
): boolean {
  return x + size > left && x - size < right && y + size > top && y - size < bottom;
}

function nameFont(family: string): string {
  return `600 13px ${family}`;
}

function typeFont(family: string): string {
  return `450 11px ${family}`;
}
