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
/** Numbers that count pages may begin again with each chapter; others beside them, as of a chapter, stay the same as often. */
const LEAST_SHARE_IN_STEP = 0.5;
/** Of so few steps all must be, since one is by chance. */
const FEW_STEPS = 5;
/** Beside words, a number that is so much larger than that of the page is of something else that is counted, as bills are. */
const MAX_AHEAD = 20;
/** A line that counts pages and has fewer words than this tells nothing else. */
const LEAST_WORDS = 3;
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
 * The pages without lines that are the same, and without those that count them. What no other line has stays once: at the top of the first
 * page, if it is there, and else behind the last one, where no sentence goes on across it.
 */
export function dropRunningLines(pages: readonly PdfPage[]): readonly PdfPage[] {
  const edges = new Map(pages.flatMap((page, number) => edgeLines(page, number)));
  const all = [...edges.values()];
  const keysOf = (groups: ReadonlyMap<string, readonly EdgeLine[]>, isIn: typeof isCount) =>
    new Set([...groups].filter(([, lines]) => isIn(lines, pages.length)).map(([key]) => key));
  const same = keysOf(
    Map.groupBy(all, ({ exact }) => exact),
    isOften,
  );
  const counting = keysOf(
    Map.groupBy(all, ({ numbered }) => numbered),
    isCount,
  );
  const isRunning = (line: PdfLine) => {
    const edge = edges.get(line);
    if (edge === undefined) return false;
    return counting.has(edge.numbered) || same.has(edge.exact);
  };
  const [running, text] = partition(
    pages.flatMap(({ lines }) => lines),
    isRunning,
  );
  const written = new Set(text.map(wordsOf));
  const kept = running.filter((line) => {
    const words = wordsOf(line);
    const isCount = counting.has(edges.get(line)?.numbered ?? "");
    if (written.has(words) || (isCount && words.split(" ").length < LEAST_WORDS)) return false;
    written.add(words);
    return true;
  });
  const [above, below] = partition(kept, (line) => {
    const edge = edges.get(line);
    return edge?.page === 0 && edge.edge === "top";
  });
  const marked = (lines: readonly PdfLine[]) => lines.map((line) => ({ ...line, isRunning: true }));
  const dropped = new Set(running);
  return pages.map((page, number) => {
    const rest = page.lines.filter((line) => !dropped.has(line));
    const [first, last] = [number === 0, number === pages.length - 1];
    return { ...page, lines: [...(first ? marked(above) : []), ...rest, ...(last ? marked(below) : [])] };
  });
}

/** Those of the text, or all that it has where it has none. */
function wordsOf({ text }: PdfLine): string {
  const words = text.toLowerCase().match(/\p{L}+/gu);
  return words === null ? text : words.join(" ");
}

function partition<Item>(
  items: readonly Item[],
  isIn: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  const { true: matching = [], false: rest = [] } = Object.groupBy(items, (item) => `${isIn(item)}`);
  return [matching, rest];
}

function isOften(lines: readonly EdgeLine[], pages: number): boolean {
  const hasWords = /\p{L}/u.test(lines[0]?.numbered ?? "");
  const least = hasWords ? LEAST_PAGES : Math.max(LEAST_PAGES, pages * LEAST_SHARE_OF_NUMBERS);
  return new Set(lines.map(({ page }) => page)).size >= least;
}

/** Whether a number in a line rises with the pages that have it. */
function isCount(lines: readonly EdgeLine[], pages: number): boolean {
  const [first] = lines;
  if (first === undefined || !isOften(lines, pages)) return false;
  const hasWords = /\p{L}/u.test(first.numbered);
  const steps = lines.slice(1).flatMap((line, at) => {
    const before = lines[at];
    return before === undefined || before.page === line.page ? [] : [{ before, line }];
  });
  const slots = first.numbers.map((_, slot) => {
    const isMostly = (isIn: (from: number, to: number, at: number, pages: number) => boolean) => {
      const inStep = steps.filter(({ before, line }) =>
        isIn(before.numbers[slot] ?? 0, line.numbers[slot] ?? 0, line.page, line.page - before.page),
      );
      return inStep.length >= steps.length * (steps.length < FEW_STEPS ? 1 : LEAST_SHARE_IN_STEP);
    };
    if (isMostly((from, to, at, pages) => to - from === pages && (!hasWords || to - at <= MAX_AHEAD)))
      return "rises";
    return isMostly((from, to) => from === to) ? "stays" : "differs";
  });
  return slots.includes("rises") && !(hasWords && slots.includes("differs"));
}

function edgeLines({ lines, bottom, top }: PdfPage, page: number): readonly (readonly [PdfLine, EdgeLine])[] {
  const height = (line: PdfLine) => (line.base - bottom) / (top - bottom);
  const sorted = lines.toSorted((a, b) => a.base - b.base);
  const atBottom = sorted.slice(0, OUTERMOST).filter((line) => height(line) < EDGE);
  const atTop = sorted.slice(-OUTERMOST).filter((line) => height(line) > 1 - EDGE);
  const of = (edge: Edge) => (line: PdfLine) => [line, edgeLine(line, { page, edge })] as const;
  return [...atBottom.map(of("bottom")), ...atTop.map(of("top"))].filter(
    ([{ text, rows }]) => rows === undefined && text.length <= MAX_LENGTH,
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
