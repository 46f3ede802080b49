/** Cells of an HTML table in a grid. */
import { oneLine } from "../markdown.ts";
import { childElements, childrenNamed, type HtmlElement, htmlText } from "./html-node.ts";

/** Cells that claim to span more are taken as one that spans so many. */
const MAX_SPAN = 100;
const MAX_COLUMNS = 1_000;

/**
 * Rows with equal places for cells of a column; the first one is the header: several header rows become one. A cell that spans
 * rows is in each of them, so that each row tells all about its subject.
 *
 * @returns null for a table that contains tables or is a single cell: it arranges a page
 */
export function tableRows(table: HtmlElement): readonly (readonly string[])[] | null {
  const found = rowElements(table);
  if (table.attribs["role"] === "presentation" || found.some(({ row }) => hasTable(row))) return null;
  const widest = Math.max(0, ...found.slice(0, MAX_COLUMNS).map(({ row }) => cellsOf(row).length));
  if (widest <= 1) return null;
  const grid = fillGrid(found.map(({ row }) => row));
  const headers = found.findIndex(({ isHead }) => !isHead);
  const count = headers < 0 ? 1 : Math.max(1, headers);
  return [joinRows(grid.slice(0, count)), ...grid.slice(count)];
}

interface Row {
  readonly row: HtmlElement;
  readonly isHead: boolean;
}

function rowElements(table: HtmlElement): readonly Row[] {
  return childElements(table.children).flatMap((child): readonly Row[] => {
    if (child.name === "tr") return [{ row: child, isHead: false }];
    const isHead = child.name === "thead";
    const isGroup = isHead || child.name === "tbody" || child.name === "tfoot";
    return isGroup ? childrenNamed(child, "tr").map((row) => ({ row, isHead })) : [];
  });
}

function hasTable(element: HtmlElement): boolean {
  return childElements(element.children).some((child) => child.name === "table" || hasTable(child));
}

function cellsOf(row: HtmlElement): readonly HtmlElement[] {
  return childElements(row.children).filter(({ name }) => name === "td" || name === "th");
}

function fillGrid(rows: readonly HtmlElement[]): readonly (readonly string[])[] {
  /** For each column the text of the cell that reaches down into it, and for how many rows more. */
  const reaching = new Map<number, { readonly text: string; rows: number }>();
  return rows.map((row) => {
    const line: string[] = [];
    const takeReaching = () => {
      for (let above = reaching.get(line.length); above !== undefined; above = reaching.get(line.length)) {
        if (--above.rows === 0) reaching.delete(line.length);
        line.push(above.text);
      }
    };
    for (const cell of cellsOf(row)) {
      takeReaching();
      const text = oneLine(htmlText(cell));
      const [columns, down] = [span(cell, "colspan"), span(cell, "rowspan")];
      for (let column = 0; column < columns && line.length < MAX_COLUMNS; column++) {
        if (down > 1) reaching.set(line.length, { text: column === 0 ? text : "", rows: down - 1 });
        line.push(column === 0 ? text : "");
      }
    }
    takeReaching();
    return line;
  });
}

function span(cell: HtmlElement, name: string): number {
  const count = Number.parseInt(cell.attribs[name] ?? "1", 10);
  return count >= 1 ? Math.min(count, MAX_SPAN) : 1;
}

/** Each column's header from top to bottom, without repetitions. */
function joinRows(rows: readonly (readonly string[])[]): readonly string[] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((row) => row[column] ?? "").filter((cell) => cell !== ""))].join(" "),
  );
}
