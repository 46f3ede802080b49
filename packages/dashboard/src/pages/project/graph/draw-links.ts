/** Types of relationships along their lines, on the canvas of the names: none over a name, an entity or another one. */
import {
  type Box,
  boxAround,
  createTakenRoom,
  font,
  type Place,
  type PlacedNode,
  type TakenRoom,
} from "./draw-names.ts";
import type { Paint } from "./type-sign.ts";

export interface PlacedEdge {
  readonly text: string;
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  /** It has its text whatever else has the room. */
  readonly isChosen: boolean;
}

interface TextPlace extends Place {
  readonly angle: number;
}

/** Around the text on a line, with the arrow at its end. */
const linkRoom = 16;
const plateHeight = 14;
/** Of what is free of the line, from one end to the other: the middle is best. */
const shifts = [0.5, 0.36, 0.64, 0.22, 0.78, 0.08, 0.92] as const;

/** `obstacles`: entities that no text may cover. `isWhole`: a text that is longer than its line stands beside it, as that of a chosen line does. */
export function drawLinks(
  context: CanvasRenderingContext2D,
  input: {
    readonly edges: readonly PlacedEdge[];
    readonly obstacles: readonly PlacedNode[];
    readonly paint: Paint;
    readonly isWhole?: boolean;
  },
  taken: TakenRoom,
): void {
  const { edges, obstacles, paint, isWhole = false } = input;
  const entities = createTakenRoom(null);
  for (const { x, y, size } of obstacles) entities.take(boxAround(x, y, size));
  const isFree = (box: Box) => taken.isFree(box) && entities.isFree(box);
  context.font = `450 11px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.direction = "ltr";
  for (const edge of edges) {
    const { text, from, to, isChosen } = edge;
    const isNeeded = isChosen || isWhole;
    const length = Math.hypot(to.x - from.x, to.y - from.y) - from.size - to.size - linkRoom;
    // Measuring takes time, and no type has fewer than three letters' width.
    if (!isNeeded && length < 3 * text.length) continue;
    const { width } = context.measureText(text);
    if (!isNeeded && width > length) continue;
    const places = placesOf(edge, { width, length });
    const place =
      places.find((each) => boxesOf(each, width).every(isFree)) ?? (isChosen ? places[0] : undefined);
    if (place === undefined) continue;
    for (const box of boxesOf(place, width)) taken.take(box);
    write(context, { ...place, text, width, paint });
  }
}

/** Where the text can stand, the best place first; of one that is longer than its line beside it, so that its ends stay in sight. */
function placesOf(
  { from, to }: PlacedEdge,
  { width, length }: { readonly width: number; readonly length: number },
): readonly TextPlace[] {
  const [across, down] = [to.x - from.x, to.y - from.y];
  const angle = Math.atan(down / (across || 1e-6));
  if (width > length) {
    const beside = Math.max(from.size, to.size) + 12;
    return [beside, -beside].map((step) => ({
      x: from.x + across / 2 - step * Math.sin(angle),
      y: from.y + down / 2 + step * Math.cos(angle),
      angle,
    }));
  }
  const reach = Math.hypot(across, down);
  const [first, last] = [from.size + (linkRoom + width) / 2, reach - to.size - (linkRoom + width) / 2];
  return shifts.map((shift) => {
    const share = (first + shift * (last - first)) / reach;
    return { x: from.x + share * across, y: from.y + share * down, angle };
  });
}

/** A text across the grid is a row of squares: one box around it would take far more room than it has. */
function boxesOf({ x, y, angle }: TextPlace, width: number): readonly Box[] {
  const wide = width + 8;
  const count = Math.ceil(wide / plateHeight);
  return Array.from({ length: count }, (_, at) => {
    const along = ((at + 0.5) / count - 0.5) * (wide - plateHeight);
    return boxAround(x + along * Math.cos(angle), y + along * Math.sin(angle), plateHeight / 2);
  });
}

function write(
  context: CanvasRenderingContext2D,
  { x, y, angle, text, width, paint }: TextPlace & { text: string; width: number; paint: Paint },
): void {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.fillStyle = paint.surface;
  context.fillRect(-width / 2 - 4, -plateHeight / 2, width + 8, plateHeight);
  context.fillStyle = paint.soft;
  context.fillText(text, 0, 0.5);
  context.restore();
}
