/** Finds tables of contents: their lines say nothing that the headings do not say again, and look like sentences when they are joined. */
import type { PdfLine } from "./pdf-line.ts";
import type { PdfPage } from "./running-lines.ts";

/** Lines of a price list have dots, too, so that a table must have so many lines, … */
const LEAST_LINES = 3;
/** … and so large a share of them must be lines of the text as well. */
const LEAST_SHARE = 0.5;
/** A long title takes two lines, of which the last one has the dots. */
const MAX_STEP = 2;
/** Pages on which the same line is looked for: a title at its chapter, and at the top of pages. */
const MAX_PLACES = 64;
const LONE_NUMBER = /^(?:\d{1,4}|[ivxlcdm]{1,8})$/i;
const PAGE_NUMBER = / (?:\d{1,4}|[ivxlcdm]{1,8})$/i;

/** Of lines without dots so many must have the title on the page that they name, counted from the same first page. */
const LEAST_ON_PAGE = 3;

/** By their words: the numbers of the pages that have them as a line. */
type Titles = ReadonlyMap<string, readonly number[]>;

/** The pages without them. */
export function dropContents(pages: readonly PdfPage[]): readonly PdfPage[] {
  if (!pages.some(({ lines }) => lines.some(isLed))) return pages;
  const titles = findTitles(pages);
  return pages.map((page) => {
    const dropped = new Set(
      runs(page.lines)
        .filter((run) => isContents(run, titles))
        .flat(),
    );
    return { ...page, lines: page.lines.filter((line) => !dropped.has(line)) };
  });
}

function findTitles(pages: readonly PdfPage[]): Titles {
  const titles = new Map<string, number[]>();
  for (const [number, { lines }] of pages.entries())
    for (const line of lines) {
      const words = isLed(line) ? "" : wordsOf(line.text);
      if (words === "") continue;
      const known = titles.get(words) ?? [];
      if (known.at(-1) !== number && known.length < MAX_PLACES) titles.set(words, [...known, number]);
    }
  return titles;
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

function isContents(run: readonly PdfLine[], titles: Titles): boolean {
  const led = run.filter(isLed);
  if (led.length < LEAST_LINES) return false;
  const places = led.map((line) => titles.get(wordsOf(line.text.replace(PAGE_NUMBER, ""))) ?? []);
  const known = places.filter((pages) => pages.length > 0);
  if (known.length < LEAST_SHARE * led.length) return false;
  // Without dots they could be rows of a table about what the sections are about.
  return led.some(({ leadsToPage }) => leadsToPage) || mostOnPage(led, places) >= LEAST_ON_PAGE;
}

/** How many titles stand on the pages that their lines name, if the first page has the number with which the most do. */
function mostOnPage(led: readonly PdfLine[], places: readonly (readonly number[])[]): number {
  const counts = new Map<number, number>();
  for (const [at, { cells }] of led.entries()) {
    const page = Number(cells.at(-1)?.text);
    if (Number.isNaN(page)) continue;
    for (const first of new Set(places[at]?.map((number) => number - page)))
      counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  // Titles that all stand on one page, as those of a short text do, tell nothing.
  const pages = new Set(places.flat());
  return pages.size < 2 ? 0 : Math.max(0, ...counts.values());
}

/** Without numbers and marks: a heading may have other ones than the contents. */
function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
}
