/** Names of entities on a canvas over the drawing: the important ones first, none over another. */
import type { Paint } from "./type-sign.ts";

export interface PlacedNode {
  readonly name: string;
  /** In pixels of the canvas. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** Among the best connected. */
  readonly isImportant: boolean;
  /** The middle of the drawing, or highlighted. */
  readonly isStrong: boolean;
  /** Where the name stands if there is room: outwards in a neighbourhood. */
  readonly side: "right" | "left" | "below" | "above";
  /** The other ends of its lines, if they are few enough to leave a side free. */
  readonly ends: readonly Place[];
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const font = '"Inter Variable", system-ui, sans-serif';
const maxCharacters = 32;
/** Fewer lines leave a side of an entity free. */
const minHubLines = 6;
const cell = 80;
const gap = 5;
/** Between two names, so that they do not read as one. */
const between = 6;
const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u;

/** `obstacles`: nodes that no name may cover. Returns the nodes whose names found room. */
export function drawNames(
  context: CanvasRenderingContext2D,
  input: {
    readonly nodes: readonly PlacedNode[];
    readonly obstacles: readonly PlacedNode[];
    readonly paint: Paint;
    readonly limit: number;
    /** Else long names are cut. */
    readonly isWhole?: boolean;
  },
  taken: TakenRoom,
): readonly PlacedNode[] {
  const { nodes, obstacles, paint, limit, isWhole = false } = input;
  const nodesTaken = createTakenRoom(null);
  for (const { x, y, size } of obstacles) nodesTaken.take(boxAround(x, y, size));
  const isApart = ({ left, right, ...others }: Box) =>
    taken.isFree({ ...others, left: left - between, right: right + between });
  const named: PlacedNode[] = [];
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = paint.surface;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const node of nodes) {
    if (named.length >= limit) break;
    const isLarge = node.isStrong || node.isImportant;
    context.font = `${node.isStrong ? 600 : isLarge ? 550 : 450} ${node.isStrong ? 14 : 12}px ${font}`;
    const text = isWhole ? node.name : shorten(node.name);
    const places = placesOf(node, context.measureText(text).width);
    // The name of an important one matters more than a clear sight of a neighbour, that of a hub than of several.
    const mayCover = node.isStrong || isHub(node) ? Number.POSITIVE_INFINITY : isLarge ? 1 : 0;
    const apart = places
      .filter(isApart)
      .map((place) => ({ place, covered: nodesTaken.count(place) }))
      .sort((one, other) => one.covered - other.covered);
    const box =
      apart.find(({ covered }) => covered <= mayCover)?.place ??
      (node.isStrong && places[0] !== undefined ? taken.within(places[0]) : undefined);
    if (box === undefined) continue;
    taken.take(box);
    named.push(node);
    context.direction = rightToLeft.test(text) ? "rtl" : "ltr";
    const middle = (box.top + box.bottom) / 2;
    if (node.isStrong && crossingsOf(node, box) > 0) {
      // Amid its lines, none of which may strike it through.
      context.fillStyle = paint.surface;
      context.fillRect(box.left - 3, box.top, box.right - box.left + 6, box.bottom - box.top);
    }
    context.strokeText(text, box.left, middle);
    context.fillStyle = isLarge ? paint.ink : paint.soft;
    context.fillText(text, box.left, middle);
  }
  return named;
}

export interface TakenRoom {
  take(box: Box): void;
  isFree(box: Box): boolean;
  /** Moved so that nothing of it is beyond the edge, as far as it has room. */
  within(box: Box): Box;
  /** How many of those that are taken it touches. */
  count(box: Box): number;
}

