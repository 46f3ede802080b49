/** Draws pages of a PDF with PDFium, which runs as WebAssembly: it decodes all kinds of pictures that scans are made of. */
import type { PDFiumDocument } from "@hyzyla/pdfium";

export interface DrawnPage {
  /** A file in PNM, in shades of grey. */
  readonly picture: Buffer;
  /** It is of one shade. */
  readonly isBlank: boolean;
  /** Of the page, in points. */
  readonly width: number;
}

export interface PageDrawings {
  /** @param page from 1. @throws whatever PDFium does with a page that is damaged */
  draw(page: number): Promise<DrawnPage>;
}

const POINTS_PER_INCH = 72;
/** Of pixels an inch, as text is recognised best. */
const DENSITY = 300;
/** Larger pages are drawn with fewer pixels an inch. */
const LONGEST_SIDE = 4_400;

export async function openDrawings(bytes: Buffer): Promise<PageDrawings> {
  const { PDFiumLibrary } = await import("@hyzyla/pdfium");
  const library = await PDFiumLibrary.init();
  const document: PDFiumDocument = await library.loadDocument(bytes);
  return {
    async draw(number) {
      const page = document.getPage(number - 1);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const scale = Math.min(
        DENSITY / POINTS_PER_INCH,
        LONGEST_SIDE / Math.max(1, originalWidth, originalHeight),
      );
      const raw = await page.render({ scale, colorSpace: "Gray", render: async ({ data }) => data });
      const head = Buffer.from(`P5\n${raw.width} ${raw.height}\n255\n`);
      const isBlank = raw.data.every((shade) => shade === raw.data[0]);
      return { picture: Buffer.concat([head, raw.data]), isBlank, width: originalWidth };
    },
  };
}
