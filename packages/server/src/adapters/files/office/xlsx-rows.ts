/** The cells of a sheet of XLSX as they are shown, without rows and columns that are hidden. */
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import { createInlineText } from "../inline-text.ts";
import { type Attributes, childElements, findChild, scanXml, type XmlElement } from "../xml.ts";
import { type CellFormats, formatNumber, isStruckOut } from "./cell-format.ts";

export interface Book {
  readonly strings: readonly string[];
  readonly formats: CellFormats;
  readonly countsFrom1904: boolean;
}

const MAX_COLUMNS = 16_384;
const MAX_MERGES = 10_000;
/** Into so many rows below it a merged cell is written. */
const MAX_MERGED_ROWS = 1_000;
const POSITIONS = { superscript: "raised", subscript: "lowered" } as const;

interface Merge {
  readonly column: number;
  readonly top: number;
  readonly bottom: number;
}

export function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** A string that cells share, without the readings that Japanese ones carry. */
export function sharedString(item: XmlElement): string {
  const line = createInlineText();
  for (const part of childElements(item)) {
    const text = part.name === "r" ? findChild(part, "t") : part.name === "t" ? part : undefined;
    const properties = part.name === "r" ? findChild(part, "rPr") : undefined;
    if (isStruckOut(properties)) continue;
    const shown = text?.children.filter((child) => typeof child === "string").join("") ?? "";
    line.add(unescaped(shown), positionOf(findChild(properties, "vertAlign")?.attributes));
  }
  return line.take();
}

/** `_x0041_` stands for A, and for characters that XML cannot have. */
function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  const plain = text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: They show nothing.
  return plain.replace(/[\x00-\x08\x0b-\x1f]/g, "").toWellFormed();
}

function positionOf(attributes: Attributes = {}) {
  const value = attributes["val"];
  return value === "superscript" || value === "subscript" ? POSITIONS[value] : null;
}

/** Sheets can have a million rows, so they are not made into a tree. */
export function readRows(xml: string, book: Book): readonly (readonly string[])[] {
  const sheet = createSheet(book);
  const line = createInlineText();
  let run = newRun();
  let cell: Attributes = {};
  let value = "";
  let reads: "v" | "t" | null = null;
  let isReading = false;
  scanXml(xml, {
    open(name, attributes) {
      if (name === "c") [cell, value, run] = [attributes, "", newRun()];
      else if (name === "v" || name === "t") reads = isReading ? null : name;
      else if (name === "rPh") isReading = true;
      else if (name === "r") run = newRun();
      else if (name === "vertAlign") run.position = positionOf(attributes);
      else if (name === "strike") run.isStruck = !/^(?:0|false)$/.test(attributes["val"] ?? "");
      else sheet.open(name, attributes);
    },
    text(text) {
      if (reads === "v") value += text;
      else if (reads === "t" && !run.isStruck) line.add(text, run.position);
    },
    close(name) {
      if (name === "v" || name === "t") reads = null;
      else if (name === "rPh") isReading = false;
      else if (name === "r") run = newRun();
      else if (name === "c") sheet.addCell(unescaped(line.take() || value), cell);
    },
  });
  return sheet.finish();
}

function newRun(): { position: ReturnType<typeof positionOf>; isStruck: boolean } {
  return { position: null, isStruck: false };
}

/** Puts cells where they belong. */
function createSheet(book: Book) {
  const rows: string[][] = [];
  const byNumber = new Map<number, string[]>();
  const merges: Merge[] = [];
  const hiddenColumns = new Set<number>();
  let row: string[] | null = null;
  let number = 0;
  let column = 0;

  function openRow(attributes: Attributes): void {
    const next = Number.parseInt(attributes["r"] ?? "", 10) || number + 1;
    row = isTrue(attributes["hidden"]) ? null : [];
    // Rows without a cell can be missing in the file.
    if (row !== null && next > number + 1) rows.push([]);
    if (row !== null) {
      rows.push(row);
      byNumber.set(next, row);
    }
    [number, column] = [next, 0];
  }

  return {
    open(name: string, attributes: Attributes): void {
      if (name === "row") openRow(attributes);
      else if (name === "col" && isTrue(attributes["hidden"])) addRange(hiddenColumns, attributes);
      else if (name === "mergeCell" && merges.length < MAX_MERGES) {
        const merge = mergeOf(attributes["ref"]);
        if (merge !== null) merges.push(merge);
      }
    },
    addCell(value: string, cell: Attributes): void {
      column = columnOf(cell["r"]) ?? column;
      const shown = row === null || hiddenColumns.has(column) ? "" : showCell(value, cell, book);
      if (row !== null && shown !== "") put(row, column, shown);
      column++;
    },
    finish(): readonly (readonly string[])[] {
      for (const merge of merges) fillMerge(merge, byNumber);
      return rows;
    },
  };
}

function addRange(columns: Set<number>, attributes: Attributes): void {
  const [first, last] = [Number(attributes["min"]), Math.min(Number(attributes["max"]), MAX_COLUMNS)];
  for (let column = first; column <= last; column++) columns.add(column - 1);
}

/** Each row that has more text tells what the merged cell says. */
function fillMerge({ column, top, bottom }: Merge, byNumber: ReadonlyMap<number, string[]>): void {
  const text = byNumber.get(top)?.[column] ?? "";
  if (text === "") return;
  for (let number = top + 1; number <= Math.min(bottom, top + MAX_MERGED_ROWS); number++) {
    const row = byNumber.get(number);
    if (row !== undefined && row.length > 0) put(row, column, text);
  }
}

function put(row: string[], column: number, text: string): void {
  while (row.length < column) row.push("");
  row[column] = text;
}

/** `A2:B4`. */
function mergeOf(reference: string | undefined): Merge | null {
  const [, top, bottom] = /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(reference ?? "") ?? [];
  const column = columnOf(reference);
  return column === null || top === undefined ? null : { column, top: Number(top), bottom: Number(bottom) };
}

/** `C7` → 2. */
function columnOf(reference: string | undefined): number | null {
  const [letters] = /^[A-Z]{1,3}/.exec(reference ?? "") ?? [];
  if (letters === undefined) return null;
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  if (column >= MAX_COLUMNS) throw new UnreadableFile("The file is damaged: a sheet has too many columns.");
  return column;
}

function showCell(value: string, cell: Attributes, book: Book): string {
  const { code = "", isStruck = false } = book.formats[Number(cell["s"] ?? 0)] ?? {};
  if (isStruck) return "";
  switch (cell["t"]) {
    case "s":
      return book.strings[Number(value)] ?? "";
    case "b":
      return value === "1" ? "TRUE" : "FALSE";
    case "str":
    case "inlineStr":
    case "e":
    case "d":
      return value;
    default:
      return value === "" ? "" : formatNumber(value, code, book.countsFrom1904);
  }
}