/** Boxes by the cells of a grid that they touch. `size`: what is not within it is not free. */
export function createTakenRoom(size: { readonly width: number; readonly height: number } | null): TakenRoom {
  const cells = new Map<string, Box[]>();
  const cellsOf = ({ left, top, right, bottom }: Box) => {
    const keys: string[] = [];
    for (let column = Math.floor(left / cell); column <= Math.floor(right / cell); column++)
      for (let row = Math.floor(top / cell); row <= Math.floor(bottom / cell); row++)
        keys.push(`${column} ${row}`);
    return keys;
  };
  const touched = (box: Box, known: readonly Box[]) =>
    known.filter(
      ({ left, top, right, bottom }) =>
        box.right > left && box.left < right && box.bottom > top && box.top < bottom,
    );
  return {
    take(box) {
      for (const key of cellsOf(box)) {
        const known = cells.get(key);
        if (known === undefined) cells.set(key, [box]);
        else known.push(box);
      }
    },
    isFree: (box) =>
      (size === null ||
        (box.left >= 0 && box.top >= 0 && box.right <= size.width && box.bottom <= size.height)) &&
      cellsOf(box).every((key) => touched(box, cells.get(key) ?? []).length === 0),
    within(box) {
      if (size === null) return box;
      const across = Math.max(-box.left, Math.min(0, size.width - box.right));
      const down = Math.max(-box.top, Math.min(0, size.height - box.bottom));
      return {
        ...{ left: box.left + across, right: box.right + across },
        ...{ top: box.top + down, bottom: box.bottom + down },
      };
    },
    count: (box) => new Set(cellsOf(box).flatMap((key) => touched(box, cells.get(key) ?? []))).size,
  };
}

/** It has more lines than leave a side free. */
function isHub({ isImportant, ends }: PlacedNode): boolean {
  return isImportant && (ends.length === 0 || ends.length >= minHubLines);
}

/** How many lines of an entity run through a box. */
function crossingsOf(node: PlacedNode, box: Box): number {
  return node.ends.filter((end) => meets(box, { from: node, to: end })).length;
}

/** Where a name can stand, the best place first: where none of its lines runs, then on its side, then at a corner. */
function placesOf(node: PlacedNode, width: number): readonly Box[] {
  return [...sidesOf(node, width), ...cornersOf(node, width)]
    .map((box) => ({ box, crossings: crossingsOf(node, box) }))
    .sort((one, other) => one.crossings - other.crossings)
    .map(({ box }) => box);
}

/** Whether a line runs through a box: the part of it that is within both ranges is not empty. */
export function meets(
  { left, right, top, bottom }: Box,
  { from, to }: { readonly from: Place; readonly to: Place },
): boolean {
  let [first, last] = [0, 1];
  const sides = [
    { start: from.x, step: to.x - from.x, least: left, most: right },
    { start: from.y, step: to.y - from.y, least: top, most: bottom },
  ];
  for (const { start, step, least, most } of sides) {
    if (step === 0) {
      if (start <= least || start >= most) return false;
      continue;
    }
    const [one, other] = [(least - start) / step, (most - start) / step];
    first = Math.max(first, Math.min(one, other));
    last = Math.min(last, Math.max(one, other));
  }
  return first < last;
}

function sidesOf({ x, y, size, side, isStrong }: PlacedNode, width: number): readonly Box[] {
  const high = isStrong ? 9 : 8;
  const right = { left: x + size + gap, right: x + size + gap + width, top: y - high, bottom: y + high };
  const left = { left: x - size - gap - width, right: x - size - gap, top: y - high, bottom: y + high };
  const below = {
    ...{ left: x - width / 2, right: x + width / 2 },
    ...{ top: y + size + 2, bottom: y + size + 2 + 2 * high },
  };
  const above = { ...below, top: y - size - 2 - 2 * high, bottom: y - size - 2 };
  if (side === "below") return [below, above, right, left];
  if (side === "above") return [above, below, right, left];
  return side === "left" ? [left, right, below, above] : [right, left, below, above];
}

function cornersOf({ x, y, size, isStrong }: PlacedNode, width: number): readonly Box[] {
  const high = isStrong ? 9 : 8;
  const [out, up] = [0.7 * size + gap, 0.7 * size + high];
  return [-up, up].flatMap((step) => {
    const rows = { top: y + step - high, bottom: y + step + high };
    return [
      { ...rows, left: x + out, right: x + out + width },
      { ...rows, left: x - out - width, right: x - out },
    ];
  });
}

export function boxAround(x: number, y: number, size: number): Box {
  return { left: x - size, right: x + size, top: y - size, bottom: y + size };
}

function shorten(name: string): string {
  const characters = [...name];
  return characters.length <= maxCharacters ? name : `${characters.slice(0, maxCharacters - 1).join("")}…`;
}
