import type { DropItem } from "react-aria-components";
import type { NamedFile } from "./ingest-input.ts";
import type { TextDocument } from "./send-documents.ts";

export interface ReadFiles {
  readonly texts: readonly TextDocument[];
  /** The service turns them into text. */
  readonly others: readonly NamedFile[];
  /** Names of files with nothing in them. */
  readonly empty: readonly string[];
}

const maxFiles = 10_000;
/** Texts whose form the service knows better than a reader of plain text. */
const structured = /\.(?:html?|xhtml|csv|tsv|json|eml)$/i;

function requireFew(count: number): void {
  if (count <= maxFiles) return;
  throw new Error(`At most ${maxFiles.toLocaleString("en")} files at once. Use the command line for more.`);
}

/** Reads dropped files and folders. Files in folders are named by their path. */
export async function readDropped(items: readonly DropItem[]): Promise<ReadFiles> {
  const files: NamedFile[] = [];
  for (const item of items) await collect(item, "", files);
  return readFiles(files);
}

async function collect(item: DropItem, path: string, files: NamedFile[]): Promise<void> {
  requireFew(files.length + 1);
  if (item.kind === "file") files.push({ name: path + item.name, file: await item.getFile() });
  if (item.kind !== "directory") return;
  for await (const entry of item.getEntries()) await collect(entry, `${path}${item.name}/`, files);
}

/** @throws Error for more files than a page can hold */
export async function readFiles(files: readonly NamedFile[]): Promise<ReadFiles> {
  requireFew(files.length);
  const texts: TextDocument[] = [];
  const others: NamedFile[] = [];
  const empty: string[] = [];
  for (const named of files) {
    const text = await readText(named);
    if (text === null) others.push(named);
    else if (text.trim() === "") empty.push(named.name);
    else texts.push({ source_doc_id: named.name, text });
  }
  return { texts, others, empty };
}

/** null for a file that the service has to turn into text. */
async function readText({ name, file }: NamedFile): Promise<string | null> {
  if (structured.test(name)) return null;
  // Of a large file the beginning tells whether it is text.
  const beginning = decode(await file.slice(0, beginningBytes).arrayBuffer(), true);
  return beginning === null || isOfFormat(beginning) ? null : decode(await file.arrayBuffer(), false);
}

/** Whether what looks like text is a file of a format, whatever its name: some consist of ASCII alone. */
export function isOfFormat(beginning: string): boolean {
  // A mail program may have put some bytes before the mark of a PDF.
  if (beginning.slice(0, maxBeforePdf).includes("%PDF-")) return true;
  const start = beginning.trimStart();
  return zipMarks.some((mark) => start.startsWith(mark)) || signatures.test(start);
}

const maxBeforePdf = 1_024;
const zipMarks = ["PK\u0003\u0004", "PK\u0005\u0006"];
const signatures = /^(?:\{\\rtf|%!PS|<!doctype\s{1,9}html|<html[\s>])/i;

const beginningBytes = 64 * 1024;

/** null when the bytes are not text in UTF-8. */
function decode(bytes: ArrayBuffer, stream: boolean): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
