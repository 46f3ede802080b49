import type { DropItem } from "react-aria-components";
import type { TextDocument } from "./send-documents.ts";

export interface ReadTexts {
  readonly documents: readonly TextDocument[];
  /** Names of files that are not text in UTF-8. */
  readonly refused: readonly string[];
}

interface NamedFile {
  readonly name: string;
  readonly file: File;
}

const maxFiles = 10_000;

/** Reads dropped files and folders. Files in folders are named by their path. */
export async function readDropped(items: readonly DropItem[]): Promise<ReadTexts> {
  const files: NamedFile[] = [];
  for (const item of items) await collect(item, "", files);
  return readTexts(files);
}

async function collect(item: DropItem, path: string, files: NamedFile[]): Promise<void> {
  if (files.length >= maxFiles)
    throw new Error(`At most ${maxFiles} files at once. Use the command line for more.`);
  if (item.kind === "file") files.push({ name: path + item.name, file: await item.getFile() });
  if (item.kind !== "directory") return;
  for await (const entry of item.getEntries()) await collect(entry, `${path}${item.name}/`, files);
}

export async function readTexts(files: readonly NamedFile[]): Promise<ReadTexts> {
  const read = await Promise.all(
    files.map(async ({ name, file }) => ({ name, text: decode(await file.arrayBuffer()) })),
  );
  return {
    documents: read.flatMap(({ name, text }) => (text === null ? [] : [{ source_doc_id: name, text }])),
    refused: read.flatMap(({ name, text }) => (text === null ? [name] : [])),
  };
}

/** null when the bytes are not text. */
function decode(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") || text.trim() === "" ? null : text;
  } catch {
    return null;
  }
}
