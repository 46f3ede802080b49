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
const MAX_LENGTH = 200;

/** The pages without them. A line with other numbers is the same: it numbers the pages. */
export function dropRunningLines(pages: readonly PdfPage[]): readonly PdfPage[] {
  const counts = new Map<string, number>();
  const keys = pages.map((page) => {
    const edges = outermost(page);
    return page.lines.map((line) => (edges.has(line) ? keyOf(line) : null));
  });
  for (const key of keys.flatMap((ofPage) => [...new Set(ofPage)])) {
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return pages.map((page, number) => ({
    ...page,
    lines: page.lines.filter((_, at) => !isRunning(keys[number]?.[at] ?? null, counts, pages.length)),
  }));
}

function isRunning(key: string | null, counts: ReadonlyMap<string, number>, pages: number): boolean {
  if (key === null) return false;
  const least = /\p{L}/u.test(key) ? LEAST_PAGES : Math.max(LEAST_PAGES, pages * LEAST_SHARE_OF_NUMBERS);
  return (counts.get(key) ?? 0) >= least;
}

function outermost({ lines, bottom, top }: PdfPage): ReadonlySet<PdfLine> {
  const height = (line: PdfLine) => (line.base - bottom) / (top - bottom);
  const sorted = [...lines].sort((a, b) => a.base - b.base);
  return new Set([
    ...sorted.slice(0, OUTERMOST).filter((line) => height(line) < EDGE),
    ...sorted.slice(-OUTERMOST).filter((line) => height(line) > 1 - EDGE),
  ]);
}

/** null = it is too long for such a line. */
function keyOf({ base, text }: PdfLine): string | null {
  if (text.length > MAX_LENGTH) return null;
  return `${Math.round(base / TOLERANCE)} ${text.replace(/\d+/g, "#").replace(/^[ivxlcdm]{1,8}$/i, "#")}`;
}
