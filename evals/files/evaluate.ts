/**
 * Compares the text of files with what `pdftotext`, `pandoc` and `xlsx2csv` give.
 *
 *   node evals/files/evaluate.ts FOLDER [RESULT.json]
 *
 * FOLDER has real documents: PDF, DOCX, ODT, EPUB, HTML and XLSX. The three programs must be installed. Of PDF no program tells the tables and headings; those
 * printed from a document beside them are compared with it: `report.docx.pdf` beside `report.docx`, made by
 * `for f in *.docx *.odt *.xlsx; do soffice --headless --convert-to pdf "$f" && mv "${f%.*}.pdf" "$f.pdf"; done` in a folder of copies.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { openFileConverter } from "../../packages/server/src/adapters/files/file-converter.ts";
import { UnreadableFile } from "../../packages/server/src/domain/unreadable-file.ts";
import type { ConvertedText, FileConverter } from "../../packages/server/src/ports/file-converter.ts";
import { cellsOf, printedFrom, type Reference, readReference } from "./reference.ts";
import { overlap, trigrams, wordsOf } from "./words.ts";

interface Row {
  readonly file: string;
  readonly kind: string;
  readonly seconds: number;
  readonly pages: number;
  /** Shares of the reference's words, of three words in a row, and of cells and headings. null = it has none. */
  readonly words: number | null;
  readonly inOrder: number | null;
  readonly cells: number | null;
  readonly headings: number | null;
  /** Share of our cells and headings that the reference has. */
  readonly cellsAlsoThere: number | null;
  readonly headingsAlsoThere: number | null;
  /** Share of our words that the reference has. */
  readonly alsoThere: number | null;
}

const KINDS = ["pdf", "printed", "docx", "odt", "epub", "html", "xlsx"];
/** Shorter ones are test files about one property of a format. */
const LEAST_WORDS = 50;

const [folder = "", resultPath] = process.argv.slice(2);
const files = (await Array.fromAsync(glob("**/*", { cwd: folder })))
  .filter((file) => KINDS.includes(extname(file).slice(1)))
  .sort();
const converter = openFileConverter();
const rows: Row[] = [];
const refused: Record<string, string> = {};
const hash = createHash("sha256");
for (const file of files) {
  const path = join(folder, file);
  hash.update(await readFile(path));
  const reference = readReference(path);
  if (reference === null || wordsOf(reference.text).length < LEAST_WORDS) continue;
  const began = performance.now();
  const converted = await convert(converter, path);
  const seconds = (performance.now() - began) / 1_000;
  if (typeof converted === "string") refused[basename(file)] = converted;
  else rows.push(compare({ file: basename(file), seconds }, converted, reference));
}
await converter.close();
const report = {
  command: "node evals/files/evaluate.ts FOLDER evals/results/files.json",
  commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
  date: new Date().toISOString(),
  files: hash.digest("hex").slice(0, 16),
  kinds: Object.fromEntries(KINDS.map((kind) => [kind, summarize(rows.filter((row) => row.kind === kind))])),
  refused,
  rows,
};
process.stdout.write(`${JSON.stringify({ ...report.kinds, refused }, null, 1)}\n`);
if (resultPath !== undefined) await writeFile(resultPath, `${JSON.stringify(report, null, 1)}\n`);

/** The text, or why there is none. */
async function convert(open: FileConverter, path: string): Promise<ConvertedText | string> {
  const temporary = await mkdtemp(join(tmpdir(), "kcs-eval-"));
  try {
    const input = { file: { name: basename(path), path }, folder: temporary, maxTextBytes: 200_000_000 };
    const converted = await open.convert({ ...input, signal: new AbortController().signal });
    return converted.kind === "text" ? converted : "an archive";
  } catch (error) {
    if (error instanceof UnreadableFile) return error.reason;
    throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function compare(
  { file, seconds }: { readonly file: string; readonly seconds: number },
  { text, pages }: ConvertedText,
  reference: Reference,
): Row {
  const [ours, theirs] = [wordsOf(text), wordsOf(reference.text)];
  const headings = text.split("\n").filter((line) => /^#{1,6} /.test(line));
  return {
    file,
    kind: printedFrom(file) === null ? extname(file).slice(1) : "printed",
    seconds: round(seconds),
    pages: pages.length,
    words: overlap(theirs, ours),
    inOrder: overlap(trigrams(theirs), trigrams(ours)),
    cells: reference.cells === null ? null : overlap(reference.cells, cellsOf(text)),
    cellsAlsoThere: reference.cells === null ? null : overlap(cellsOf(text), reference.cells),
    headings: overlap(reference.headings.map(unnumbered), headings.map(unnumbered)),
    headingsAlsoThere:
      reference.headings.length === 0
        ? null
        : overlap(headings.map(unnumbered), reference.headings.map(unnumbered)),
    alsoThere: overlap(ours, theirs),
  };
}

/** Numbers before headings are fields in documents, which pandoc does not have, and text in print. */
function unnumbered(heading: string): string {
  return wordsOf(heading)
    .join(" ")
    .replace(/^(?:\d+ )+/, "");
}

/** Means over files: a long one counts as much as a short one. */
function summarize(ofKind: readonly Row[]) {
  const mean = (pick: (row: Row) => number | null) => {
    const values = ofKind.map(pick).filter((value) => value !== null);
    return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
  };
  const pages = ofKind.reduce((sum, row) => sum + row.pages, 0);
  const seconds = ofKind.reduce((sum, row) => sum + row.seconds, 0);
  return {
    files: ofKind.length,
    words: mean((row) => row.words),
    inOrder: mean((row) => row.inOrder),
    alsoThere: mean((row) => row.alsoThere),
    cells: mean((row) => row.cells),
    cellsAlsoThere: mean((row) => row.cellsAlsoThere),
    headings: mean((row) => row.headings),
    headingsAlsoThere: mean((row) => row.headingsAlsoThere),
    secondsPerFile: mean((row) => row.seconds),
    secondsPerPage: pages === 0 ? null : round(seconds / pages),
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
