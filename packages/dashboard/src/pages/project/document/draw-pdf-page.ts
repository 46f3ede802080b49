/** Draws pages of a PDF with pdf.js, as the service reads them with it. Loaded only when a PDF is looked at. */
import type { PDFDocumentProxy, PDFPageProxy } from "unpdf/pdfjs";
import { getDocument, Util } from "unpdf/pdfjs";
import { findOnPage, type PiecePart } from "./find-on-page.ts";

export type PdfFile = PDFDocumentProxy;

/** Enough for a large screen with two device pixels for each of its own. */
const MAX_CANVAS_PIXELS = 16_000_000;

export async function openPdf(bytes: ArrayBuffer): Promise<PdfFile> {
  return await getDocument({ data: new Uint8Array(bytes), useSystemFonts: true }).promise;
}

/** A chunk may begin at the end of a page: then the passage is on the next one. */
export async function pageOfPassage(
  file: PdfFile,
  { page, passage }: { readonly page: number; readonly passage: string },
): Promise<number> {
  const first = Math.min(page, file.numPages);
  for (const number of [first, first + 1]) {
    if (number > file.numPages || passage === "") break;
    const { parts } = await findPassage(await file.getPage(number), passage);
    if (parts.length > 0) return number;
  }
  return first;
}

async function findPassage(page: PDFPageProxy, passage: string) {
  const { items } = await page.getTextContent();
  const pieces = items.filter((item) => "str" in item);
  const texts = pieces.map(({ str }) => str);
  return { pieces, parts: findOnPage(passage, texts) };
}

export interface DrawOptions {
  /** From 1. */
  readonly page: number;
  /** What is marked, if it is on the page. */
  readonly passage: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly signal: AbortSignal;
}

export interface Drawn {
  /** Where the first mark is, as a share of the page's height; null where nothing is marked. */
  readonly markedAt: number | null;
}

/** Resolves to null when the signal was aborted meanwhile. */
export async function drawPdfPage(
  canvas: HTMLCanvasElement,
  file: PdfFile,
  { page: number, passage, width, signal }: DrawOptions,
): Promise<Drawn | null> {
  const page = await file.getPage(number);
  if (signal.aborted) return null;
  const plain = page.getViewport({ scale: 1 });
  const ratio = plain.height / plain.width;
  const pixels = Math.min(width * devicePixelRatio, Math.sqrt(MAX_CANVAS_PIXELS / ratio));
  const viewport = page.getViewport({ scale: pixels / plain.width });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  const cancel = () => task.cancel();
  signal.addEventListener("abort", cancel);
  try {
    await task.promise;
    const boxes = await placesOnPage(page, passage, viewport.transform);
    if (signal.aborted) return null;
    mark(canvas, boxes);
    const tops = boxes.flatMap((box) => box.map(([, y]) => y));
    return { markedAt: tops.length === 0 ? null : Math.min(...tops) / canvas.height };
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** The corners of a part of the text, in pixels of the canvas. */
type Box = readonly (readonly [x: number, y: number])[];

async function placesOnPage(
  page: PDFPageProxy,
  passage: string,
  transform: readonly number[],
): Promise<readonly Box[]> {
  const { pieces, parts } = await findPassage(page, passage);
  return parts.flatMap((part) => {
    const piece = pieces[part.piece];
    return piece === undefined ? [] : [boxOf(piece, part, transform)];
  });
}

interface Piece {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** Letters are taken for equally wide. Below the line is a quarter of the height, for letters such as "g". */
function boxOf(piece: Piece, { start, end }: PiecePart, transform: readonly number[]): Box {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = Util.transform([...transform], [...piece.transform]);
  const scale = Math.hypot(...transform.slice(0, 2));
  const [along, up] = [scale / (Math.hypot(a, b) || 1), (scale * piece.height) / (Math.hypot(c, d) || 1)];
  const [from, to] = [start, end].map((at) => (piece.width * at * along) / piece.str.length);
  return [
    [from, -0.25],
    [to, -0.25],
    [to, 1],
    [from, 1],
  ].map(([x = 0, y = 0]) => [e + a * x + c * y * up, f + b * x + d * y * up] as const);
}

/** Over the text, as a pen marks it, on white paper in both themes. */
function mark(canvas: HTMLCanvasElement, boxes: readonly Box[]): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.globalCompositeOperation = "multiply";
  context.fillStyle = "#ffe28a";
  for (const box of boxes) {
    context.beginPath();
    for (const [x, y] of box) context.lineTo(x, y);
    context.fill();
  }
}
