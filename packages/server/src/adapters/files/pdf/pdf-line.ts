/** Lines of a page of a PDF, from the pieces of text that pdf.js finds. */
import { lower, raise } from "../raised-text.ts";

export interface PdfLine {
  readonly text: string;
  /** Left and right end, and the base line from the bottom of the page, in points. */
  readonly left: number;
  readonly right: number;
  readonly base: number;
  /** Size of the type, in points, of most of its characters. */
  readonly size: number;
  /** All of it. */
  readonly isBold: boolean;
  /** Parts between wide gaps, as cells of a table have. */
  readonly cells: readonly PdfCell[];
  /** Dots lead to a page number at its end, as in a table of contents. */
  readonly leadsToPage?: boolean;
  /** Pages have it at their edge. */
  readonly isRunning?: boolean;
  /** Of a table, whose text is that of all its cells. */
  readonly rows?: readonly (readonly string[])[];
}

export interface PdfCell {
  readonly text: string;
  readonly left: number;
  readonly right: number;
}

/** What pdf.js gives for a piece of text on one line; marked content has no text. */
export interface PdfPiece {
  readonly str: string;
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
  readonly isBold?: boolean;
}

/**
 * A gap of so many sizes of type parts cells. A few gaps between the words of justified lines are as wide, but they do not stand below one
 * another. The columns of TeX's tables are 12 points apart, which is a gap of cells up to a type of 12 points.
 */
const CELL_GAP = 0.95;
/** Superscripts are set in two thirds to four fifths of the size, a third of it higher; parts of it, to be sure. */
const SMALL = 0.85;
const LEAST_SHIFT = 0.1;
const BEFORE_CHARACTERS = 40;
const LED = /\.(?: ?\.){3,8} ?(?:\d{1,4}|[ivxlcdm]{1,8})$/i;
/** Enough for the number and the dots before it. */
const LED_UNITS = 30;

export function toLines(pieces: readonly PdfPiece[]): readonly PdfLine[] {
  const lines: PdfLine[] = [];
  let open: PdfPiece[] = [];
  const end = () => {
    const line = joinPieces(open);
    if (line !== null) lines.push(line);
    open = [];
  };
  for (const piece of pieces) {
    const last = open.at(-1);
    if (last !== undefined && Math.abs(baseOf(piece) - baseOf(last)) > Math.max(sizeOf(piece), sizeOf(last)))
      end();
    open.push(piece);
    if (piece.hasEOL) end();
  }
  end();
  return lines;
}

function joinPieces(pieces: readonly PdfPiece[]): PdfLine | null {
  const visible = pieces.filter(({ str }) => str.trim() !== "");
  // The longest piece tells the size and the base line: raised and lowered signs are short.
  const main = visible.reduce<PdfPiece | null>(
    (longest, piece) => (longest === null || piece.str.length > longest.str.length ? piece : longest),
    null,
  );
  if (main === null) return null;
  const size = sizeOf(main);
  const raw = toCells(pieces, main);
  const cells = raw
    .map((cell) => ({ ...cell, text: cleanCell(cell.text) }))
    .filter(({ text }) => text !== "");
  const leadsToPage = LED.test(
    raw
      .map((cell) => cell.text)
      .join(" ")
      .replace(/\s+/g, " ")
      .trimEnd()
      .slice(-LED_UNITS),
  );
  const text = cells.map((cell) => cell.text).join(" ");
  const [left, right] = [cells[0]?.left ?? 0, cells.at(-1)?.right ?? 0];
  return {
    text,
    left,
    right,
    base: baseOf(main),
    size,
    isBold: visible.every((piece) => piece.isBold === true),
    cells,
    leadsToPage,
  };
}

function toCells(pieces: readonly PdfPiece[], main: PdfPiece): readonly PdfCell[] {
  const size = sizeOf(main);
  const cells: { text: string; left: number; right: number }[] = [];
  let isNew = true;
  for (const piece of pieces) {
    const [left, right] = [leftOf(piece), leftOf(piece) + piece.width];
    const last = cells.at(-1);
    if (piece.str.trim() === "") {
      isNew ||= piece.width > size * CELL_GAP;
      if (!isNew && last !== undefined) last.text += " ";
      continue;
    }
    if (last === undefined || isNew || left - last.right > size * CELL_GAP)
      cells.push({ text: piece.str, left, right });
    else {
      last.text += placed(piece, main, last.text);
      last.right = right;
    }
    isNew = false;
  }
  return cells;
}

/** Small digits above or below the line are powers, indices and marks of notes. Formulas are more than that, and stay as they are. */
function placed(piece: PdfPiece, main: PdfPiece, before: string): string {
  const [size, above] = [sizeOf(main), baseOf(piece) - baseOf(main)];
  const isSmall = sizeOf(piece) <= size * SMALL && /^[\d+\-−–]{1,5}$/.test(piece.str.trim());
  if (!isSmall || Math.abs(above) < size * LEAST_SHIFT || /\s$/.test(before)) return piece.str;
  return above > 0 ? raise(piece.str, before.slice(-BEFORE_CHARACTERS)) : lower(piece.str, before);
}

/** Signs that TeX sets above the next letter, and what they are in Unicode. */
const ACCENTS: Readonly<Record<string, string>> = {
  "´": "\u0301",
  "¨": "\u0308",
  ˆ: "\u0302",
  "˜": "\u0303",
  ˇ: "\u030c",
};

/** Joins accents with their letters, and drops dots that lead to a page number. */
function cleanCell(text: string): string {
  return text
    .replace(
      /([´¨ˆ˜ˇ]) ?([A-Za-zı])/g,
      (_, accent, letter) => `${letter === "ı" ? "i" : letter}${ACCENTS[accent]}`,
    )
    .normalize("NFC")
    .replace(/(?: ?\.){5,}/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

export function sizeOf({ transform }: PdfPiece): number {
  const [, , x = 0, y = 0] = transform;
  return Math.round(Math.hypot(x, y) * 10) / 10;
}

/** Its text runs from the left to the right. */
export function isLevel({ transform }: PdfPiece): boolean {
  const [right = 0, up = 0] = transform;
  return right > 0 && Math.abs(up) < right / 10;
}

export function leftOf({ transform }: PdfPiece): number {
  return transform[4] ?? 0;
}

export function baseOf({ transform }: PdfPiece): number {
  return transform[5] ?? 0;
}
