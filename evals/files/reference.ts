/** What other programs read in a file. */
import { execFileSync } from "node:child_process";
import { extname } from "node:path";
import { wordsOf } from "./words.ts";

export interface Reference {
  readonly text: string;
  readonly headings: readonly string[];
  /** Texts of the cells of tables that are not empty; null = the program does not tell. */
  readonly cells: readonly string[] | null;
}

/** null = the program cannot read it. */
export function readReference(path: string): Reference | null {
  const kind = extname(path).slice(1);
  try {
    const printed = printedFrom(path);
    const text = kind === "pdf" ? run("pdftotext", [path, "-"]) : "";
    if (printed !== null) {
      const document = readReference(printed);
      return { text, headings: document?.headings ?? [], cells: document?.cells ?? null };
    }
    if (kind === "pdf") return { text, headings: [], cells: null };
    if (kind === "xlsx") return readSheets(run("xlsx2csv", ["-a", "-d", "tab", "-p", "", path]));
    const from = kind === "html" ? "html-native_divs-native_spans" : kind;
    const nodes = JSON.parse(run("pandoc", ["-f", from, "-t", "json", path]));
    const plainText = run("pandoc", ["-f", from, "-t", "plain", "--wrap=none", path]);
    return { text: plainText, headings: textsOf(nodes, "Header"), cells: tableCells(nodes) };
  } catch {
    return null;
  }
}

/** The document from which a PDF was printed: `report.docx` of `report.docx.pdf`. */
export function printedFrom(path: string): string | null {
  return /\.(?:docx|odt|xlsx)\.pdf$/.test(path) ? path.slice(0, -".pdf".length) : null;
}

/** The cells of pipe tables. */
export function cellsOf(markdown: string): readonly string[] {
  return markdown
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| --- |"))
    .flatMap((line) => line.slice(1, -1).split(/(?<!\\)\|/))
    .map(normalize)
    .filter((cell) => cell !== "");
}

function run(command: string, args: readonly string[]): string {
  const limits = { maxBuffer: 500 * 1024 * 1024, timeout: 300_000 };
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], ...limits });
}

function readSheets(text: string): Reference {
  const cells = text
    .split("\n")
    .filter((line) => line.includes("\t"))
    .flatMap((line) => line.split("\t"))
    .map(normalize);
  return { text, headings: [], cells: cells.filter((cell) => cell !== "") };
}

function normalize(cell: string): string {
  return wordsOf(cell).join(" ");
}

/** Of all nodes of a type in a tree of pandoc. */
function textsOf(node: unknown, type: string): readonly string[] {
  return nodesOf(node, type)
    .map(plain)
    .filter((text) => normalize(text) !== "");
}

/** Rows are lists of cells, which are `[attributes, alignment, rows, columns, blocks]`. */
function tableCells(node: unknown): readonly string[] {
  const cells = nodesOf(node, "Table").flatMap(cellsIn).map(plain).map(normalize);
  return cells.filter((cell) => cell !== "");
}

function cellsIn(node: unknown): readonly unknown[] {
  if (!Array.isArray(node))
    return typeof node === "object" && node !== null ? Object.values(node).flatMap(cellsIn) : [];
  const isCell = node.length === 5 && typeof node[2] === "number" && typeof node[3] === "number";
  return isCell ? [node[4]] : node.flatMap(cellsIn);
}

function nodesOf(node: unknown, type: string): readonly unknown[] {
  if (Array.isArray(node)) return node.flatMap((each) => nodesOf(each, type));
  if (typeof node !== "object" || node === null) return [];
  const found = "t" in node && node.t === type ? [node] : [];
  return [...found, ...Object.values(node).flatMap((each) => nodesOf(each, type))];
}

function plain(node: unknown): string {
  if (Array.isArray(node)) return node.map(plain).join(" ");
  if (typeof node !== "object" || node === null || !("t" in node)) return "";
  if (node.t === "Note" || node.t === "Image") return "";
  if ((node.t === "Str" || node.t === "Code") && "c" in node) {
    return Array.isArray(node.c) ? String(node.c[1]) : String(node.c);
  }
  return "c" in node ? plain(node.c) : "";
}
