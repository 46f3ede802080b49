/** Lines of a page from hOCR, the HTML in which Tesseract says what it read and where. */

import { joinLines } from "../pdf/join-lines.ts";
import type { PdfCell, PdfLine } from "../pdf/pdf-line.ts";
import { type Attributes, scanXml } from "../xml.ts";

interface Word {
  text: string;
  /** 0 to 100. */
  readonly confidence: number;
  readonly left: number;
  readonly right: number;
}

interface Line {
  readonly words: Word[];
  /** Base line from the top of the picture, and the height of its type, in pixels. */
  readonly base: number;
  readonly height: number;
}

const LINES: ReadonlySet<string> = new Set(["ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"]);
/** Less sure words are mostly specks, lines and parts of drawings. */
const LEAST_CONFIDENCE = 40;
const SURE = 80;
const BULLET = "•";
const MARKS = /^[+*»«©®°·•¢]$/;
/** Heights of lines of one size differ by so much, by the letters that are in them. */
const SAME_HEIGHT = 0.25;
/** A gap of so many heights is between the cells of a table. */
const CELL_GAP = 1.5;

/** @param width of the page, in points */
export function toPageLines(hocr: string, width: number): readonly PdfLine[] {
  const { size, lines } = scan(hocr);
  if (size === null) return [];
  const scale = width / size.width;
  const usual = usualHeight(lines);
  return lines.flatMap(({ words, base, height }) => {
    const cells = toCells(words, usual, scale);
    if (cells.length === 0) return [];
    const isUsual = Math.abs(height - usual) <= usual * SAME_HEIGHT;
    return {
      text: cells.map(({ text }) => text).join(" "),
      left: cells[0]?.left ?? 0,
      right: cells.at(-1)?.right ?? 0,
      base: (size.height - base) * scale,
      isBold: false,
      size: Math.round((isUsual ? usual : height) * scale * 10) / 10,
      cells,
    };
  });
}

function scan(hocr: string) {
  const lines: Line[] = [];
  let size: { readonly width: number; readonly height: number } | null = null;
  let word: Word | null = null;
  scanXml(hocr, {
    open(_, attributes) {
      const kind = attributes["class"] ?? "";
      const [left = 0, , right = 0, bottom = 0] = numbersOf(attributes, "bbox");
      if (kind === "ocr_page") size = { width: Math.max(1, right), height: bottom };
      else if (LINES.has(kind)) {
        const [, offset = 0] = numbersOf(attributes, "baseline");
        const [height = 0] = numbersOf(attributes, "x_size");
        lines.push({ words: [], base: bottom + offset, height });
      } else if (kind === "ocrx_word") {
        const [confidence = 0] = numbersOf(attributes, "x_wconf");
        word = { text: "", confidence, left, right };
        lines.at(-1)?.words.push(word);
      }
    },
    text(text) {
      if (word !== null) word.text += text;
    },
    close: () => undefined,
  });
  return { size: size as { readonly width: number; readonly height: number } | null, lines };
}

/** `bbox 252 140 357 167; x_wconf 95` */
function numbersOf({ title = "" }: Attributes, name: string): readonly number[] {
  const property = title
    .split(";")
    .map((each) => each.trim().split(" "))
    .find(([first]) => first === name);
  return (property ?? []).slice(1).map(Number);
}

/** That of most characters. */
function usualHeight(lines: readonly Line[]): number {
  const heights = lines
    .map(({ words, height }) => ({ height, length: words.reduce((sum, { text }) => sum + text.length, 0) }))
    .sort((a, b) => a.height - b.height);
  let left = heights.reduce((sum, { length }) => sum + length, 0) / 2;
  for (const { height, length } of heights) {
    left -= length;
    if (left <= 0) return height;
  }
  return 0;
}

/** Dots before the items of a list are read as other signs, which are not sure. */
function shownText({ text, confidence }: Word, isFirst: boolean): string {
  const cleaned = text.trim();
  const isMark = isFirst && confidence < SURE && MARKS.test(cleaned);
  if (isMark) return BULLET;
  return confidence < LEAST_CONFIDENCE ? "" : cleaned;
}

function toCells(words: readonly Word[], height: number, scale: number): readonly PdfCell[] {
  const cells: { text: string; left: number; right: number }[] = [];
  let end = 0;
  for (const [index, word] of words.entries()) {
    const { left, right } = word;
    const cleaned = shownText(word, index === 0);
    if (cleaned === "") continue;
    const last = cells.at(-1);
    if (last === undefined || (left - end > height * CELL_GAP && last.text !== BULLET))
      cells.push({ text: cleaned, left: left * scale, right: right * scale });
    else {
      last.text = joinLines([last.text, cleaned]);
      last.right = right * scale;
    }
    end = right;
  }
  return cells;
}
