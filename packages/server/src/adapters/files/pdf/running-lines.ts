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

/** A line at the edge of a page. */
interface EdgeLine {
  readonly page: number;
  readonly edge: Edge;
  /** Its place and text. */
  readonly exact: string;
  /** Its place and text with a sign for each number, or for Roman ones alone. */
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
  const same = new Set(
    [...Map.groupBy(all, ({ exact }) => exact)]
      .filter(([, lines]) => isOften(lines, pages.length))
      .map(([key]) => key),
  );
  const counting = new Map(
    [...Map.groupBy(all, ({ numbered }) => numbered)].map(([key, lines]) => [
      key,
      risingNumbers(lines, pages.length),
    ]),
  );
  const risingOf = (line: PdfLine) => counting.get(edges.get(line)?.numbered ?? "") ?? NONE;
  const isRunning = (line: PdfLine) => {
    const edge = edges.get(line);
    if (edge === undefined) return false;
    return risingOf(line).size > 0 || same.has(edge.exact);
  };
  const [running, text] = partition(
    pages.flatMap(({ lines }) => lines),
    isRunning,
  );
  const written = new Set(text.map((line) => saidIn(line.text)));
  const kept = running.filter((line) => {
    const rising = risingOf(line);
    const said = saidIn(rising.size === 0 ? line.text : withoutCount(line.text, rising, pages.length));
    if (written.has(said) || (rising.size > 0 && !tellsMore(said))) return false;
    written.add(said);
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

const NONE: ReadonlySet<number> = new Set();

/** Its words and numbers. */
function saidIn(text: string): string {
  return (text.toLowerCase().match(/\p{L}+|\d+/gu) ?? [text]).join(" ");
}

/** Without the numbers of the page, and that of all pages. */
function withoutCount(text: string, rising: ReadonlySet<number>, pages: number): string {
  let at = 0;
  return text.replace(/\d+/g, (digits) => (rising.has(at++) || Number(digits) === pages ? " " : digits));
}

/** Than the number of a page: "Page of" does not. */
function tellsMore(said: string): boolean {
  return /\p{L}/u.test(said) && (/\d/.test(said) || said.split(" ").length >= LEAST_WORDS);
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

/** Which of the numbers in a line rise with the pages that have it; none where others differ beside words. */
function risingNumbers(lines: readonly EdgeLine[], pages: number): ReadonlySet<number> {
  const [first] = lines;
  if (first === undefined || !isOften(lines, pages)) return NONE;
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
  if (hasWords && slots.includes("differs")) return NONE;
  return new Set(slots.flatMap((slot, at) => (slot === "rises" ? [at] : [])));
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
