/** Finds tables whose cells are bounded by lines, and which text is in which cell. */
import type { Rule } from "./drawn-rules.ts";
import { joinLines } from "./join-lines.ts";
import { baseOf, isLevel, leftOf, type PdfLine, type PdfPiece, sizeOf, toLines } from "./pdf-line.ts";

/** Lines meet, and are one line, that are so many points apart. */
const NEAR = 2.5;
/** Where no line closes a table at a side, its other lines reach so far beyond the last one. */
const OVERHANG = 8;
/** Of the side of a place, by a line that divides it from the next. */
const LEAST_DIVIDED = 0.9;
const LEAST_ROWS = 2;
const LEAST_COLUMNS = 2;
/** Of the cells: the lines of a chart have less text between them. */
const LEAST_SHARE_WITH_TEXT = 0.4;
/** Characters of a cell with text, on average: lines around the columns of a page have more between them. */
const MAX_USUAL_TEXT = 400;
/** Characters of one cell: the frame of a page may meet lines of a table. */
const MAX_TEXT = 2_000;
/** Characters of a cell that is written in each of its rows. */
const MAX_REPEATED = 100;
/** Of a page, once those that go on in one another are joined. */
const MAX_LINES = 1_000;
const MAX_PLACES = 20_000;

interface Grid {
  /** Where its lines are, in ascending order. */
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** The number of the cell at each place between them: at row × columns + column, rows counted from below. */
  readonly cells: readonly number[];
}

/** The lines of a page. A table is one of them, in the place of its first piece. */
export function linesWithTables(pieces: readonly PdfPiece[], rules: readonly Rule[]): readonly PdfLine[] {
  const tableOf = new Map<PdfPiece, PdfLine>();
  // What an inner grid does not make a table is text of the cell around it.
  for (const grid of findGrids(rules)) {
    const inside = pieces.filter((piece) => !tableOf.has(piece) && placeIn(grid, piece) !== null);
    const table = tableLine(grid, inside);
    if (table !== null) for (const piece of inside) tableOf.set(piece, table);
  }
  return tableOf.size === 0 ? toLines(pieces) : inOrder(pieces, tableOf);
}

function inOrder(pieces: readonly PdfPiece[], tableOf: ReadonlyMap<PdfPiece, PdfLine>): readonly PdfLine[] {
  const lines: PdfLine[] = [];
  const written = new Set<PdfLine>();
  let between: PdfPiece[] = [];
  const end = () => {
    // More of them than arguments of a call may be.
    for (const line of toLines(between)) lines.push(line);
    between = [];
  };
  for (const piece of pieces) {
    const table = tableOf.get(piece);
    if (table === undefined) between.push(piece);
    else if (!written.has(table)) {
      end();
      written.add(table);
      lines.push(table);
    }
  }
  end();
  return lines;
}

/** null = what the lines enclose is no table. */
function tableLine(grid: Grid, pieces: readonly PdfPiece[]): PdfLine | null {
  const ofCells = Map.groupBy(pieces, (piece) => grid.cells[placeIn(grid, piece) ?? 0] ?? 0);
  const texts = new Map(
    [...ofCells].map(([cell, all]) => [cell, joinLines(toLines(all).map(({ text }) => text))] as const),
  );
  const lengths = [...texts.values()].map(({ length }) => length).filter((length) => length > 0);
  const length = lengths.reduce((sum, each) => sum + each, 0);
  const cells = new Set(grid.cells).size;
  if (lengths.length < cells * LEAST_SHARE_WITH_TEXT || length > lengths.length * MAX_USUAL_TEXT) return null;
  if (lengths.some((each) => each > MAX_TEXT)) return null;
  const rows = rowsOf(grid, texts);
  const columns = new Set(
    rows.flatMap((row) => row.flatMap((cell, column) => (cell === "" ? [] : [column]))),
  );
  if (rows.length < LEAST_ROWS || columns.size < LEAST_COLUMNS) return null;
  const [left = 0, right = 0] = [grid.xs[0], grid.xs.at(-1)];
  const text = rows.map((row) => row.join(" ")).join(" ");
  return {
    text,
    left,
    right,
    base: grid.ys.at(-1) ?? 0,
    size: usualSize(pieces),
    isBold: false,
    cells: [],
    rows,
  };
}

/** From the highest to the lowest. A cell is in its first column, and in each of its rows if it is short, so that each tells all about its subject. */
function rowsOf({ xs, ys, cells }: Grid, texts: ReadonlyMap<number, string>): readonly (readonly string[])[] {
  const columns = xs.length - 1;
  return Array.from({ length: ys.length - 1 }, (_, at) => (ys.length - 2 - at) * columns).flatMap((first) => {
    const row = cells.slice(first, first + columns);
    const above = cells.slice(first + columns, first + 2 * columns);
    let isNew = false;
    const line = row.map((cell, column) => {
      const text = cell === row[column - 1] ? "" : (texts.get(cell) ?? "");
      if (cell === above[column]) return text.length > MAX_REPEATED ? "" : text;
      isNew ||= text !== "";
      return text;
    });
    return isNew ? [line] : [];
  });
}

/** Of most characters. */
function usualSize(pieces: readonly PdfPiece[]): number {
  const lengths = new Map<number, number>();
  for (const piece of pieces) {
    const size = sizeOf(piece);
    lengths.set(size, (lengths.get(size) ?? 0) + piece.str.length);
  }
  return [...lengths].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}

