/** Finds the tables of Markdown in a text, which is shown as it is and never as HTML. */
import type { Range } from "./heading-marks.ts";

/** A row with its cells, which have no blanks around them. */
export interface Row extends Range {
  readonly cells: readonly Range[];
}

export type TextBlock =
  | ({ readonly kind: "text" } & Range)
  | ({
      readonly kind: "table";
      /** null: the text begins in the middle of the table. */
      readonly head: Row | null;
      readonly rows: readonly Row[];
    } & Range);

const ruleCell = /^:?-{1,100}:?$/;
/** Without the line of dashes that tells a table from other lines, it has so many rows at least. */
const minPlainRows = 2;

/** The row of a table that a line is, or null. */
export function rowOf(text: string, { start, end }: Range): Row | null {
  const line = text.slice(start, end);
  const [first, last] = [start + line.length - line.trimStart().length, start + line.trimEnd().length];
  const bars = barsIn(text, { start: first, end: last });
  if (bars.length < 3 || bars[0] !== first || bars.at(-1) !== last - 1) return null;
  const cells = bars.slice(1).map((bar, at) => trimmed(text, { start: (bars[at] ?? first) + 1, end: bar }));
  return { start: first, end: last, cells };
}

/** Consecutive parts of the text: tables, and what stands between them. */
export function textBlocks(text: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let run: Row[] = [];
  let from = 0;
  const closeRun = () => {
    const table = tableOf(text, run);
    run = [];
    if (table === null) return;
    if (table.start > from) blocks.push({ kind: "text", start: from, end: table.start });
    blocks.push(table);
    from = table.end;
  };
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const row = rowOf(text, { start: index, end: index + line.length });
    const isNext = run.length === 0 || !/\n\s*\n/.test(text.slice(run.at(-1)?.end ?? 0, index));
    if (row === null || !isNext) closeRun();
    if (row !== null) run.push(row);
  }
  closeRun();
  if (from < text.length) blocks.push({ kind: "text", start: from, end: text.length });
  return blocks;
}

/** The names of the columns of the table that has a row at the place; null where the text has no line of names there. */
export function columnNames(text: string, at: number): readonly string[] | null {
  const above: Row[] = [];
  for (let line = lineAt(text, at); ; line = lineAt(text, line.start - 1)) {
    const row = rowOf(text, line);
    if (row === null) break;
    above.push(row);
    if (line.start === 0) break;
  }
  const table = tableOf(text, above.slice(-2).reverse());
  return table?.head?.cells.map((cell) => cellText(text.slice(cell.start, cell.end))) ?? null;
}

function lineAt(text: string, at: number): Range {
  const end = text.indexOf("\n", at);
  return { start: text.lastIndexOf("\n", at - 1) + 1, end: end < 0 ? text.length : end };
}

/** The words of a cell, in which a bar is written with a backslash. */
export function cellText(text: string): string {
  return text.replaceAll("\\|", "|");
}

/** Widened to the whole of the rows of tables at both ends. */
export function wholeRows({ start, end }: Range, blocks: readonly TextBlock[]): Range {
  const rows = blocks.flatMap((block) => (block.kind === "table" ? block.rows : []));
  const isCut = (row: Row, place: number) => row.start < place && place < row.end;
  return {
    start: rows.find((row) => isCut(row, start))?.start ?? start,
    end: rows.find((row) => isCut(row, end))?.end ?? end,
  };
}

function tableOf(text: string, run: readonly Row[]): (TextBlock & { readonly kind: "table" }) | null {
  const [first, ...others] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return null;
  const isRule = (row: Row | undefined) =>
    row?.cells.every((cell) => ruleCell.test(text.slice(cell.start, cell.end))) === true;
  const hasHead = isRule(others[0]);
  const rows = (hasHead ? others : run).filter((row) => !isRule(row));
  if (!hasHead && (rows.length < minPlainRows || rows[0]?.cells.length !== rows[1]?.cells.length))
    return null;
  return { kind: "table", start: first.start, end: last.end, head: hasHead ? first : null, rows };
}

function barsIn(text: string, { start, end }: Range): readonly number[] {
  const bars: number[] = [];
  for (let at = text.indexOf("|", start); at >= 0 && at < end; at = text.indexOf("|", at + 1))
    if (text[at - 1] !== "\\") bars.push(at);
  return bars;
}

function trimmed(text: string, { start, end }: Range): Range {
  const inside = text.slice(start, end);
  const from = start + inside.length - inside.trimStart().length;
  return { start: from, end: Math.max(from, start + inside.trimEnd().length) };
}
