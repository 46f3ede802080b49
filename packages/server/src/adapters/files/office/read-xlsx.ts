/** XLSX: each sheet is a heading, and its rows are tables with the first row as header. */
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import type { Markdown } from "../markdown.ts";
import {
  type Attributes,
  childElements,
  decodeXml,
  findChild,
  readXml,
  scanXml,
  type XmlElement,
} from "../xml.ts";
import type { Zip } from "../zip.ts";
import { type CellFormats, formatNumber, readCellFormats } from "./cell-format.ts";
import { readRelations } from "./relations.ts";
import { writeSheet } from "./sheet.ts";

const WORKBOOK = "xl/workbook.xml";
/** Columns of a sheet. */
const MAX_COLUMNS = 16_384;

export async function readXlsx(zip: Zip, markdown: Markdown): Promise<void> {
  const workbook = readXml(decodeXml(await zip.read(WORKBOOK)));
  const relations = await readRelations(zip, WORKBOOK);
  const book = {
    strings: await readSharedStrings(zip),
    formats: await readCellFormats(zip),
    countsFrom1904: isTrue(findChild(workbook, "workbookPr")?.attributes["date1904"]),
  };
  const sheets = childElements(findChild(workbook, "sheets") ?? workbook, "sheet");
  for (const { attributes } of sheets) {
    const relation = relations.get(attributes["r:id"] ?? "");
    if (relation?.type !== "worksheet" || attributes["state"] === "veryHidden") continue;
    const rows = readRows(decodeXml(await zip.read(relation.target)), book);
    writeSheet(attributes["name"] ?? "", rows, markdown);
  }
}

interface Book {
  readonly strings: readonly string[];
  readonly formats: CellFormats;
  readonly countsFrom1904: boolean;
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

async function readSharedStrings(zip: Zip): Promise<readonly string[]> {
  const bytes = await zip.find("xl/sharedStrings.xml");
  if (bytes === null) return [];
  return childElements(readXml(decodeXml(bytes)), "si").map(richText);
}

/** Without the readings that Japanese cells carry. */
function richText(item: XmlElement): string {
  return childElements(item)
    .map((part) => {
      const text = part.name === "r" ? findChild(part, "t") : part.name === "t" ? part : undefined;
      return text?.children.filter((child) => typeof child === "string").join("") ?? "";
    })
    .join("");
}

/** Sheets can have a million rows, so they are not made into a tree. */
function readRows(xml: string, book: Book): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: Attributes = {};
  let column = 0;
  let value = "";
  let isValue = false;
  scanXml(xml, {
    open(name, attributes) {
      if (name === "row") {
        row = [];
        rows.push(row);
        column = 0;
      } else if (name === "c") {
        cell = attributes;
        column = columnOf(attributes["r"]) ?? column;
        value = "";
      } else if (name === "v" || name === "t") isValue = true;
      else if (name === "rPh") isValue = false;
    },
    text(text) {
      if (isValue) value += text;
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      if (name !== "c") return;
      const shown = showCell(value, cell, book);
      if (shown !== "") {
        while (row.length < column) row.push("");
        row[column] = shown;
      }
      column++;
    },
  });
  return rows;
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
      return value === ""
        ? ""
        : formatNumber(value, book.formats[Number(cell["s"] ?? 0)] ?? "", book.countsFrom1904);
  }
}
