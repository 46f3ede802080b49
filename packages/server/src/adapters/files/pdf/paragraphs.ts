/** Joins the lines of a page to paragraphs, and finds headings, items of lists and tables among them. */
import { joinLines } from "./join-lines.ts";
import type { PdfLine } from "./pdf-line.ts";
import { takeTable } from "./table-lines.ts";

export type PdfBlock =
  | { readonly kind: "heading"; readonly size: number; readonly text: string }
  | { readonly kind: "item" | "paragraph"; readonly text: string }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

/** A line of this many times the size of the text is a heading. */
const HEADING = 1.12;
const MAX_HEADING = 200;
const TITLE = 1.5;
/** Where tables or code are smaller, sentences of the text are as large as headings. */
const SENTENCE = / .{0,200}[.,;]$/;
/** Of a document with a larger share of bold type, it tells no headings. */
const MOST_BOLD = 0.2;
const SAME_SIZE = 0.95;
const MAX_BOLD_LINES = 2;
const MAX_BOLD = 120;
/** "Total 412.00 EUR". */
const AMOUNT = /\d[.,]\d{2,3}(?: ?[^\d\s]{1,3})?$/;
/** Between lines of a paragraph the distance is at most so many times the usual one. */
const WIDE = 1.3;
const BULLET = /^(?:[•▪◦‣●■➢✓]|[○□·∙*–—o-]\s)/;
const NUMBERED = /^(?:\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,4}\])\s/;

/** The type of most of a document's text. */
export interface BodyType {
  readonly size: number;
  /** Bold lines are headings where others are not bold. */
  readonly isBold: boolean;
}

export function toBlocks(lines: readonly PdfLine[], body: BodyType): readonly PdfBlock[] {
  const blocks: PdfBlock[] = [];
  const leading = usualLeading(lines);
  for (let at = 0; at < lines.length; ) {
    const rows = lines[at]?.rows;
    const table = rows === undefined ? takeTable(lines, at) : { rows, end: at + 1 };
    if (table !== null) {
      blocks.push({ kind: "table", rows: table.rows });
      at = table.end;
      continue;
    }
    // The lines of a title are as much further apart as they are larger.
    const larger = (lines[at]?.size ?? 0) / body.size;
    const end = endOfParagraph(lines, at, larger < TITLE ? leading : leading * larger);
    blocks.push(toBlock(lines.slice(at, end), body));
    at = end;
  }
  return blocks;
}

/** That of most characters. */
export function bodyTypeOf(lines: Iterable<PdfLine>): BodyType {
  const characters = new Map<number, number>();
  let [bold, all] = [0, 0];
  for (const { size, text, isBold } of lines) {
    const rounded = Math.round(size * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
    all += text.length;
    if (isBold) bold += text.length;
  }
  const [size] = [...characters].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0]);
  return { size, isBold: bold > all * MOST_BOLD };
}

function toBlock(lines: readonly PdfLine[], body: BodyType): PdfBlock {
  const text = joinLines(lines.map((line) => line.text));
  const size = Math.round((lines[0]?.size ?? 0) * 2) / 2;
  const isLarge = size >= body.size * HEADING && text.length <= MAX_HEADING && !SENTENCE.test(text);
  const isHeading = (isLarge || isBoldHeading(lines, text, body)) && /\p{L}{2}/u.test(text);
  if (isHeading && !BULLET.test(text)) return { kind: "heading", size, text };
  const isItem = BULLET.test(text) && text.length > 2;
  return isItem ? { kind: "item", text: text.slice(1).trim() } : { kind: "paragraph", text };
}

/** In bold type of the text's size, and no sentence, label or word of a programming language. */
function isBoldHeading(lines: readonly PdfLine[], text: string, body: BodyType): boolean {
  const isBold = !body.isBold && lines.every((line) => line.isBold && line.size >= body.size * SAME_SIZE);
  return (
    isBold &&
    lines.length <= MAX_BOLD_LINES &&
    text.length <= MAX_BOLD &&
    /^[^\p{Ll}].*[^.,:;!?]$/u.test(text) &&
    !AMOUNT.test(text)
  );
}

function endOfParagraph(lines: readonly PdfLine[], start: number, leading: number): number {
  const edge = Math.max(...lines.slice(start, start + 20).map(({ right }) => right));
  let end = start + 1;
  for (; end < lines.length; end++) {
    const [line, next] = [lines[end - 1], lines[end]];
    if (line === undefined || next === undefined) break;
    if (beginsAnew({ line, next, first: lines[start] ?? line, leading, edge })) break;
    if (end - start > 1 && takeTable(lines, end) !== null) break;
  }
  return end;
}

interface Neighbours {
  readonly line: PdfLine;
  readonly next: PdfLine;
  /** Of the paragraph. */
  readonly first: PdfLine;
  readonly leading: number;
  /** Right end of the longest line near. */
  readonly edge: number;
}

function beginsAnew({ line, next, first, leading, edge }: Neighbours): boolean {
  if (next.rows !== undefined || line.isRunning !== next.isRunning) return true;
  if (Math.abs(next.size - line.size) > line.size * 0.1) return true;
  if (BULLET.test(next.text) || (NUMBERED.test(next.text) && endsSentence(line.text))) return true;
  const distance = line.base - next.base;
  // The text goes on at the top of the next column, unless it ended.
  if (distance < 0) return endsSentence(line.text);
  if (distance > Math.max(leading, line.size) * WIDE) return true;
  const isList = BULLET.test(first.text) || NUMBERED.test(first.text);
  const indent = next.left - line.left;
  if (!isList && indent > next.size * 0.7 && indent < next.size * 5) return true;
  const isShort = line.right < edge - (edge - line.left) * 0.15;
  return isShort && (endsSentence(line.text) || (line.isBold && !next.isBold));
}

function endsSentence(text: string): boolean {
  return /[.!?:;。！？]["'”’)\]]?$/.test(text);
}

/** Of the lines of a page, the distance of most, in points. */
function usualLeading(lines: readonly PdfLine[]): number {
  const distances = lines
    .slice(1)
    .map((line, at) => (lines[at]?.base ?? 0) - line.base)
    .filter((distance) => distance > 2)
    .sort((a, b) => a - b);
  return distances[Math.floor(distances.length * 0.4)] ?? 0;
}
