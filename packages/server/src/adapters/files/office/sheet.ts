/** Writes the rows of a sheet of any spreadsheet. */
import { type Markdown, oneLine } from "../markdown.ts";

/**
 * Blank rows separate tables. A table is the rows between them; rows with a single cell before the first row of several are
 * paragraphs: titles and remarks.
 */
export function writeSheet(name: string, rows: readonly (readonly string[])[], markdown: Markdown): void {
  const blocks = splitAtBlankRows(rows);
  if (blocks.length === 0) return;
  if (name.trim() !== "") markdown.heading(2, name);
  for (const block of blocks) {
    const start = block.findIndex((row) => row.filter((cell) => cell.trim() !== "").length > 1);
    const titles = start < 0 ? block : block.slice(0, start);
    for (const row of titles) markdown.paragraph(oneLine(row.join(" ")));
    if (start >= 0) markdown.table(block.slice(start));
  }
}

function splitAtBlankRows(rows: readonly (readonly string[])[]): readonly (readonly (readonly string[])[])[] {
  const blocks: (readonly string[])[][] = [];
  let isOpen = false;
  for (const row of rows) {
    const isBlank = row.every((cell) => cell === undefined || cell.trim() === "");
    if (!isBlank && isOpen) blocks.at(-1)?.push(row);
    else if (!isBlank) blocks.push([row]);
    isOpen = !isBlank;
  }
  return blocks;
}
