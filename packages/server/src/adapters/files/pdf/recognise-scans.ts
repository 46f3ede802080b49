/** Recognises the text of those pages of a PDF that have none, but pictures of it. */
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import type { RecognisedPages } from "../../../ports/file-converter.ts";
import { type OcrWork, openRecogniser, type Recogniser } from "../ocr/recogniser.ts";
import { openDrawings, type PageDrawings } from "./draw-pages.ts";
import type { PdfLine } from "./pdf-line.ts";
import type { PdfPage } from "./running-lines.ts";

/** Of the processor, where other pages have text: pages without any are mostly pictures there. */
const BUDGET_BESIDE_TEXT_MS = 2 * 60_000;

/**
 * Where other pages have text, scans that cannot be read, or for which there is no time, are told as unread.
 * @throws UnreadableFile when all pages are scans and there are too many of them
 */
export async function recogniseScans({
  bytes,
  pages,
  ocr,
}: {
  readonly bytes: Buffer;
  readonly pages: readonly PdfPage[];
  readonly ocr: OcrWork;
}): Promise<{ readonly pages: readonly PdfPage[]; readonly ocr: RecognisedPages | null }> {
  const hasText = pages.some(({ lines }) => lines.length > 0);
  const budgetMs = hasText ? BUDGET_BESIDE_TEXT_MS : undefined;
  const recogniser = await openRecogniser(ocr, budgetMs).catch((error) => {
    if (hasText) return null;
    throw error;
  });
  const drawings = await openDrawings(bytes).catch(() => null);
  const unread: number[] = [];
  const done: PdfPage[] = [];
  let read = 0;
  for (const [index, page] of pages.entries()) {
    if (page.lines.length > 0) {
      done.push(page);
      continue;
    }
    if (!hasText && recogniser?.hasTime() === false) throw tookTooLong(read + unread.length, pages.length);
    const lines = await linesOf(index + 1, recogniser, drawings);
    if (lines === null) unread.push(index + 1);
    else if (lines.length > 0) read++;
    done.push({ ...page, lines: lines ?? [] });
  }
  return { pages: done, ocr: read + unread.length === 0 ? null : { read, unread } };
}

/** null = it may have text, which was not read. */
async function linesOf(
  page: number,
  recogniser: Recogniser | null,
  drawings: PageDrawings | null,
): Promise<readonly PdfLine[] | null> {
  if (drawings === null || recogniser?.hasTime() !== true) return null;
  const drawn = await drawings.draw(page).catch(() => null);
  if (drawn === null) return null;
  return drawn.isBlank ? [] : recogniser.recognise(drawn.picture, drawn.width);
}

function tookTooLong(done: number, count: number): UnreadableFile {
  return new UnreadableFile(
    `The PDF is a scan of ${count} pages, of which ${done} could be recognised in the time that one file may take. Send it in parts of at most so many pages.`,
  );
}
