/** Writes pages of lines as Markdown: paragraphs, headings by size, lists and tables. */
import type { Markdown } from "../markdown.ts";
import { bodyTypeOf, type PdfBlock, toBlocks } from "./paragraphs.ts";
import type { PdfPage } from "./running-lines.ts";

const HEADING_LEVELS = 4;

export function writePages(pages: readonly PdfPage[], markdown: Markdown): void {
  const body = bodyTypeOf(pages.flatMap(({ lines }) => lines));
  const blocks = pages.map(({ lines }) => toBlocks(lines, body));
  const levelOf = headingLevels(blocks.flat());
  let last: PdfBlock | null = null;
  for (const page of blocks) {
    markdown.startPage();
    for (const [index, block] of page.entries()) {
      if (index === 0 && isContinued(last, block)) markdown.continueParagraph(block.text);
      else writeBlock(block, levelOf, markdown);
    }
    last = page.at(-1) ?? last;
  }
}

function writeBlock(block: PdfBlock, levelOf: (size: number) => number, markdown: Markdown): void {
  if (block.kind === "heading") markdown.heading(levelOf(block.size), block.text);
  else if (block.kind === "table") markdown.table(block.rows);
  else if (block.kind === "item") markdown.item(0, block.text);
  else markdown.paragraph(block.text);
}

type TextBlock = Extract<PdfBlock, { readonly text: string }>;

/** A sentence that a page breaks goes on in small letters. */
function isContinued(last: PdfBlock | null, next: PdfBlock): next is TextBlock {
  if (last === null || last.kind === "table" || last.kind === "heading" || next.kind !== "paragraph")
    return false;
  return /[\p{L}\p{N},;–-]$/u.test(last.text) && /^\p{Ll}/u.test(next.text);
}

/** The largest type is level 1. Sizes that few headings have, such as of a cover, count as well. */
function headingLevels(blocks: readonly PdfBlock[]): (size: number) => number {
  const sizes = [...new Set(blocks.flatMap((block) => (block.kind === "heading" ? [block.size] : [])))];
  sizes.sort((a, b) => b - a);
  return (size) => Math.min(HEADING_LEVELS, sizes.indexOf(size) + 1);
}
