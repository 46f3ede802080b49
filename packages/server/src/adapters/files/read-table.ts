/** CSV and its relatives: one table whose first row is the header. */
import { parse } from "csv-parse/sync";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { Markdown } from "./markdown.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
/** A first line for Excel. */
const TOLD = /^\ufeff?sep=([^\r\n"])\r?\n/i;
const SAMPLE_LINES = 20;
const SAMPLE_CHARACTERS = 100_000;
const MAX_RECORD_CHARACTERS = 1_000_000;

/** @param delimiter null = found from the first lines. @throws UnreadableFile when a quoted field has no end */
export function readDelimited(text: string, delimiter: string | null, markdown: Markdown): void {
  const [line = "", told] = TOLD.exec(text) ?? [];
  const table = text.slice(line.length);
  markdown.table(parseRows(table, told ?? delimiter ?? findDelimiter(table), false));
}

function parseRows(text: string, delimiter: string, isSample: boolean): readonly (readonly string[])[] {
  try {
    return parse(text, {
      delimiter,
      bom: true,
      relax_column_count: true,
      // A quote within a field that is not quoted is a character like others.
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
      skip_records_with_error: isSample,
      ...(isSample ? { to: SAMPLE_LINES } : {}),
    });
  } catch (error) {
    if (isSample) return [];
    throw new UnreadableFile(
      `The table cannot be read: ${error instanceof Error ? error.message : "unknown fault"}.`,
    );
  }
}

/** The one that gives the most columns, in rows of equal length. */
function findDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const scored = DELIMITERS.map((delimiter) => {
    const widths = parseRows(sample, delimiter, true).map((row) => row.length);
    const [first = 1] = widths;
    const equal = widths.filter((width) => width === first).length;
    return { delimiter, score: first < 2 ? 0 : (equal / widths.length) * 100 + Math.min(first, 50) / 10 };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}
