/** Finds tables of contents: their lines say nothing that the headings do not say again, and look like sentences when they are joined. */
import type { PdfLine } from "./pdf-line.ts";
import type { PdfPage } from "./running-lines.ts";

/** Lines of a price list have dots, too, so that a table must have so many lines, … */
const LEAST_LINES = 3;
/** … and so large a share of them must be lines of the text as well. */
const LEAST_SHARE = 0.5;
/** A long title takes two lines, of which the last one has the dots. */
const MAX_STEP = 2;
const LONE_NUMBER = /^(?:\d{1,4}|[ivxlcdm]{1,8})$/i;
const PAGE_NUMBER = / (?:\d{1,4}|[ivxlcdm]{1,8})$/i;

/** The pages without them. */
export function dropContents(pages: readonly PdfPage[]): readonly PdfPage[] {
  if (!pages.some(({ lines }) => lines.some(isLed))) return pages;
  const titles = new Set(
    pages
      .flatMap(({ lines }) => lines.filter((line) => !isLed(line)).map(({ text }) => wordsOf(text)))
      .filter((words) => words !== ""),
  );
  return pages.map((page) => {
    const dropped = new Set(
      runs(page.lines)
        .filter((run) => isContents(run, titles))
        .flat(),
    );
    return { ...page, lines: page.lines.filter((line) => !dropped.has(line)) };
  });
}

/** By dots, or by a wide gap before a number. */
function isLed(line: PdfLine): boolean {
  const { cells } = line;
  return line.leadsToPage === true || (cells.length > 1 && LONE_NUMBER.test(cells.at(-1)?.text ?? ""));
}

/** Lines in succession that lead to pages, with those between. */
function runs(lines: readonly PdfLine[]): readonly (readonly PdfLine[])[] {
  const found: { start: number; end: number }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!isLed(line)) continue;
    const last = found.at(-1);
    if (last !== undefined && at - last.end <= MAX_STEP) last.end = at;
    else found.push({ start: at, end: at });
  }
  return found.map(({ start, end }) => lines.slice(start, end + 1));
}

/** Roman numbers do not fall where arabic ones follow them; alone they could be the letters of a table's cells. */
function isContents(run: readonly PdfLine[], titles: ReadonlySet<string>): boolean {
  const led = run.filter(isLed);
  if (led.length < LEAST_LINES) return false;
  // Without dots they could be rows of a table, whose last numbers do not rise.
  if (!led.some(({ leadsToPage }) => leadsToPage) && !isRising(led)) return false;
  const known = led.filter(({ text }) => titles.has(wordsOf(text.replace(PAGE_NUMBER, ""))));
  return known.length >= LEAST_SHARE * led.length;
}

function isRising(lines: readonly PdfLine[]): boolean {
  const pages = lines.map(({ cells }) => Number(cells.at(-1)?.text)).filter((page) => !Number.isNaN(page));
  return pages.length > 0 && pages.every((page, at) => at === 0 || page >= (pages[at - 1] ?? 0));
}

/** Without numbers and marks: a heading may have other ones than the contents. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}
