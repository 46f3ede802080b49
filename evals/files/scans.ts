/**
 * Recognises pages of PDF files that were made pictures, and compares the text with what `pdftotext` finds in the PDF.
 *
 *   node evals/files/scans.ts FOLDER [RESULT.json]
 *
 * FOLDER has PDF files in English. `pdftotext`, `pdftoppm` and `pdfinfo` must be installed.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { glob, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openFileConverter } from "../../packages/server/src/adapters/files/file-converter.ts";
import { findOcrLanguage } from "../../packages/server/src/adapters/files/ocr/languages.ts";
import { UnreadableFile } from "../../packages/server/src/domain/unreadable-file.ts";
import { overlap, trigrams, wordsOf } from "./words.ts";

/** How a page becomes a picture: shades of grey as of a camera or a cheap scan, black and white as of a copier. */
const KINDS = { "grey 150": ["-r", "150", "-gray"], "black 200": ["-r", "200", "-mono"] } as const;
type Kind = keyof typeof KINDS;
/** Of the length of a document, where a page is taken. */
const PLACES = [0.25, 0.5, 0.75];
/** Pages with fewer are covers and figures. */
const LEAST_WORDS = 50;

interface Row {
  readonly file: string;
  readonly page: number;
  readonly kind: Kind;
  readonly seconds: number;
  /** Shares of the reference's words and of three in a row, and of our words that the reference has. */
  readonly words: number | null;
  readonly inOrder: number | null;
  readonly alsoThere: number | null;
}

const [folder = "", resultPath] = process.argv.slice(2);
const language = findOcrLanguage("eng", null);
if (language === null) throw new Error("The data of English are not installed.");
const converter = openFileConverter({ ocrLanguages: [language] });
const temporary = await mkdtemp(join(tmpdir(), "kcs-scans-"));
const hash = createHash("sha256");
const rows: Row[] = [];
for (const file of (await Array.fromAsync(glob("**/*.pdf", { cwd: folder }))).sort()) {
  const path = join(folder, file);
  hash.update(await readFile(path));
  for (const place of PLACES) rows.push(...(await comparePage(path, place)));
}
await converter.close();
await rm(temporary, { recursive: true });
const kinds = Object.keys(KINDS).map((kind) => [kind, summarize(rows.filter((row) => row.kind === kind))]);
const report = {
  command: "node evals/files/scans.ts FOLDER evals/results/scans.json",
  commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
  date: new Date().toISOString(),
  files: hash.digest("hex").slice(0, 16),
  kinds: Object.fromEntries(kinds),
  rows,
};
process.stdout.write(`${JSON.stringify(report.kinds, null, 1)}\n`);
if (resultPath !== undefined) await writeFile(resultPath, `${JSON.stringify(report, null, 1)}\n`);

async function comparePage(path: string, place: number): Promise<readonly Row[]> {
  const [, count = "1"] = /Pages:\s+(\d+)/.exec(run("pdfinfo", [path])) ?? [];
  const page = Math.max(1, Math.round(Number(count) * place));
  const only = ["-f", String(page), "-l", String(page)];
  const theirs = wordsOf(run("pdftotext", [...only, path, "-"]));
  if (theirs.length < LEAST_WORDS) return [];
  const compared: Row[] = [];
  for (const [kind, options] of Object.entries(KINDS)) {
    run("pdftoppm", [...options, ...only, "-png", "-singlefile", path, join(temporary, "page")]);
    const began = performance.now();
    const ours = wordsOf(await recognise(join(temporary, "page.png")));
    compared.push({
      ...{ file: basename(path), page, kind: kind as Kind }, // As in KINDS.
      seconds: round((performance.now() - began) / 1_000),
      words: overlap(theirs, ours),
      inOrder: overlap(trigrams(theirs), trigrams(ours)),
      alsoThere: overlap(ours, theirs),
    });
  }
  return compared;
}

/** Empty when nothing was recognised. */
async function recognise(path: string): Promise<string> {
  const work = await mkdtemp(join(temporary, "work-"));
  const input = { file: { name: basename(path), path }, folder: work, maxTextBytes: 10_000_000 };
  try {
    const converted = await converter.convert({ ...input, signal: new AbortController().signal });
    return converted.kind === "text" ? converted.text : "";
  } catch (error) {
    if (error instanceof UnreadableFile) return "";
    throw error;
  }
}

function summarize(ofKind: readonly Row[]) {
  const mean = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : round(known.reduce((sum, value) => sum + value, 0) / known.length);
  };
  return {
    pages: ofKind.length,
    words: mean(ofKind.map((row) => row.words)),
    inOrder: mean(ofKind.map((row) => row.inOrder)),
    alsoThere: mean(ofKind.map((row) => row.alsoThere)),
    secondsPerPage: mean(ofKind.map((row) => row.seconds)),
  };
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    timeout: 60_000,
  });
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
