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
import { isHiddenNow, odfLine } from "./odf-line.ts";
import { type OdfStyles, readOdfStyles } from "./odf-styles.ts";
import { odfRows } from "./odf-table.ts";
import { isoDate, type Properties, titleOrNull } from "./properties.ts";
import { writeSheet } from "./sheet.ts";

/** What is not the text of the document. */
const ASIDE: ReadonlySet<string> = new Set(
  "tracked-changes annotation forms settings sequence-decls".split(" "),
);

export async function readOdf(zip: Zip, markdown: Markdown): Promise<void> {
  const content = readXml(decodeXml(await zip.read("content.xml")));
  const output = { markdown, styles: await readOdfStyles(zip, content) };
  const body = findChild(content, "body");
  for (const kind of body === undefined ? [] : childElements(body)) {
    if (kind.name === "spreadsheet") {
      for (const table of childElements(kind, "table")) writeTable(table, output);
    } else writeBlocks(kind, output);
  }
}

interface Output {
  readonly markdown: Markdown;
  readonly styles: OdfStyles;
}

export async function readOdfProperties(zip: Zip): Promise<Properties> {
  const bytes = await zip.find("meta.xml");
  const meta = bytes === null ? undefined : findChild(readXml(decodeXml(bytes)), "meta");
  return {
    title: titleOrNull(xmlText(findChild(meta, "title"))),
    date: isoDate(xmlText(findChild(meta, "creation-date"))),
  };
}

/** A sheet of a spreadsheet. */
function writeTable(table: XmlElement, { markdown, styles }: Output): void {
  if (styles.find("table", table.attributes["table:style-name"]).isHidden === true) return;
  writeSheet(table.attributes["table:name"] ?? "", odfRows(table, styles), markdown);
}

function writeBlocks(parent: XmlElement, output: Output): void {
  for (const element of childElements(parent)) writeBlock(element, output);
}

function writeBlock(element: XmlElement, output: Output): void {
  const { name, attributes } = element;
  const { markdown, styles } = output;
  if (attributes["text:display"] === "none" || isHiddenNow(element)) return;
  if (name === "h") {
    markdown.heading(Number(attributes["text:outline-level"] ?? 1) || 1, odfLine(element, styles));
  } else if (name === "p") writeParagraph(element, output);
  else if (name === "list") writeList(element, output, 0);
  else if (name === "table") markdown.table(odfRows(element, styles));
  else if (name === "page") writePage(element, output);
  else if (!ASIDE.has(name)) writeBlocks(element, output);
}

/** A text box is anchored in a paragraph and follows it. */
function writeParagraph(element: XmlElement, output: Output): void {
  output.markdown.paragraph(odfLine(element, output.styles));
  for (const box of descendants(element, "text-box")) writeBlocks(box, output);
}

/** A hidden slide counts as a page, without its text. */
function writePage(page: XmlElement, output: Output): void {
  output.markdown.startPage();
  if (output.styles.find("drawing-page", page.attributes["draw:style-name"]).isHidden === true) return;
  for (const frame of childElements(page)) {
    if (frame.attributes["presentation:class"] === "title")
      output.markdown.heading(2, odfLine(frame, output.styles));
    else writeBlock(frame, output);
  }
}

function writeList(list: XmlElement, output: Output, depth: number): void {
  const { markdown, styles } = output;
  for (const item of childElements(list)) {
    let isFirst = true;
    for (const part of childElements(item)) {
      if (part.name === "list") writeList(part, output, depth + 1);
      else if (part.name === "h") writeBlock(part, output);
      else if (isFirst) markdown.item(depth, odfLine(part, styles));
      else markdown.itemParagraph(depth, odfLine(part, styles));
      isFirst = false;
    }
  }
}
