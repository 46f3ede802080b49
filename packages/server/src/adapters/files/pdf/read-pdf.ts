/** PDF through pdf.js: lines become paragraphs, headings, lists and tables, pages keep their starts. */
import { getDocumentProxy } from "unpdf";
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import { type Markdown, requireFewPages } from "../markdown.ts";
import { type Properties, titleOrNull } from "../office/properties.ts";
import { bodySizeOf, type PdfBlock, toBlocks } from "./paragraphs.ts";
import { type PdfPiece, toLines } from "./pdf-line.ts";
import { dropRunningLines, type PdfPage } from "./running-lines.ts";

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Every PDF names the place of its table of objects near its end; servers and mail programs append some bytes. */
const END_BYTES = 64 * 1024;
const HEADING_LEVELS = 4;

/** @throws UnreadableFile when it is encrypted, truncated, damaged or has pictures of text only */
export async function readPdf(bytes: Buffer, markdown: Markdown): Promise<Properties> {
  if (!bytes.subarray(-END_BYTES).includes("startxref")) {
    throw new UnreadableFile("The PDF is truncated: its end is missing.");
  }
  const document = await openPdf(bytes);
  requireFewPages(document.numPages);
  const pages = dropRunningLines(await readPages(document));
  if (pages.every(({ lines }) => lines.length === 0)) {
    const count = document.numPages === 1 ? "its page is" : `its ${document.numPages} pages are`;
    throw new UnreadableFile(
      `The PDF has no text: ${count} pictures, as of a scan. Send it with recognised text (OCR).`,
    );
  }
  writePages(pages, markdown);
  return await readProperties(document);
}

async function openPdf(bytes: Buffer): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new UnreadableFile("The PDF is encrypted. Remove its password and send it again.");
    }
    throw new UnreadableFile("The PDF is damaged and cannot be read.");
  }
}

async function readPages(document: PdfDocument): Promise<readonly PdfPage[]> {
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const [, bottom = 0, , top = 0] = page.view;
    const { items } = await page.getTextContent();
    const pieces = items.filter((item): item is typeof item & PdfPiece => "str" in item);
    pages.push({ lines: toLines(pieces), bottom, top });
    page.cleanup();
  }
  return pages;
}

function writePages(pages: readonly PdfPage[], markdown: Markdown): void {
  const bodySize = bodySizeOf(pages.flatMap(({ lines }) => lines));
  const blocks = pages.map(({ lines }) => toBlocks(lines, bodySize));
  const levelOf = headingLevels(blocks.flat());
  let last: PdfBlock | null = null;
  for (const page of blocks) {
    markdown.startPage();
    for (const [index, block] of page.entries()) {
      if (index === 0 && isContinued(last, block)) markdown.continueParagraph(block.text);
      else writeBlock(block, levelOf, markdown);
    }
    last = page.at(-1) ?? last;
  }
}

function writeBlock(block: PdfBlock, levelOf: (size: number) => number, markdown: Markdown): void {
  if (block.kind === "heading") markdown.heading(levelOf(block.size), block.text);
  else if (block.kind === "table") markdown.table(block.rows);
  else if (block.kind === "item") markdown.item(0, block.text);
  else markdown.paragraph(block.text);
}

type TextBlock = Extract<PdfBlock, { readonly text: string }>;

/** A sentence that a page breaks goes on in small letters. */
function isContinued(last: PdfBlock | null, next: PdfBlock): next is TextBlock {
  if (last === null || last.kind === "table" || last.kind === "heading" || next.kind !== "paragraph")
    return false;
  return /[\p{L}\p{N},;–-]$/u.test(last.text) && /^\p{Ll}/u.test(next.text);
}

/** The largest type is level 1. Sizes that few headings have, such as of a cover, count as well. */
function headingLevels(blocks: readonly PdfBlock[]): (size: number) => number {
  const sizes = [...new Set(blocks.flatMap((block) => (block.kind === "heading" ? [block.size] : [])))];
  sizes.sort((a, b) => b - a);
  return (size) => Math.min(HEADING_LEVELS, sizes.indexOf(size) + 1);
}

async function readProperties(document: PdfDocument): Promise<Properties> {
  const { info } = await document.getMetadata();
  const { Title: title, CreationDate: created } = info as { Title?: unknown; CreationDate?: unknown }; // As the file has them.
  return {
    title:
      typeof title === "string" && !/^(?:untitled|Microsoft Word - )/i.test(title)
        ? titleOrNull(title)
        : null,
    date: typeof created === "string" ? pdfDate(created) : null,
  };
}

/** `D:20201231235959+01'00'` → `2020-12-31`. */
function pdfDate(text: string): string | null {
  const [, year, month = "01", day = "01"] = /^(?:D:)?(\d{4})(\d\d)?(\d\d)?/.exec(text) ?? [];
  const date = `${year}-${month}-${day}`;
  return year === undefined || Number.isNaN(Date.parse(date)) ? null : date;
}
