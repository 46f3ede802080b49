/** Pictures of text: scans and photographs of pages, and screenshots. */
import { UnreadableFile } from "../../../domain/unreadable-file.ts";
import type { RecognisedPages } from "../../../ports/file-converter.ts";
import type { Markdown } from "../markdown.ts";
import type { Properties } from "../office/properties.ts";
import type { PdfLine } from "../pdf/pdf-line.ts";
import type { PdfPage } from "../pdf/running-lines.ts";
import { writePages } from "../pdf/write-pages.ts";
import { type OcrWork, openRecogniser, type Recogniser } from "./recogniser.ts";
import { tiffPages } from "./tiff-pages.ts";

/** That of A4, in points: a picture does not tell its own reliably. */
const PAGE_WIDTH = 595;

/** @throws UnreadableFile for a picture that is damaged, or in which no text was recognised */
export async function readPicture(
  bytes: Buffer,
  markdown: Markdown,
  ocr: OcrWork,
): Promise<Properties & { readonly ocr: RecognisedPages }> {
  const recogniser = await openRecogniser(ocr);
  const unread: number[] = [];
  const pages: PdfPage[] = [];
  for (const picture of tiffPages(bytes)) {
    if (!recogniser.hasTime()) throw tooManyPages(pages.length);
    const lines = pageOf(recogniser, picture);
    pages.push({ lines: lines ?? [], bottom: 0, top: 0 });
    if (lines === null) unread.push(pages.length);
  }
  const read = pages.filter(({ lines }) => lines.length > 0).length;
  if (read === 0) {
    const names = ocr.languages.map(({ name }) => name).join(", ");
    throw new UnreadableFile(
      `No text was recognised in the picture (${names}): it has none, or it cannot be read.`,
    );
  }
  writePages(pages, markdown);
  return { title: null, date: null, ocr: { read, unread } };
}

/** null for a page that cannot be read, beside others that can. */
function pageOf(recogniser: Recogniser, picture: Buffer): readonly PdfLine[] | null {
  try {
    return recogniser.recognise(picture, PAGE_WIDTH);
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

function tooManyPages(done: number): UnreadableFile {
  return new UnreadableFile(
    `The picture has more pages than could be recognised in the time that one file may take, which were ${done}. Send it in parts.`,
  );
}