/** null = it is outside, or turned. */
function placeIn({ xs, ys }: Grid, piece: PdfPiece): number | null {
  if (!isLevel(piece)) return null;
  const x = leftOf(piece) + piece.width / 2;
  const y = baseOf(piece) + sizeOf(piece) / 4;
  const [column, row] = [xs.findLastIndex((at) => at <= x), ys.findLastIndex((at) => at <= y)];
  if (column < 0 || row < 0 || column >= xs.length - 1 || row >= ys.length - 1) return null;
  return row * (xs.length - 1) + column;
}

/** Small ones first: a piece is in the innermost. */
function findGrids(rules: readonly Rule[]): readonly Grid[] {
  const lines = joinRules(rules);
  const grids = meetingLines(lines)
    .map(gridOf)
    .filter((grid) => grid !== null);
  const width = (ats: readonly number[]) => (ats.at(-1) ?? 0) - (ats[0] ?? 0);
  return grids.toSorted((a, b) => width(a.xs) * width(a.ys) - width(b.xs) * width(b.ys));
}

/** Borders are drawn cell by cell, or twice. */
function joinRules(rules: readonly Rule[]): readonly Rule[] {
  const joined: Rule[] = [];
  for (const ofDirection of Map.groupBy(rules, ({ isHorizontal }) => isHorizontal).values()) {
    let near: Rule[] = [];
    for (const rule of ofDirection.toSorted((a, b) => a.at - b.at)) {
      if (near.length > 0 && rule.at - (near[0]?.at ?? 0) > NEAR) {
        for (const line of joinNear(near)) joined.push(line);
        near = [];
      }
      near.push(rule);
    }
    for (const line of joinNear(near)) joined.push(line);
  }
  return joined.length > MAX_LINES ? [] : joined;
}

function joinNear(near: readonly Rule[]): readonly Rule[] {
  const [first] = near;
  if (first === undefined) return [];
  const spans: { from: number; to: number }[] = [];
  for (const { from, to } of near.toSorted((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last !== undefined && from - last.to <= NEAR) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans.map((span) => ({ ...first, ...span }));
}

/** Lines that cross, or cross others that do. */
function meetingLines(lines: readonly Rule[]): readonly (readonly Rule[])[] {
  const left = new Set(lines);
  const groups: Rule[][] = [];
  for (const line of lines) {
    if (!left.delete(line)) continue;
    const group = [line];
    for (const each of group)
      for (const other of left)
        if (each.isHorizontal !== other.isHorizontal && reaches(each, other) && reaches(other, each)) {
          left.delete(other);
          group.push(other);
        }
    groups.push(group);
  }
  return groups;
}

function reaches({ from, to }: Rule, { at }: Rule): boolean {
  return from - NEAR <= at && at <= to + NEAR;
}

/** null = too few or too many lines for a table. */
function gridOf(lines: readonly Rule[]): Grid | null {
  const { level = [], upright = [] } = Object.groupBy(lines, ({ isHorizontal }) =>
    isHorizontal ? "level" : "upright",
  );
  const [xs, ys] = [placesOf(upright, level), placesOf(level, upright)];
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < LEAST_COLUMNS || rows < LEAST_ROWS || columns * rows > MAX_PLACES) return null;
  // An underlined word does not divide its cell.
  const isBetween = (dividing: readonly Rule[], [from = 0, to = 0]: readonly number[]) =>
    dividing.some((rule) => Math.min(to, rule.to) - Math.max(from, rule.from) >= (to - from) * LEAST_DIVIDED);
  const byPlace = (rules: readonly Rule[]) => Map.groupBy(rules, ({ at }) => at);
  const [atX, atY] = [byPlace(upright), byPlace(level)];
  const cells = Array.from({ length: columns * rows }, (_, place) => place);
  for (const place of cells.keys()) {
    const [row, column] = [Math.floor(place / columns), place % columns];
    const isOpenLeft = column > 0 && !isBetween(atX.get(xs[column] ?? 0) ?? [], ys.slice(row, row + 2));
    const isOpenBelow = row > 0 && !isBetween(atY.get(ys[row] ?? 0) ?? [], xs.slice(column, column + 2));
    const [before = 0, below = 0] = [cells[place - 1], cells[place - columns]];
    if (isOpenLeft) cells[place] = before;
    else if (isOpenBelow) cells[place] = below;
  }
  return { xs, ys, cells: onlyRectangles(cells, columns) };
}

/** Where lines are, and ends of those across that reach further. */
function placesOf(lines: readonly Rule[], across: readonly Rule[]): readonly number[] {
  const places = [...new Set(lines.map(({ at }) => at))].sort((a, b) => a - b);
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const low = across.reduce((least, { from }) => Math.min(least, from), first);
  const high = across.reduce((most, { to }) => Math.max(most, to), last);
  return [...(first - low > OVERHANG ? [low] : []), ...places, ...(high - last > OVERHANG ? [high] : [])];
}

/** Places that form no rectangle are cells of their own. */
function onlyRectangles(cells: readonly number[], columns: number): readonly number[] {
  const places = Map.groupBy(cells.keys(), (place) => cells[place] ?? place);
  const isRectangle = (all: readonly number[]) => {
    const inRow = all.map((place) => place % columns);
    const [left, right] = [Math.min(...inRow), Math.max(...inRow)];
    const height = Math.floor((all.at(-1) ?? 0) / columns) - Math.floor((all[0] ?? 0) / columns) + 1;
    return all.length === (right - left + 1) * height;
  };
  const broken = new Set([...places].filter(([, all]) => !isRectangle(all)).map(([cell]) => cell));
  return cells.map((cell, place) => (broken.has(cell) ? place : cell));
}
