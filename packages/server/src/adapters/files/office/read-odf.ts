/** OpenDocument: texts with headings, lists and tables; sheets; slides as pages. */
import type { Markdown } from "../markdown.ts";
import {
  childElements,
  decodeXml,
  descendants,
  findChild,
  readXml,
  type XmlElement,
  xmlText,
} from "../xml.ts";
import type { Zip } from "../zip.ts";
import { isoDate, type Properties, titleOrNull } from "./properties.ts";
import { writeSheet } from "./sheet.ts";

/** Sheets end with a row and a column that are repeated up to the edge. */
const MAX_REPEATED = 100;
/** What is not the text of the document. */
const ASIDE: ReadonlySet<string> = new Set(
  "tracked-changes annotation forms settings sequence-decls".split(" "),
);

export async function readOdf(zip: Zip, markdown: Markdown): Promise<void> {
  const body = findChild(readXml(decodeXml(await zip.read("content.xml"))), "body");
  for (const kind of body === undefined ? [] : childElements(body)) {
    if (kind.name === "spreadsheet") {
      for (const table of childElements(kind, "table")) {
        writeSheet(table.attributes["table:name"] ?? "", rowsOf(table), markdown);
      }
    } else writeBlocks(kind, markdown);
  }
}

export async function readOdfProperties(zip: Zip): Promise<Properties> {
  const bytes = await zip.find("meta.xml");
  const meta = bytes === null ? undefined : findChild(readXml(decodeXml(bytes)), "meta");
  return {
    title: titleOrNull(xmlText(findChild(meta, "title"))),
    date: isoDate(xmlText(findChild(meta, "creation-date"))),
  };
}

function writeBlocks(parent: XmlElement, markdown: Markdown): void {
  for (const element of childElements(parent)) writeBlock(element, markdown);
}

function writeBlock(element: XmlElement, markdown: Markdown): void {
  const { name } = element;
  if (name === "h") {
    markdown.heading(Number(element.attributes["text:outline-level"] ?? 1) || 1, inlineText(element));
  } else if (name === "p") writeParagraph(element, markdown);
  else if (name === "list") writeList(element, markdown, 0);
  else if (name === "table") markdown.table(rowsOf(element));
  else if (name === "page") writePage(element, markdown);
  else if (!ASIDE.has(name)) writeBlocks(element, markdown);
}

/** A text box is anchored in a paragraph and follows it. */
function writeParagraph(element: XmlElement, markdown: Markdown): void {
  markdown.paragraph(inlineText(element));
  for (const box of descendants(element, "text-box")) writeBlocks(box, markdown);
}

function writePage(page: XmlElement, markdown: Markdown): void {
  markdown.startPage();
  for (const frame of childElements(page)) {
    if (frame.attributes["presentation:class"] === "title") markdown.heading(2, inlineOf(frame));
    else writeBlock(frame, markdown);
  }
}

function writeList(list: XmlElement, markdown: Markdown, depth: number): void {
  for (const item of childElements(list)) {
    let isFirst = true;
    for (const part of childElements(item)) {
      if (part.name === "list") writeList(part, markdown, depth + 1);
      else if (part.name === "h") writeBlock(part, markdown);
      else if (isFirst) markdown.item(depth, inlineText(part));
      else markdown.itemParagraph(depth, inlineText(part));
      isFirst = false;
    }
  }
}

function rowsOf(table: XmlElement): readonly (readonly string[])[] {
  return childElements(table).flatMap((part): readonly (readonly string[])[] => {
    if (/^table-(?:header-rows|rows|row-group)$/.test(part.name)) return rowsOf(part);
    if (part.name !== "table-row") return [];
    const row = childElements(part).flatMap(cellsOf);
    const isBlank = row.every((cell) => cell === "");
    return Array.from({ length: isBlank ? 1 : repeated(part, "table:number-rows-repeated") }, () => row);
  });
}

function cellsOf(cell: XmlElement): readonly string[] {
  if (cell.name !== "table-cell" && cell.name !== "covered-table-cell") return [];
  const text = inlineOf(cell);
  return Array.from({ length: repeated(cell, "table:number-columns-repeated") }, () => text);
}

function repeated({ attributes }: XmlElement, name: string): number {
  return Math.min(MAX_REPEATED, Number.parseInt(attributes[name] ?? "1", 10) || 1);
}

/** The text of the paragraphs in an element, on one line. */
function inlineOf(element: XmlElement): string {
  if (element.name === "p" || element.name === "h") return inlineText(element);
  return childElements(element)
    .filter(({ name }) => name !== "annotation" && name !== "notes")
    .map(inlineOf)
    .filter((text) => text !== "")
    .join(" ");
}

/** Footnotes are in brackets where they are referred to. */
function inlineText(element: XmlElement): string {
  const text = element.children.map((child) => {
    // White space is written as elements, line ends of the file mean a space.
    if (typeof child === "string") return child.replace(/\s+/g, " ");
    switch (child.name) {
      case "s":
      case "tab":
        return " ";
      case "line-break":
        return "\n";
      case "note":
        return ` (${inlineOf(findChild(child, "note-body") ?? child)})`;
      case "annotation":
      case "text-box":
      case "title":
      case "desc":
        return "";
      default:
        return inlineText(child);
    }
  });
  return text.join("");
}
