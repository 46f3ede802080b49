/**
 * The files of the invented company. A document whose name has two endings ("minutes.docx.md") is Markdown that becomes a file of the
 * first one; the others are files already.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  core,
  docx,
  makeDocx,
  makePptx,
  makeXlsx,
  shape,
  slideTable,
} from "../../packages/server/test/files/make-documents.ts";
import { makePdf, type PdfText } from "../../packages/server/test/files/make-pdf.ts";

export interface CompanyFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Block =
  | { readonly kind: "heading" | "item" | "paragraph"; readonly text: string; readonly level: number }
  | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

interface About {
  readonly title: string;
  readonly day: string;
}

const FOLDER = fileURLToPath(new URL("documents", import.meta.url));

const MAKERS: Readonly<Record<string, (blocks: readonly Block[], about: About) => Uint8Array>> = {
  docx: makeDocument,
  pdf: makePages,
  pptx: makeSlides,
  xlsx: makeSheets,
};

/** Reads the folder, by name. */
export async function makeFiles(): Promise<readonly CompanyFile[]> {
  const files: CompanyFile[] = [];
  for (const source of (await readdir(FOLDER)).sort()) {
    const text = await readFile(join(FOLDER, source), "utf8");
    const [stem = "", type = "", last] = source.split(".");
    const make = last === undefined ? undefined : MAKERS[type];
    if (make === undefined) files.push({ name: source, bytes: new TextEncoder().encode(text) });
    else
      files.push({
        name: `${stem}.${type}`,
        bytes: new Uint8Array(make(readBlocks(text), aboutOf(stem, text))),
      });
  }
  return files;
}

/** "2019-01-15-staff" was made on that day and is called "staff", unless the text has a title. */
function aboutOf(stem: string, text: string): About {
  const title = text.startsWith("# ")
    ? text.slice(2, text.indexOf("\n"))
    : stem.slice(11).replaceAll("-", " ");
  return { title, day: stem.slice(0, 10) };
}

function readBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const previous = blocks.at(-1);
    const row = line.startsWith("|") ? cellsOf(line) : null;
    if (row === null) blocks.push(readLine(line));
    else if (previous?.kind !== "table") blocks.push({ kind: "table", rows: [row] });
    else if (!row.every((cell) => cell === "---"))
      blocks.splice(-1, 1, { kind: "table", rows: [...previous.rows, row] });
  }
  return blocks;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function readLine(line: string): Block {
  if (line.startsWith("#")) {
    const level = line.indexOf(" ");
    return { kind: "heading", text: line.slice(level + 1), level };
  }
  if (line.startsWith("- ")) return { kind: "item", text: line.slice(2), level: 0 };
  return { kind: "paragraph", text: line, level: 0 };
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const escapeRows = (rows: readonly (readonly string[])[]) => rows.map((row) => row.map(escapeXml));

function makeDocument(blocks: readonly Block[], { title, day }: About): Buffer {
  const body = blocks.map((block) =>
    block.kind === "table" ? docx.table(escapeRows(block.rows)) : docx[block.kind](escapeXml(block.text)),
  );
  return makeDocx(body.join(""), core(escapeXml(title), day));
}

/** One part for each heading, without it. */
function partsOf(
  blocks: readonly Block[],
): readonly { readonly heading: string; readonly blocks: Block[] }[] {
  const parts: { heading: string; blocks: Block[] }[] = [];
  for (const block of blocks) {
    if (block.kind === "heading") parts.push({ heading: block.text, blocks: [] });
    else parts.at(-1)?.blocks.push(block);
  }
  return parts;
}

function makeSlides(blocks: readonly Block[], { title, day }: About): Buffer {
  const slides = partsOf(blocks).map((part) => {
    const lines = part.blocks.flatMap((block) => (block.kind === "table" ? [] : [block.text]));
    const tables = part.blocks.flatMap((block) =>
      block.kind === "table" ? [slideTable(escapeRows(block.rows))] : [],
    );
    const body = lines.length === 0 ? "" : shape("body", escapeXml(lines.join("\n")));
    return [shape("title", escapeXml(part.heading)), body, ...tables].join("");
  });
  return makePptx(slides, "", core(escapeXml(title), day));
}

function makeSheets(blocks: readonly Block[], { title, day }: About): Buffer {
  const sheets = partsOf(blocks).map((part) => {
    const rows = part.blocks.flatMap((block) => (block.kind === "table" ? block.rows : []));
    return [part.heading, rows.map(rowXml).join("")] as const;
  });
  return makeXlsx(Object.fromEntries(sheets), [], core(escapeXml(title), day));
}

function rowXml(cells: readonly string[], index: number): string {
  const nameOf = (column: number) => `${String.fromCharCode(65 + column)}${index + 1}`;
  return `<row>${cells.map((text, column) => cellXml(text, nameOf(column))).join("")}</row>`;
}

const DAY_MS = 86_400_000;

/** Days and numbers are stored as spreadsheets store them; style 1 is that of days. */
function cellXml(text: string, at: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return `<c r="${at}" s="1"><v>${(Date.parse(text) - Date.UTC(1899, 11, 30)) / DAY_MS}</v></c>`;
  if (/^\d{1,9}$/.test(text)) return `<c r="${at}"><v>${text}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t>${escapeXml(text)}</t></is></c>`;
}

const TOP = 740;
const BOTTOM = 60;
const LEFT = 60;
const COLUMN = 160;
const LINE_CHARACTERS = 88;

function makePages(blocks: readonly Block[], { title, day }: About): Buffer {
  const pages: PdfText[][] = [[]];
  let base = TOP;
  for (const line of blocks.flatMap(linesOf)) {
    base -= line.gap;
    if (base < BOTTOM) {
      pages.push([]);
      base = TOP;
    }
    for (const [column, text] of line.cells.entries())
      pages.at(-1)?.push({ text, at: [LEFT + column * COLUMN, base], size: line.size });
  }
  return makePdf(pages, `/Info << /Title (${title}) /CreationDate (D:${day.replaceAll("-", "")}120000Z) >>`);
}

interface Line {
  readonly cells: readonly string[];
  readonly size: number;
  /** From the line above, in points. */
  readonly gap: number;
}

function linesOf(block: Block): readonly Line[] {
  if (block.kind === "table")
    return block.rows.map((cells, n) => ({ cells, size: 10, gap: n === 0 ? 22 : 14 }));
  if (block.kind === "heading") return [{ cells: [block.text], size: block.level === 1 ? 18 : 13, gap: 30 }];
  const text = block.kind === "item" ? `- ${block.text}` : block.text;
  return wrap(text).map((line, n) => ({ cells: [line], size: 10, gap: n === 0 ? 20 : 13 }));
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LINE_CHARACTERS) lines.push(word);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines;
}
