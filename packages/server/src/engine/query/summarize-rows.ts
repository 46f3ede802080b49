/** Tells rows that are quoted whole from others: prose in a cell, as of a sheet with a title and a text in each row, is quoted by its sentences. */
import { endsLikeSentence } from "./quotation.ts";
import type { LineContext, OutlinedBlock } from "./summarize-outline.ts";
import { cellsOf } from "./table-rows.ts";

/** A shorter cell is quoted with its row, and one that does not end like a sentence. */
const LEAST_UNITS = 120;

/** The same, with each row that has prose replaced by its cells of prose; they stand under its first cell. */
export function withProseCells(text: string, outline: readonly OutlinedBlock[]): readonly OutlinedBlock[] {
  return outline.flatMap((outlined) => {
    const { block, context, isLabel } = outlined;
    if (block.kind !== "row" || isLabel || block.end - block.start < LEAST_UNITS) return [outlined];
    const [first, ...others] = cellsOf(text, block);
    const all = first === undefined ? [] : [first, ...others];
    const prose = all.filter((cell) => isProse(text.slice(cell.start, cell.end)));
    if (first === undefined || prose.length === 0) return [outlined];
    const key = prose.includes(first) ? [] : [first];
    const under = {
      ...{ columns: null, columnNames: null, isAnswer: false, labels: [...context.labels, ...key] },
      above: [...context.above, ...key.map(({ start, end }) => text.slice(start, end))],
    };
    return prose.map((cell) => ({
      ...outlined,
      block: { ...block, ...cell, kind: "item" as const },
      context: under,
    }));
  });
}

/** "Home | Products | Contact": a row that is neither a table's nor holds a figure. */
export function isMenu(text: string, { columns }: LineContext): boolean {
  return columns === null && text.includes(" | ") && !text.startsWith("|") && !/\d/.test(text);
}

function isProse(cell: string): boolean {
  return cell.length >= LEAST_UNITS && endsLikeSentence(cell);
}
