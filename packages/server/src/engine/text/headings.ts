/** Tracks the headings above a position in a document, and writes them as the header of a chunk. */

import { type Block, blocks } from "./blocks.ts";

/** A title or heading above a piece of text. */
export interface Heading {
  /** 0 for the document's title, else 1…6. */
  readonly level: number;
  /** Without Markdown marks and with white space collapsed; at most 200 code units. */
  readonly text: string;
  /** Where the heading ends in the document. */
  readonly end: number;
}

/** Level of the row that names a table's columns; deeper than any heading. */
export const COLUMNS_LEVEL = 7;

/** The title and the headings above a piece of text, outermost first. */
export type SectionPath = readonly Heading[];

const headingUnits = 200;
const titleUnits = 120;
const titleWords = 16;

/**
 * The title of a document: that of its front matter, else a heading at its beginning, else its first line if that looks like a
 * title (short, contains a letter, does not end like a sentence, is followed by text). undefined where there is none; a heading
 * further down is the heading of its section only.
 */
export function findTitle(text: string): Heading | undefined {
  let first: Block | undefined;
  for (const block of blocks(text)) {
    if (block.kind === "meta") {
      const title = metaTitle(text, block);
      if (title !== undefined) return title;
    } else if (first !== undefined) {
      return { level: 0, text: plainHeading(text, first), end: first.end };
    } else if (block.kind === "heading") {
      return { ...headingOf(text, block), level: 0 };
    } else if (block.kind === "paragraph" && isTitleLine(text, block)) {
      first = block;
    } else {
      return undefined;
    }
  }
  return undefined;
}

/** The path after a heading, which ends the sections of the same or a deeper level, but never the title. */
export function enterSection(path: SectionPath, text: string, block: Block): SectionPath {
  const heading = headingOf(text, block);
  const outer = path.filter((other) => other.level < heading.level);
  return outer.some((other) => other.end === heading.end) ? outer : [...outer, heading];
}

/** The row that names a table's columns, as the innermost heading of the rows below it. */
export function columnsOf(text: string, row: Block): Heading {
  const cells = text.slice(row.start, row.end).replace(/^\s*\||\|\s*$/g, "");
  return { level: COLUMNS_LEVEL, text: plain(cells), end: row.end };
}

/** The headings that two paths have in common. */
export function commonPath(a: SectionPath, b: SectionPath): SectionPath {
  const differs = a.findIndex((heading, index) => heading.end !== b[index]?.end);
  return differs === -1 ? a : a.slice(0, differs);
}

/** The names of a path for the text that begins at `start`, without a name that is the first line of that text. */
export function namesAbove(path: SectionPath, text: string, start: number): string[] {
  const opening = plain(
    text
      .slice(start, start + headingUnits)
      .split(/[\r\n]/, 1)[0]
      ?.replace(/^#+\s*/, "") ?? "",
  );
  const above = path.filter(
    (heading) => heading.end <= start && heading.text !== "" && heading.text !== opening,
  );
  return above.map((heading) => heading.text).filter((name, index, names) => name !== names[index - 1]);
}

/**
 * Joins names, outermost first, into a header of at most `budgetTokens`; the empty string if nothing fits. To fit, the middle of
 * the path is dropped first, then the last words of the longer name.
 */
export function writeHeader(
  names: readonly string[],
  budgetTokens: number,
  countTokens: (text: string) => number,
): string {
  const kept = names.length > 4 ? [...names.slice(0, 1), ...names.slice(-3)] : [...names];
  while (budgetTokens > 0 && kept.length > 0) {
    const header = kept.join(" > ");
    if (countTokens(header) <= budgetTokens) return header;
    if (kept.length > 2) kept.splice(kept.length - 2, 1);
    else shorten(kept);
  }
  return "";
}

/** Takes a third of the words from the longer name, or drops a name of one word. */
function shorten(names: string[]): void {
  const longest = (names[1]?.length ?? 0) > (names[0]?.length ?? 0) ? 1 : 0;
  const words = (names[longest] ?? "").split(" ");
  const kept = words.slice(0, Math.floor((words.length * 2) / 3));
  if (kept.length === 0) names.splice(longest, 1);
  else names[longest] = kept.join(" ");
}

function metaTitle(text: string, block: Block): Heading | undefined {
  const value = /^title:(.{1,300})$/i.exec(text.slice(block.start, block.end))?.[1];
  const title = plain(value ?? "").replace(/^["']|["']$/g, "");
  return title === "" ? undefined : { level: 0, text: title, end: block.end };
}

function isTitleLine(text: string, block: Block): boolean {
  if (block.end - block.start > titleUnits) return false;
  const line = text.slice(block.start, block.end);
  if (/[.;:,!。]$/.test(line) || !/\p{L}/u.test(line)) return false;
  return line.split(/\s+/).length <= titleWords;
}

function headingOf(text: string, block: Block): Heading {
  return { level: block.level, text: plainHeading(text, block), end: block.end };
}

function plainHeading(text: string, block: Block): string {
  const source = text.slice(block.start, block.end);
  if (block.kind !== "heading") return plain(source);
  const isAtx = source.startsWith("#");
  return plain(
    isAtx ? source.replace(/^#+\s*/, "").replace(/\s#+$/, "") : source.replace(/[\r\n][^\S\r\n]*[=-]+$/, ""),
  );
}

/** Without emphasis, code marks and link targets; a lone surrogate becomes U+FFFD. */
function plain(line: string): string {
  const withoutMarks = line.replace(/\]\([^()[\]\s]{0,500}\)/g, "]").replace(/[*_`[\]]/g, "");
  return withoutMarks.replace(/\s+/g, " ").trim().slice(0, headingUnits).toWellFormed();
}
