/** Names the cells of a row by the columns of its table, to quote and to read it. */
import type { Span } from "../text/blocks.ts";

/** Longer names, as of a table of dozens of columns, would be most of what is written. */
const MAX_NAMES_UNITS = 420;
const YEAR = /^(?:1[5-9]|20|21)\d\d$/;
const NUMBER = /^[-+−]?\d[\d.,\s]{0,30}%?$/;

export interface Cell extends Span {
  /** From 0. */
  readonly column: number;
}

/** Offsets of what `value` is copied from. */
interface NamedCell extends Span {
  /** Of its column; empty where it is not known. */
  readonly name: string;
  readonly value: string;
}

/** Those of a row, or of a part of it, that have something in them. */
export interface NamedCells {
  readonly cells: readonly NamedCell[];
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The cells of a row without the space around them; those with nothing in them are left out. */
export function cellsOf(text: string, { start, end }: Span): readonly Cell[] {
  const cells: Cell[] = [];
  let from = text.charAt(start) === "|" ? start + 1 : start;
  let column = 0;
  for (let at = from; at <= end; at++) {
    const isEnd = at === end || (text.charAt(at) === "|" && text.charAt(at - 1) !== "\\");
    if (!isEnd) continue;
    const cell = text.slice(from, at);
    const left = cell.length - cell.trimStart().length;
    if (cell.trim() !== "") cells.push({ column, start: from + left, end: from + cell.trimEnd().length });
    from = at + 1;
    column++;
  }
  return cells;
}

/** Also of cells with nothing in them. */
export function countColumns(row: string): number {
  return row.replace(/^\s{0,3}\||(?<!\\)\|\s{0,8}$/g, "").split(/(?<!\\)\|/).length;
}

/**
 * The names of columns by their places, of the row above a rule; null where it names nothing: the title of a sheet stands in its first cells alone, and a file
 * without names has figures in its first row, too.
 */
export function namesOfColumns(row: string): readonly string[] | null {
  const names: string[] = [];
  const cells = cellsOf(row, { start: 0, end: row.length });
  const last = cells.at(-1)?.column ?? 0;
  for (let column = 0; column <= last; column++) names.push("");
  for (const { column, start, end } of cells) names[column] = nameOf(row.slice(start, end));
  const isFigure = (name: string) => NUMBER.test(name) && !YEAR.test(name);
  const isTitle = cells.length < 2 || cells.length < countColumns(row) / 2;
  return isTitle || names.some(isFigure) ? null : names;
}

const nameOf = (cell: string) =>
  written(cell)
    .replace(/^(?:\*\*|__)|(?:\*\*|__)$/g, "")
    .replace(/[:：]$/, "");

/** As people write it: a bar in a cell is marked by a backslash where it is stored. */
const written = (cell: string) => cell.replaceAll("\\|", "|");

/** A row, or parts of a long one: as many whole cells as have room, or a longer cell alone. */
export function* partsOfRow(text: string, row: Span, maxUnits: number): Generator<Span> {
  if (row.end - row.start <= maxUnits) {
    yield row;
    return;
  }
  let from = -1;
  let to = -1;
  for (const { start, end } of cellsOf(text, row)) {
    if (from >= 0 && end - from > maxUnits) {
      yield { start: from, end: to };
      from = -1;
    }
    if (from < 0) from = start;
    to = end;
  }
  if (from >= 0) yield { start: from, end: to };
}

/** The cells of a row, or of the part of it between two offsets, each with the name of its column. `offset`: of the text in its document. */
export function nameCells(
  text: string,
  row: Span,
  {
    names,
    part = row,
    offset = 0,
  }: { readonly names: readonly string[] | null; readonly part?: Span; readonly offset?: number },
): NamedCells {
  const own = cellsOf(text, row)
    .map(({ column, start, end }) => ({
      ...{ column, start: Math.max(start, part.start), end: Math.min(end, part.end) },
    }))
    .filter(({ start, end }) => start < end);
  const units = own.reduce((sum, { column }) => sum + (names?.[column]?.length ?? 0), 0);
  const cells = own.map(({ column, start, end }) => {
    const name = units > MAX_NAMES_UNITS ? "" : (names?.[column] ?? "");
    return { name, value: written(text.slice(start, end)), start: start + offset, end: end + offset };
  });
  const hasMore = (from: number, to: number) => /[^|\s]/.test(text.slice(from, to));
  return {
    cells,
    isCutBefore: hasMore(row.start, own[0]?.start ?? row.start),
    isCutAfter: hasMore(own.at(-1)?.end ?? row.end, row.end),
  };
}

/** "Boat: Tern; Fare: 9 crowns" */
export function quoteRow(row: NamedCells): string {
  const all = row.cells.map((cell) => say(cell, ": ")).join("; ");
  return `${row.isCutBefore ? "…" : ""}${all}${row.isCutAfter ? "…" : ""}`;
}

/** "Boat is Tern; Fare is 9 crowns", which the bundled reader, taught with prose, takes in better than colons, and far better than rows as they are stored (docs/decisions/0035). */
export function readRow({ cells }: NamedCells): {
  readonly text: string;
  /** Where a part of the text stands in the cells, from the first of them to the last; null where it holds none. */
  readonly placeOf: (part: Span) => Span | null;
} {
  let text = "";
  const values = cells.map((cell) => {
    text += `${text === "" ? "" : "; "}${say(cell, " is ")}`;
    return { cell, at: text.length - cell.value.length, end: text.length };
  });
  return {
    text,
    placeOf({ start, end }) {
      const touched = values.filter((value) => value.at < end && start < value.end);
      const [first, last] = [touched[0], touched.at(-1)];
      if (first === undefined || last === undefined) return null;
      const from = first.cell.start + Math.max(0, start - first.at);
      return {
        start: from,
        end: Math.max(from + 1, Math.min(last.cell.end, last.cell.start + end - last.at)),
      };
    },
  };
}

const say = ({ name, value }: NamedCell, is: string) => (name === "" ? value : `${name}${is}${value}`);
