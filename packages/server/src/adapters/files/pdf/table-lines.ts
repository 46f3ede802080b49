/** Finds tables: lines in succession whose parts stand below one another. */
import type { PdfCell, PdfLine } from "./pdf-line.ts";

const LEAST_ROWS = 3;
const LEAST_COLUMNS = 3;
/** More than a page has. Lines that form no table are looked at again from each of them. */
const MAX_ROWS = 500;
/** Two columns of text look like a table of two columns, so such lines must be short. */
const MAX_CELL = 60;
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
  const columns = findColumns(rows.flatMap(({ cells }) => cells));
  if (columns.length < LEAST_COLUMNS) return null;
  return { rows: rows.map(({ cells }) => placeCells(cells, columns)), end };
}

function isRow({ cells }: PdfLine): boolean {
  return cells.length >= LEAST_COLUMNS && cells.every(({ text }) => text.length <= MAX_CELL);
}

interface Column {
  left: number;
  right: number;
}

/** What cells cover of the width: columns are apart where no cell is. */
function findColumns(cells: readonly PdfCell[]): readonly Column[] {
  const columns: Column[] = [];
  for (const { left, right } of [...cells].sort((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last !== undefined && left <= last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}

function placeCells(cells: readonly PdfCell[], columns: readonly Column[]): readonly string[] {
  return columns.map((column) =>
    cells
      .filter(({ left }) => left >= column.left && left <= column.right)
      .map(({ text }) => text)
      .join(" "),
  );
}
