/** Reads documents for ingestion and computes the chunks that the service makes of them. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { NewDocument } from "../evals/client.ts";
import {
  MINILM_MAX_TOKENS,
  openMiniLmTokenCounter,
} from "../packages/server/src/adapters/models/minilm-embedder.ts";
import { indexedText } from "../packages/server/src/domain/document.ts";
import { chunkDocument } from "../packages/server/src/engine/ingest/chunk.ts";
import { DEFAULT_CHUNKING } from "../packages/server/src/engine/ingest/defaults.ts";

export interface DocumentSet {
  readonly documents: readonly NewDocument[];
  readonly characters: number;
  readonly sha256: string;
}

/**
 * Reads documents from the folder's *.jsonl files (one {_id, title, text} per line), one from each file in turn, until
 * they have `maxCharacters` characters in total.
 */
export async function readDocuments(folder: string, maxCharacters: number): Promise<DocumentSet> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const lines = files.map((file) => file.trim().split("\n"));
  const documents: NewDocument[] = [];
  let characters = 0;
  const longest = Math.max(0, ...lines.map((file) => file.length));
  for (let at = 0; at < longest && characters < maxCharacters; at++) {
    for (const [index, file] of lines.entries()) {
      const document = toDocument(file[at], names[index] ?? "");
      if (document === null || characters >= maxCharacters) continue;
      documents.push(document);
      characters += document.text.length;
    }
  }
  if (documents.length === 0) throw new Error(`${folder} has no *.jsonl files with documents.`);
  const sha256 = createHash("sha256").update(JSON.stringify(documents)).digest("hex");
  return { documents, characters, sha256 };
}

function toDocument(line: string | undefined, file: string): NewDocument | null {
  if (line === undefined) return null;
  const row = JSON.parse(line) as Record<string, string>; // The file format is described above.
  const text = [row["title"], row["text"]].filter(Boolean).join("\n");
  return text.trim() === "" ? null : { text, source_doc_id: `${file}/${row["_id"] ?? ""}`.slice(-512) };
}

/** Splits the documents into `count` slices with about the same number of characters. */
export function sliceDocuments(documents: readonly NewDocument[], count: number): readonly NewDocument[][] {
  const slices: NewDocument[][] = Array.from({ length: count }, () => []);
  const total = documents.reduce((sum, { text }) => sum + text.length, 0);
  let before = 0;
  for (const document of documents) {
    slices[Math.min(count - 1, Math.floor((before / total) * count))]?.push(document);
    before += document.text.length;
  }
  return slices;
}

export interface EmbeddedTexts {
  readonly texts: readonly string[];
  readonly tokens: number;
}

/** Computes the texts that the service embeds in its default configuration: header and text of every chunk. */
export async function openChunker(): Promise<(text: string) => EmbeddedTexts> {
  const countTokens = await openMiniLmTokenCounter();
  const options = { ...DEFAULT_CHUNKING, maxTokens: MINILM_MAX_TOKENS - 2, countTokens };
  return (text) => {
    const chunks = [...chunkDocument(text, options)];
    return {
      texts: chunks.map(indexedText),
      tokens: chunks.reduce((sum, { tokenCount }) => sum + tokenCount, 0),
    };
  };
}

/** The texts that the service embeds for these documents. */
export async function chunkTexts(documents: readonly NewDocument[]): Promise<EmbeddedTexts> {
  const chunk = await openChunker();
  const chunked = documents.map(({ text }) => chunk(text));
  return {
    texts: chunked.flatMap(({ texts }) => texts),
    tokens: chunked.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
