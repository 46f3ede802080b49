/** PPTX: each slide is a page with its title as heading, its lists and tables, and the speaker's notes. */
import { createInlineText, type Position } from "../inline-text.ts";
import type { Markdown } from "../markdown.ts";
import { fillSpans } from "../spans.ts";
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
import { officeMathText } from "./office-math.ts";
import { mainPart, readRelations } from "./relations.ts";

export async function readPptx(zip: Zip, markdown: Markdown): Promise<void> {
  const main = await mainPart(zip, "ppt/presentation.xml");
  const presentation = readXml(decodeXml(await zip.read(main)));
  const relations = await readRelations(zip, main);
  for (const slide of childElements(findChild(presentation, "sldIdLst") ?? presentation, "sldId")) {
    const part = relations.get(slide.attributes["r:id"] ?? "")?.target;
    if (part !== undefined) await readSlide(zip, part, markdown);
  }
}

async function readSlide(zip: Zip, part: string, markdown: Markdown): Promise<void> {
  markdown.startPage();
  const slide = readXml(decodeXml(await zip.read(part)));
  // A hidden slide counts as a page, without its text.
  if (isOff(slide.attributes["show"])) return;
  const shapes = findChild(slide, "cSld", "spTree");
  if (shapes !== undefined) writeShapes(shapes, markdown);
  const notes = [...(await readRelations(zip, part)).values()].find(({ type }) => type === "notesSlide");
  const bytes = notes === undefined ? null : await zip.find(notes.target);
  if (bytes === null) return;
  for (const shape of descendants(readXml(decodeXml(bytes)), "sp")) {
    if (placeholderOf(shape) === "body") for (const { text } of paragraphsOf(shape)) markdown.paragraph(text);
  }
}

function writeShapes(group: XmlElement, markdown: Markdown): void {
  // The title comes first, wherever it is drawn.
  const shapes = childElements(group).filter((shape) => !isHidden(shape));
  const titles = shapes.filter((shape) => /^(?:ctrTitle|title)$/.test(placeholderOf(shape) ?? ""));
  for (const title of titles)
    markdown.heading(
      2,
      paragraphsOf(title)
        .map(({ text }) => text)
        .join(" "),
    );
  for (const shape of shapes) {
    if (shape.name === "grpSp") writeShapes(shape, markdown);
    else if (shape.name === "AlternateContent") writeShapes(findChild(shape, "Choice") ?? shape, markdown);
    else if (shape.name === "sp" && !titles.includes(shape)) writeShape(shape, markdown);
    else if (shape.name === "graphicFrame") writeFrame(shape, markdown);
  }
}

/** Of dates, page numbers and footers nothing is kept: they are on every slide. */
function writeShape(shape: XmlElement, markdown: Markdown): void {
  const placeholder = placeholderOf(shape);
  if (/^(?:dt|ftr|sldNum|hdr)$/.test(placeholder ?? "")) return;
  // Text of the main placeholder is a list, unless the paragraph says that it has no bullet; other text is drawn freely.
  const isList = placeholder === "body" || placeholder === "obj";
  for (const { text, depth, hasBullet } of paragraphsOf(shape)) {
    if (hasBullet ?? (isList || depth > 0)) markdown.item(depth, text);
    else markdown.paragraph(text);
  }
}

/** Tables, and the texts of diagrams that are in the slide itself. */
function writeFrame(frame: XmlElement, markdown: Markdown): void {
  for (const table of descendants(frame, "tbl")) {
    const rows = childElements(table, "tr").map((row) =>
      childElements(row, "tc")
        .filter(({ attributes }) => !isOn(attributes["hMerge"]) && !isOn(attributes["vMerge"]))
        .map((cell) => ({
          text: paragraphsOf(cell)
            .map(({ text }) => text)
            .join(" "),
          columns: Number.parseInt(cell.attributes["gridSpan"] ?? "1", 10) || 1,
          rows: Number.parseInt(cell.attributes["rowSpan"] ?? "1", 10) || 1,
        })),
    );
    markdown.table(fillSpans(rows));
  }
}

function isHidden(shape: XmlElement): boolean {
  return childElements(shape).some((part) => isOn(findChild(part, "cNvPr")?.attributes["hidden"]));
}

function isOn(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

function isOff(value: string | undefined): boolean {
  return value === "0" || value === "false";
}

/** null = it is no placeholder; those without a type hold the content. */
function placeholderOf(shape: XmlElement): string | null {
  const placeholder = childElements(shape)
    .map((part) => findChild(part, "nvPr", "ph"))
    .find((found) => found !== undefined);
  return placeholder === undefined ? null : (placeholder.attributes["type"] ?? "obj");
}

interface Paragraph {
  readonly text: string;
  readonly depth: number;
  /** null = as the placeholder has it. */
  readonly hasBullet: boolean | null;
}

function paragraphsOf(shape: XmlElement): readonly Paragraph[] {
  return descendants(shape, "p")
    .map((paragraph) => {
      const properties = findChild(paragraph, "pPr");
      const isPlain = findChild(properties, "buNone") !== undefined;
      const isMarked = findChild(properties, "buChar") ?? findChild(properties, "buAutoNum");
      return {
        text: runsOf(paragraph).trim(),
        depth: Number.parseInt(properties?.attributes["lvl"] ?? "0", 10) || 0,
        hasBullet: isPlain ? false : isMarked === undefined ? null : true,
      };
    })
    .filter(({ text }) => text !== "");
}

function runsOf(paragraph: XmlElement): string {
  const line = createInlineText();
  for (const run of childElements(paragraph)) {
    const properties = findChild(run, "rPr")?.attributes ?? {};
    const isStruck = /^(?:sng|dbl)Strike$/.test(properties["strike"] ?? "");
    if (run.name === "br") line.add("\n");
    else if (run.name === "m")
      line.add(
        childElements(run)
          .map((formula) => officeMathText(formula))
          .join(" "),
        "formula",
      );
    else if ((run.name === "r" || run.name === "fld") && !isStruck)
      line.add(xmlText(findChild(run, "t")), positionOf(properties["baseline"]));
  }
  return line.take();
}

/** @param baseline thousandths of a per cent of the letters' height */
function positionOf(baseline: string | undefined): Position | null {
  const height = Number.parseInt(baseline ?? "0", 10);
  return height > 0 ? "raised" : height < 0 ? "lowered" : null;
}
