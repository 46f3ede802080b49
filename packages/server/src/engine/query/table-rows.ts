/** Names the cells of a row by the columns of its table, to quote and to read it. */
import type { Span } from "../text/blocks.ts";

/** Longer names, as of a table of dozens of columns, would be most of what is written. */
const MAX_NAMES_UNITS = 420;
const MAX_LABEL_UNITS = 60;

export interface Cell extends Span {
  /** From 0. */
  readonly column: number;
}

/** Offsets of what `stored` is copied from. */
interface NamedCell extends Span {
  /** Of its column; empty where it is not known. */
  readonly name: string;
  readonly stored: string;
}

/** Those of a row, or of a part of it, that have something in them. */
export interface NamedCells {
  readonly cells: readonly NamedCell[];
  /** `pair`: a label and its value, in a table of two columns without names. */
  readonly form: "named" | "pair" | "values";
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The cells of a row without the space around them, also those with nothing in them. */
function* cellsIn(text: string, { start, end }: Span): Generator<Cell> {
  let from = text.charAt(start) === "|" ? start + 1 : start;
  let column = 0;
  for (let at = from; at <= end; at++) {
    const isBar = at < end && text.charAt(at) === "|" && text.charAt(at - 1) !== "\\";
    if (!isBar && at < end) continue;
    const cell = text.slice(from, at);
    const left = cell.length - cell.trimStart().length;
    const isBehind = !isBar && left === cell.length && column > 0;
    if (!isBehind)
      yield { column, start: from + left, end: Math.max(from + left, from + cell.trimEnd().length) };
    from = at + 1;
    column++;
  }
}

/** Those that have something in them. */
export function cellsOf(text: string, row: Span): readonly Cell[] {
  return [...cellsIn(text, row)].filter(({ start, end }) => start < end);
}

/** The cells of a row as people write them, by their columns. */
export function splitRow(row: string): readonly string[] {
  const own = row.trim();
  return [...cellsIn(own, { start: 0, end: own.length })].map(({ start, end }) =>
    written(own.slice(start, end)),
  );
}

/** A bar in a cell is marked by a backslash where it is stored. */
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

/**
 * The cells of a row, or of the part of it between two offsets, each with the name of its column, unless the row has more cells than there are names. `offset`: of the
 * text in its document.
 */
export function nameCells(
  text: string,
  row: Span,
  {
    names,
    part = row,
    offset = 0,
  }: { readonly names: readonly string[] | null; readonly part?: Span; readonly offset?: number },
): NamedCells {
  const all = [...cellsIn(text, row)];
  const own = all
    .map(({ column, start, end }) => ({
      ...{ column, start: Math.max(start, part.start), end: Math.min(end, part.end) },
    }))
    .filter(({ start, end }) => start < end);
  const units = own.reduce((sum, { column }) => sum + (names?.[column]?.length ?? 0), 0);
  const isNamed = names !== null && all.length <= names.length && units <= MAX_NAMES_UNITS;
  const cells = own.map(({ column, start, end }) => {
    const name = isNamed ? (names[column] ?? "") : "";
    return { name, stored: text.slice(start, end), start: start + offset, end: end + offset };
  });
  const hasMore = (from: number, to: number) => /[^|\s]/.test(text.slice(from, to));
  const isPair = all.length === 2 && cells.length === 2 && isLabel(cells[0]?.stored ?? "");
  return {
    cells,
    form: isNamed ? "named" : isPair ? "pair" : "values",
    isCutBefore: hasMore(row.start, own[0]?.start ?? row.start),
    isCutAfter: hasMore(own.at(-1)?.end ?? row.end, row.end),
  };
}

function isLabel(cell: string): boolean {
  return cell.length <= MAX_LABEL_UNITS && /\p{L}/u.test(cell) && !/[.!?;]$/.test(cell);
}

/** "Boat: Tern; Fare: 9 crowns", without names "Tern; 9 crowns; oak", a pair "Tern: 9 crowns". */
export function quoteRow({ cells, form, isCutBefore, isCutAfter }: NamedCells): string {
  const parts = cells.map((cell) => say(cell, ": "));
  const between = form !== "pair" ? "; " : /[:：]$/.test(parts[0] ?? "") ? " " : ": ";
  return `${isCutBefore ? "…" : ""}${parts.join(between)}${isCutAfter ? "…" : ""}`;
}

/**
 * "Boat is Tern; Fare is 9 crowns", which the bundled reader, taught with prose, takes in better than colons, and far better than rows as they are stored
 * (docs/decisions/0035). Null where the columns have no names.
 */
export function readRow({ cells, form }: NamedCells): {
  readonly text: string;
  /** Where a part of the text stands in the cells, from the first of them to the last; null where it holds none. */
  readonly placeOf: (part: Span) => Span | null;
} | null {
  if (form !== "named") return null;
  let text = "";
  const values = cells.map((cell) => {
    text += `${text === "" ? "" : "; "}${say(cell, " is ")}`;
    return { cell, at: text.length - written(cell.stored).length, end: text.length };
  });
  return {
    text,
    placeOf({ start, end }) {
      const touched = values.filter((value) => value.at < end && start < value.end);
      const [first, last] = [touched[0], touched.at(-1)];
      if (first === undefined || last === undefined) return null;
      const from = first.cell.start + storedUnits(first.cell.stored, start - first.at);
      const to = last.cell.start + storedUnits(last.cell.stored, end - last.at);
      return { start: from, end: Math.max(from + 1, to) };
    },
  };
}

/** Units of a stored cell before a place in what is written for it. */
function storedUnits(stored: string, units: number): number {
  let at = 0;
  for (let left = units; left > 0 && at < stored.length; left--) at += stored.startsWith("\\|", at) ? 2 : 1;
  return at;
}

const say = ({ name, stored }: NamedCell, is: string) =>
  name === "" ? written(stored) : `${name}${is}${written(stored)}`;
