/** PDF through pdf.js: lines become paragraphs, headings, lists and tables, pages keep their starts. */
import { getDocumentProxy } from "unpdf";
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import type { RecognisedPages } from "../../../ports/file-converter.ts";
import { type Markdown, requireFewPages } from "../markdown.ts";
import type { OcrWork } from "../ocr/recogniser.ts";
import { type Properties, titleOrNull } from "../office/properties.ts";
import { dropContents } from "./contents-lines.ts";
import { findRules, type PdfPageProxy } from "./drawn-rules.ts";
import { combine, type Matrix, matrixOf } from "./matrix.ts";
import type { PdfPiece } from "./pdf-line.ts";
import { linesWithTables } from "./ruled-tables.ts";
import { dropRunningLines, type PdfPage } from "./running-lines.ts";
import { writePages } from "./write-pages.ts";

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Every PDF names the place of its table of objects near its end; servers and mail programs append some bytes. */
const END_BYTES = 64 * 1024;
const BOLD = /bold|black|heavy|medi(?:um)?(?:ital)?$|^(?:[A-Z]{6}\+)?CMBX/i;
/** Of all pages, that are looked at for lines. */
const MAX_OPERATORS = 5_000_000;
/** In pixels: none is unpacked to find the lines of a page. */
const MAX_PICTURE = 1;

export interface PdfWork {
  /** For pages that are pictures; null = they are not recognised. */
  readonly ocr: OcrWork | null;
  /** Called before the first lines that pages draw are looked at, which may take more than there is; null = they are not. */
  readonly onDrawings: (() => void) | null;
}

/**
 * @throws UnreadableFile when it is encrypted, truncated, damaged or has pictures without text that can be read
 */
export async function readPdf(
  bytes: Buffer,
  markdown: Markdown,
  work: PdfWork,
): Promise<Properties & { readonly ocr: RecognisedPages | null }> {
  if (!bytes.subarray(-END_BYTES).includes("startxref")) {
    throw new UnreadableFile("The PDF is truncated: its end is missing.");
  }
  const document = await openPdf(bytes);
  requireFewPages(document.numPages);
  // As the file states it, which may be anything.
  if (document.numPages < 1) throw new UnreadableFile("The PDF is damaged: it has no pages.");
  const found = await readPages(document, work.onDrawings);
  const { pages, ocr } = await withScans(bytes, found, work.ocr);
  const shown = dropContents(dropRunningLines(pages));
  if (shown.every(({ lines }) => lines.length === 0)) throw withoutText(document.numPages, work.ocr);
  writePages(shown, markdown);
  return { ...(await readProperties(document)), ocr };
}

/** The pages with the lines that were recognised on those without text. */
async function withScans(
  bytes: Buffer,
  pages: readonly PdfPage[],
  ocr: OcrWork | null,
): Promise<{ readonly pages: readonly PdfPage[]; readonly ocr: RecognisedPages | null }> {
  if (ocr === null || pages.every(({ lines }) => lines.length > 0)) return { pages, ocr: null };
  const { recogniseScans } = await import("./recognise-scans.ts");
  return await recogniseScans({ bytes, pages, ocr });
}

function withoutText(count: number, ocr: OcrWork | null): UnreadableFile {
  const are = count === 1 ? "its page is a picture" : `its ${count} pages are pictures`;
  return new UnreadableFile(
    ocr === null
      ? `The PDF has no text: ${are}, as of a scan, and the service was started without recognition of text (KCS_OCR_LANGUAGES).`
      : `The PDF has no text: ${are}, in which none was recognised (${ocr.languages.map(({ name }) => name).join(", ")}).`,
  );
}

async function openPdf(bytes: Buffer): Promise<PdfDocument> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, maxImageSize: MAX_PICTURE });
  } catch (error) {
    if (error instanceof Error && error.name === "PasswordException") {
      throw new UnreadableFile("The PDF is encrypted. Remove its password and send it again.");
    }
    throw new UnreadableFile("The PDF is damaged and cannot be read.");
  }
}

async function readPages(
  document: PdfDocument,
  onDrawings: PdfWork["onDrawings"],
): Promise<readonly PdfPage[]> {
  const pages: PdfPage[] = [];
  let left = onDrawings === null ? 0 : MAX_OPERATORS;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { placed, height } = placeOf(page);
    const { items } = await page.getTextContent();
    if (number === 1) onDrawings?.();
    const drawn = left > 0 ? await findRules(page, placed, left) : { rules: [], operators: 0 };
    left -= drawn.operators;
    const isBold = createIsBold(page);
    const pieces = items
      .filter((item) => "str" in item)
      .map((item): PdfPiece => {
        const transform = combine(placed, matrixOf(item.transform));
        return { ...item, transform, isBold: isBold(item.fontName) };
      });
    pages.push({ lines: linesWithTables(pieces, drawn.rules), bottom: 0, top: height });
    page.cleanup();
  }
  return pages;
}

/** Wide tables are often on pages that are turned to be seen. */
function placeOf(page: PdfPageProxy): { readonly placed: Matrix; readonly height: number } {
  const { transform, height } = page.getViewport({ scale: 1 / page.userUnit });
  // It counts from the top.
  return { placed: combine([1, 0, 0, -1, 0, height], matrixOf(transform)), height };
}

/** By the names of the fonts, which pdf.js knows once it has read the operators of the page. TeX's bold type is "CMBX". */
function createIsBold({ commonObjs }: PdfPageProxy): (font: string) => boolean {
  const known = new Map<string, boolean>();
  return (font) => {
    const isKnownBold = known.get(font);
    if (isKnownBold !== undefined) return isKnownBold;
    const name: unknown = commonObjs.has(font) ? commonObjs.get(font)?.name : null;
    const isBold = typeof name === "string" && BOLD.test(name);
    known.set(font, isBold);
    return isBold;
  };
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
