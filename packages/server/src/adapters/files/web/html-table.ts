/** Cells of an HTML table in a grid. */
import { oneLine } from "../markdown.ts";
import { fillSpans } from "../spans.ts";
import { childElements, childrenNamed, type HtmlElement, isHidden } from "./html-node.ts";
import { htmlText } from "./html-text.ts";

/** Rows that are looked at to tell a table from a column. */
const FIRST_ROWS = 1_000;

/**
 * Rows with equal places for cells of a column; the first one is the header: several header rows become one. A cell that spans
 * rows is in each of them, so that each row tells all about its subject.
 *
 * @returns null for a table that contains tables or is a single cell: it arranges a page
 */
export function tableRows(table: HtmlElement): readonly (readonly string[])[] | null {
  const found = rowElements(table);
  if (table.attribs["role"] === "presentation" || found.some(({ row }) => hasTable(row))) return null;
  const widest = Math.max(0, ...found.slice(0, FIRST_ROWS).map(({ row }) => cellsOf(row).length));
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
    if (isHidden(child)) return [];
    if (child.name === "tr") return [{ row: child, isHead: false }];
    const isHead = child.name === "thead";
    const isGroup = isHead || child.name === "tbody" || child.name === "tfoot";
    return isGroup
      ? childrenNamed(child, "tr")
          .filter((row) => !isHidden(row))
          .map((row) => ({ row, isHead }))
      : [];
  });
}

function hasTable(element: HtmlElement): boolean {
  return childElements(element.children).some((child) => child.name === "table" || hasTable(child));
}

function cellsOf(row: HtmlElement): readonly HtmlElement[] {
  return childElements(row.children).filter(({ name }) => name === "td" || name === "th");
}

function fillGrid(rows: readonly HtmlElement[]): readonly (readonly string[])[] {
  return fillSpans(
    rows.map((row) =>
      cellsOf(row).map((cell) => ({
        text: oneLine(htmlText(cell)),
        columns: span(cell, "colspan"),
        rows: span(cell, "rowspan"),
      })),
    ),
  );
}

function span(cell: HtmlElement, name: string): number {
  return Math.max(1, Number.parseInt(cell.attribs[name] ?? "1", 10) || 1);
}

/** Each column's header from top to bottom, without repetitions. */
function joinRows(rows: readonly (readonly string[])[]): readonly string[] {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((row) => row[column] ?? "").filter((cell) => cell !== ""))].join(" "),
  );
}
