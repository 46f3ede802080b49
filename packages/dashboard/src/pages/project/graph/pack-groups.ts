/**
 * Places the groups of a drawing beside each other: each covers the cells of a grid that it needs, and the largest ones are
 * placed first, each as near to the middle as there is room ("polyomino packing": Freivalds, Dogrusoz and Kikusts, 2001).
 */

export interface Group {
  /** Of its entities and lines, in a plane of its own. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Shift {
  readonly x: number;
  readonly y: number;
}

/** Pictures are wider than high, those of a window that is higher than wide are not. */
const widenings = { wide: 2, tall: 0.8 } as const;
export type Shape = keyof typeof widenings;

/** Cells of which each group needs those around its points. */
const cellsPerRoom = 2;

interface Outline {
  /** Columns and rows, from the middle of the group. */
  readonly cells: readonly (readonly [number, number])[];
  readonly middle: Shift;
  readonly key: string;
}

/** By how much each group is moved. The larger ones should come first. `room`: at least between points of two groups. */
export function packGroups(
  groups: readonly Group[],
  { room, shape }: { readonly room: number; readonly shape: Shape },
): readonly Shift[] {
  const size = room / cellsPerRoom;
  const outlines = groups.map((group) => outlineOf(group, size));
  const grid = gridFor(outlines, widenings[shape]);
  const startOf = new Map<string, number>();
  return outlines.map(({ cells, middle, key }) => {
    const steps = cells.map(([column, row]) => row * grid.columns + column);
    const isFree = (place: number) => steps.every((step) => grid.taken[place + step] === 0);
    let at = startOf.get(key) ?? 0;
    while (at < grid.places.length - 1 && !isFree(grid.places[at] ?? 0)) at++;
    // The next one of this outline has no room before.
    startOf.set(key, at);
    const place = grid.places[at] ?? 0;
    for (const step of steps) grid.taken[place + step] = 1;
    const [column, row] = [place % grid.columns, Math.floor(place / grid.columns)];
    return { x: (column - grid.middle.x) * size - middle.x, y: (row - grid.middle.y) * size - middle.y };
  });
}

/** Each row from its first to its last cell: no group stands within another. */
function outlineOf({ points }: Group, size: number): Outline {
  const middle = middleOf(points);
  const rows = new Map<number, readonly [number, number]>();
  const around = (at: number) =>
    [Math.floor(at - cellsPerRoom / 2), Math.floor(at + cellsPerRoom / 2)] as const;
  for (const { x, y } of points) {
    const [first, last] = around((x - middle.x) / size);
    const [top, bottom] = around((y - middle.y) / size);
    for (let row = top; row <= bottom; row++) {
      const [from, to] = rows.get(row) ?? [first, last];
      rows.set(row, [Math.min(from, first), Math.max(to, last)]);
    }
  }
  const cells = [...rows].flatMap(([row, [from, to]]) =>
    Array.from({ length: to - from + 1 }, (_, at) => [from + at, row] as const),
  );
  return { cells, middle, key: [...rows].map(([row, [from, to]]) => `${row} ${from} ${to}`).join(" ") };
}

function middleOf(points: Group["points"]): Shift {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

interface Grid {
  readonly columns: number;
  /** 1: a group has the cell. */
  readonly taken: Uint8Array;
  readonly middle: Shift;
  /** Cells for the middle of a group, enough for all, those nearest to the middle of the grid first. */
  readonly places: readonly number[];
}

function gridFor(outlines: readonly Outline[], widening: number): Grid {
  const needed = outlines.reduce((sum, { cells }) => sum + cells.length, 0);
  const largest = outlines.reduce((most, outline) => Math.max(most, extentOf(outline)), 0);
  const high = outlines.length < 2 ? 0 : Math.ceil(Math.sqrt(needed / widening)) + largest;
  const wide = Math.ceil(widening * high);
  const middle = { x: wide + largest, y: high + largest };
  const [columns, rows] = [2 * middle.x + 1, 2 * middle.y + 1];
  // Sorting hundreds of thousands of places would take as long as the forces.
  const rings: number[][] = [];
  for (let row = -high; row <= high; row++)
    for (let column = -wide; column <= wide; column++) {
      const ring = Math.round(Math.hypot(column / widening, row));
      if (ring > high) continue;
      const known = rings[ring] ?? [];
      rings[ring] = known;
      known.push((row + middle.y) * columns + column + middle.x);
    }
  return { columns, taken: new Uint8Array(columns * rows), middle, places: rings.flat() };
}

/** From the middle of a group to its farthest cell, along a row or a column. */
function extentOf({ cells }: Outline): number {
  return cells.reduce((most, [column, row]) => Math.max(most, Math.abs(column), Math.abs(row)), 0);
}
