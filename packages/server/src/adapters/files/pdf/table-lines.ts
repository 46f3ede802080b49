/** Finds tables: lines in succession whose parts stand below one another. */
import type { PdfCell, PdfLine } from "./pdf-line.ts";

const LEAST_ROWS = 3;
const LEAST_COLUMNS = 3;
/** More than a page has. Each cell is compared with each column. */
const MAX_COLUMNS = 200;
/** More than a page has. Lines that form no table are looked at again from each of them. */
const MAX_ROWS = 500;
/** Two columns of text look like a table of two columns, so such lines must be short. */
const MAX_CELL = 60;
/** Of the rows: so many may have a cell that reaches into the next column. */
const MOST_WIDE = 0.1;
/** Rows are no further apart than so many sizes of type. */
const MAX_DISTANCE = 3;

export interface TableLines {
  readonly rows: readonly (readonly string[])[];
  /** Number of the first line after it. */
  readonly end: number;
}

/** The table that begins at a line; null = none does. */
export function takeTable(lines: readonly PdfLine[], start: number): TableLines | null {
  const first = lines[start];
  if (first === undefined || !isRow(first)) return null;
  let end = start + 1;
  for (; end < Math.min(lines.length, start + MAX_ROWS); end++) {
    const [line, next] = [lines[end - 1], lines[end]];
    if (line === undefined || next === undefined || !isRow(next)) break;
    const distance = line.base - next.base;
    if (distance <= 0 || distance > line.size * MAX_DISTANCE) break;
  }
  if (end - start < LEAST_ROWS) return null;
  const rows = lines.slice(start, end);
  const columns = findColumns(
    rows.flatMap(({ cells }) => cells),
    rows.length,
  );
  if (columns.length < LEAST_COLUMNS || columns.length > MAX_COLUMNS) return null;
  return { rows: rows.map(({ cells }) => placeCells(cells, columns)), end };
}

function isRow({ cells }: PdfLine): boolean {
  return cells.length >= LEAST_COLUMNS && cells.every(({ text }) => text.length <= MAX_CELL);
}

interface Column {
  readonly left: number;
  readonly right: number;
}

/** Where cells are in more rows than may have one that is wider than its column. */
function findColumns(cells: readonly PdfCell[], rows: number): readonly Column[] {
  const edges = cells.flatMap(({ left, right }) => [
    { at: left, change: 1 },
    { at: right, change: -1 },
  ]);
  // What ends where another begins goes on.
  edges.sort((a, b) => a.at - b.at || b.change - a.change);
  const most = Math.floor(rows * MOST_WIDE);
  const columns: Column[] = [];
  let depth = 0;
  let left: number | null = null;
  for (const { at, change } of edges) {
    depth += change;
    if (depth > most) left ??= at;
    else if (left !== null) {
      columns.push({ left, right: at });
      left = null;
    }
  }
  return columns;
}

/** A cell is in the column that it covers most of, a wide one in the first of these. */
function placeCells(cells: readonly PdfCell[], columns: readonly Column[]): readonly string[] {
  const texts = columns.map((): string[] => []);
  for (const { text, left, right } of cells) {
    const covered = columns.map((column) => Math.min(right, column.right) - Math.max(left, column.left));
    texts[covered.indexOf(Math.max(...covered))]?.push(text);
  }
  return texts.map((parts) => parts.join(" "));
}
