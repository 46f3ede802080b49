/** Finds headers and footers that many pages repeat. */
import type { PdfLine } from "./pdf-line.ts";

export interface PdfPage {
  readonly lines: readonly PdfLine[];
  /** Lower and upper edge, in points. */
  readonly bottom: number;
  readonly top: number;
}

/** Parts of a page, at its edges, in which such lines are. */
const EDGE = 0.12;
/** There, only the outermost lines: those below a header may be the head of a table that goes on. */
const OUTERMOST = 2;
/** Lines are the same that stand in the same place, within so many points. */
const TOLERANCE = 3;
/** A chapter's title is on its own pages only, and on every second of these. */
const LEAST_PAGES = 3;
/** A line of numbers alone may be the row of a table, unless very many pages have one in its place. */
const LEAST_SHARE_OF_NUMBERS = 0.3;
/** Numbers that count pages may begin again with each chapter; those of amounts rise with the pages by chance only. */
const LEAST_SHARE_IN_STEP = 0.5;
/** Beside words, a larger number than that of the page by so much is of something else that is counted, as bills are. */
const MAX_AHEAD = 1000;
const MAX_LENGTH = 200;

type Edge = "top" | "bottom";

/** A line at the edge of a page; `place` and what of its text has to be the same. */
interface EdgeLine {
  readonly page: number;
  readonly edge: Edge;
  readonly exact: string;
  /** With any numbers, or Roman ones alone. */
  readonly numbered: string;
  readonly numbers: readonly number[];
}

/**
 * The pages without lines that are the same, and without those that count them. What is the same stays once: at the top of the first page and
 * at the bottom of the last, where no sentence goes on across it.
 */
export function dropRunningLines(pages: readonly PdfPage[]): readonly PdfPage[] {
  const edges = new Map(pages.flatMap((page, number) => edgeLines(page, number)));
  const all = [...edges.values()];
  const same = Map.groupBy(all, ({ exact }) => exact);
  const numbered = Map.groupBy(all, ({ numbered }) => numbered);
  const counting = new Set(
    [...numbered].filter(([, lines]) => isCount(lines, pages.length)).map(([key]) => key),
  );
  const isRunning = (line: EdgeLine) => isOften(line.exact, same.get(line.exact) ?? [], pages.length);
  return pages.map((page, number) => {
    const shown = page.lines.filter((line) => !counting.has(edges.get(line)?.numbered ?? ""));
    const [text, running] = partition(shown, (line) => {
      const edge = edges.get(line);
      return edge === undefined || !isRunning(edge);
    });
    const kept = (edge: Edge, on: number) =>
      running
        .filter((line) => number === on && edges.get(line)?.edge === edge)
        .map((line) => ({ ...line, isRunning: true }));
    return { ...page, lines: [...kept("top", 0), ...text, ...kept("bottom", pages.length - 1)] };
  });
}

function partition<Item>(
  items: readonly Item[],
  isIn: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  const { true: matching = [], false: rest = [] } = Object.groupBy(items, (item) => `${isIn(item)}`);
  return [matching, rest];
}

function isOften(key: string, lines: readonly EdgeLine[], pages: number): boolean {
  const least = /\p{L}/u.test(key) ? LEAST_PAGES : Math.max(LEAST_PAGES, pages * LEAST_SHARE_OF_NUMBERS);
  return new Set(lines.map(({ page }) => page)).size >= least;
}

/** Whether one of the numbers in a line rises with the pages that have it. */
function isCount(lines: readonly EdgeLine[], pages: number): boolean {
  const [first] = lines;
  if (first === undefined || !isOften(first.numbered, lines, pages)) return false;
  const mostAhead = /\p{L}/u.test(first.numbered) ? MAX_AHEAD : Number.POSITIVE_INFINITY;
  const steps = lines.slice(1).flatMap((line, at) => {
    const before = lines[at];
    return before === undefined || before.page === line.page ? [] : [{ before, line }];
  });
  return first.numbers.some((_, slot) => {
    const inStep = steps.filter(({ before, line }) => {
      const [from = 0, to = 0] = [before.numbers[slot], line.numbers[slot]];
      return to - from === line.page - before.page && to - line.page <= mostAhead;
    });
    return inStep.length >= steps.length * LEAST_SHARE_IN_STEP;
  });
}

function edgeLines({ lines, bottom, top }: PdfPage, page: number): readonly (readonly [PdfLine, EdgeLine])[] {
  const height = (line: PdfLine) => (line.base - bottom) / (top - bottom);
  const sorted = lines.toSorted((a, b) => a.base - b.base);
  const atBottom = sorted.slice(0, OUTERMOST).filter((line) => height(line) < EDGE);
  const atTop = sorted.slice(-OUTERMOST).filter((line) => height(line) > 1 - EDGE);
  const of = (edge: Edge) => (line: PdfLine) => [line, edgeLine(line, { page, edge })] as const;
  return [...atBottom.map(of("bottom")), ...atTop.map(of("top"))].filter(
    ([{ text }]) => text.length <= MAX_LENGTH,
  );
}

function edgeLine({ base, text }: PdfLine, at: { readonly page: number; readonly edge: Edge }): EdgeLine {
  const place = Math.round(base / TOLERANCE);
  const isRoman = /^[ivxlcdm]{1,8}$/i.test(text);
  return {
    ...at,
    exact: `${place} ${text}`,
    numbered: `${place} ${isRoman ? "#" : text.replace(/\d+/g, "#")}`,
    numbers: isRoman ? [romanValue(text)] : [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits)),
  };
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

function romanValue(text: string): number {
  const values = [...text.toLowerCase()].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0);
}
