/** Rows of tables and sheets of OpenDocument, without those that are hidden. */
import { fillSpans, type SpanningCell } from "../spans.ts";
import { childElements, type XmlElement } from "../xml.ts";
import { odfLine } from "./odf-line.ts";
import type { OdfStyle, OdfStyles } from "./odf-styles.ts";

/** Of equal rows that have a text; a sheet ends with blank ones up to its edge. */
const MAX_EQUAL_ROWS = 10_000;
const MAX_COLUMNS = 16_384;
const GROUP_OF_ROWS = /^table-(?:header-rows|rows|row-group)$/;
const CELL = /^(?:covered-)?table-cell$/;
/** The attributes that hold what a cell holds, by its type. */
const VALUES = ["string-value", "date-value", "time-value", "boolean-value", "value"] as const;
const GROUP_OF_COLUMNS = /^table-(?:header-columns|columns|column-group)$/;

export function odfRows(table: XmlElement, styles: OdfStyles): readonly (readonly string[])[] {
  const columns: Column[] = [];
  addColumns(table, styles, columns);
  return fillSpans(rowsOf(table, { styles, columns }));
}

interface Sheet {
  readonly styles: OdfStyles;
  /** The styles of cells without one; those of hidden columns are hidden. */
  readonly columns: readonly Column[];
}

interface Column {
  readonly isShown: boolean;
  readonly style: OdfStyle;
}

function addColumns(parent: XmlElement, styles: OdfStyles, columns: Column[]): void {
  for (const part of childElements(parent)) {
    if (GROUP_OF_COLUMNS.test(part.name)) addColumns(part, styles, columns);
    if (part.name !== "table-column") continue;
    const style = styles.find("table-cell", part.attributes["table:default-cell-style-name"]);
    const column = { isShown: isShown(part), style };
    const count = numberOf(part, "table:number-columns-repeated", MAX_COLUMNS - columns.length);
    for (let added = 0; added < count; added++) columns.push(column);
  }
}

function rowsOf(parent: XmlElement, sheet: Sheet): readonly (readonly SpanningCell[])[] {
  return childElements(parent).flatMap((part): readonly (readonly SpanningCell[])[] => {
    if (GROUP_OF_ROWS.test(part.name))
      return part.attributes["table:display"] === "false" ? [] : rowsOf(part, sheet);
    if (part.name !== "table-row" || !isShown(part)) return [];
    const row = cellsOf(part, sheet);
    const isBlank = row.every((cell) => cell.text === "");
    const count = isBlank ? 1 : numberOf(part, "table:number-rows-repeated", MAX_EQUAL_ROWS);
    return Array.from({ length: count }, () => row);
  });
}

/** Cells that others cover have a place in the file, but no text of their own. Blank cells up to the edge are one. */
function cellsOf(row: XmlElement, { styles, columns }: Sheet): readonly SpanningCell[] {
  let at = 0;
  const cells = childElements(row).filter(({ name }) => CELL.test(name));
  return cells.flatMap((cell, place): readonly SpanningCell[] => {
    const isCovered = cell.name === "covered-table-cell";
    const column = columns[at];
    const count = numberOf(cell, "table:number-columns-repeated", Math.max(1, MAX_COLUMNS - at));
    at += count;
    if (isCovered) return [];
    const own = cell.attributes["table:style-name"];
    const style = own === undefined ? column?.style : styles.find("table-cell", own);
    const spanning = {
      text: column?.isShown === false ? "" : cellText(cell, styles, style),
      columns: numberOf(cell, "table:number-columns-spanned", MAX_COLUMNS),
      rows: numberOf(cell, "table:number-rows-spanned", MAX_COLUMNS),
    };
    const isEdge = spanning.text === "" && place === cells.length - 1;
    return Array.from({ length: isEdge ? 1 : count }, () => spanning);
  });
}

/** Long whole numbers are shown in powers of ten, without their last digits. Some programs write the value alone, without a text. */
function cellText(cell: XmlElement, styles: OdfStyles, style: OdfStyle = {}): string {
  const shown = odfLine(cell, styles, style);
  const value = cell.attributes["office:value"] ?? "";
  if (/E[+-]?\d{1,3}$/.test(shown) && /^-?\d{1,30}$/.test(value)) return value;
  if (style.isHidden === true || childElements(cell).some(({ name }) => name !== "annotation")) return shown;
  const values = VALUES.map((name) => cell.attributes[`office:${name}`]);
  return values.find((found) => found !== undefined) ?? "";
}

/** Not hidden by hand or by a filter. */
function isShown({ attributes }: XmlElement): boolean {
  return !/^(?:collapse|filter)$/.test(attributes["table:visibility"] ?? "");
}

function numberOf({ attributes }: XmlElement, name: string, most: number): number {
  return Math.min(most, Number.parseInt(attributes[name] ?? "1", 10) || 1);
}
