/** Writes Markdown block by block, up to a limit, and knows where pages begin. */
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { MAX_PAGES, type PageStart } from "../../ports/file-converter.ts";

export interface Markdown {
  /** @param level 1 to 6; others are cut to these */
  heading(level: number, text: string): void;
  paragraph(text: string): void;
  /** More of the paragraph that was written last, which a page broke. */
  continueParagraph(text: string): void;
  /** @param depth 0 for an item of the outer list. @param marker `-` or a number with a dot */
  item(depth: number, text: string, marker?: string): void;
  /** A further paragraph of the last item. */
  itemParagraph(depth: number, text: string): void;
  /** The first row is the header. Rows may differ in length. A table of one column becomes paragraphs. */
  table(rows: readonly (readonly string[])[]): void;
  codeBlock(text: string): void;
  /** Takes the text as it is. */
  raw(text: string): void;
  /** The next block begins a page. More than `MAX_PAGES`, empty ones counted, throw UnreadableFile. */
  startPage(): void;
  /** The text so far, and where those of its pages begin that have some. */
  finish(): { readonly text: string; readonly pages: readonly PageStart[] };
}

/** What separates a block from the one before: items of a list are on lines of their own, parts of a paragraph on one line. */
type Block = "block" | "item" | "more";

/** @param maxBytes of the text in UTF-8; more throw UnreadableFile */
export function createMarkdown(maxBytes: number): Markdown {
  const pieces: string[] = [];
  const pages: PageStart[] = [];
  let length = 0;
  let bytes = 0;
  let page = 0;
  let last: Block = "block";

  function add(block: Block, text: string): void {
    const cleaned = withoutControls(text).trimEnd();
    if (cleaned.trim() === "") return;
    const separator = length === 0 ? "" : separatorOf(last, block);
    if (page > (pages.at(-1)?.page ?? 0)) pages.push({ page, start: length + separator.length });
    pieces.push(separator, cleaned);
    length += separator.length + cleaned.length;
    bytes += separator.length + Buffer.byteLength(cleaned);
    if (bytes > maxBytes) throw tooLong(maxBytes);
    if (block !== "more") last = block;
  }

  return {
    heading: (level, text) => add("block", `${"#".repeat(Math.min(6, Math.max(1, level)))} ${oneLine(text)}`),
    paragraph: (text) => add("block", text.trim()),
    continueParagraph: (text) => add("more", text.trim()),
    item(depth, text, marker = "-") {
      if (text.trim() !== "") add("item", `${indent(depth)}${marker} ${indented(depth + 1, text.trim())}`);
    },
    itemParagraph: (depth, text) => add("item", `${indent(depth + 1)}${indented(depth + 1, text.trim())}`),
    table(rows) {
      const lines = tableLines(rows);
      for (const line of lines.paragraphs) add("block", line);
      if (lines.table.length > 0) add("block", lines.table.join("\n"));
    },
    codeBlock: (text) => add("block", fenced(text)),
    raw: (text) => add("block", text),
    startPage() {
      requireFewPages(++page);
    },
    finish: () => ({ text: pieces.join(""), pages }),
  };
}

/** @throws UnreadableFile */
export function requireFewPages(count: number): void {
  if (count > MAX_PAGES) throw new UnreadableFile(`The file has more than ${MAX_PAGES} pages.`);
}

export function tooLong(maxBytes: number): UnreadableFile {
  return new UnreadableFile(
    `The text of the file is longer than ${maxBytes} bytes, the most that KCS_MAX_TEXT_BYTES allows.`,
  );
}

function separatorOf(last: Block, next: Block): string {
  if (next === "more") return " ";
  return last === "item" && next === "item" ? "\n" : "\n\n";
}

/** Texts are stored in databases that take no NUL, and offsets count in well-formed UTF-16. */
export function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replace(/[\r\f\v\u0085\u2028\u2029]/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .replace(/[\u00ad\ufeff]/g, "")
    .replaceAll("\u00a0", " ");
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

const MAX_DEPTH = 8;

function indent(depth: number): string {
  return "  ".repeat(Math.min(depth, MAX_DEPTH));
}

function indented(depth: number, text: string): string {
  return text.replaceAll("\n", `\n${indent(depth)}`);
}

function fenced(text: string): string {
  const cut = text.replace(/^\n/, "").trimEnd();
  if (cut.trim() === "") return "";
  return cut.includes("```") ? `~~~~\n${cut}\n~~~~` : `\`\`\`\n${cut}\n\`\`\``;
}

interface TableLines {
  readonly paragraphs: readonly string[];
  readonly table: readonly string[];
}

function tableLines(rows: readonly (readonly string[])[]): TableLines {
  const filled = rows.map((row) => row.map(oneLine)).filter((row) => row.some((cell) => cell !== ""));
  const used = filled.reduce((most, row) => Math.max(most, lastFilled(row) + 1), 0);
  const columns = columnsWithText(filled, used);
  if (columns.length === 0) return { paragraphs: [], table: [] };
  const lines = filled.map((row) => columns.map((column) => row[column] ?? ""));
  if (columns.length === 1) return { paragraphs: lines.flat(), table: [] };
  const [header = [], ...others] = lines.map((row) => `| ${row.map(escapePipe).join(" | ")} |`);
  return { paragraphs: [], table: [String(header), `|${" --- |".repeat(columns.length)}`, ...others] };
}

function lastFilled(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell !== "");
}

/** Empty columns carry nothing; spreadsheets have many. */
function columnsWithText(rows: readonly (readonly string[])[], count: number): readonly number[] {
  const filled = new Set<number>();
  for (const row of rows) {
    for (let column = 0; column < row.length; column++) if (row[column] !== "") filled.add(column);
  }
  return [...filled].filter((column) => column < count).sort((a, b) => a - b);
}

function escapePipe(cell: string): string {
  return cell.replaceAll("|", "\\|");
}
