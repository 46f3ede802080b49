/** Finds the documents that the arguments of the command line name, with their ids. */
import { createHash, type Hash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { UsageError } from "../exit-codes.ts";
import { type File, filesOf, JSON_LINES, OTHER_FILES } from "./find-files.ts";
import { type Line, readLines } from "./read-lines.ts";
import { MAX_FILE_BYTES, readAt, readPieces } from "./read-pieces.ts";
import { OtherEncoding, reasonOf, UnreadableDocument } from "./unreadable.ts";

interface Found {
  readonly id: string;
  /** Covers the content and the metadata, so that a change of either is detected. */
  readonly hash: string;
  /** Size of the document in the request body. */
  readonly bytes: number;
  /** The file of JSON Lines that it is from, of which it is a line, or all of them. */
  readonly linesFile?: string;
}

export interface FoundText extends Found {
  /** As it is now. @throws UnreadableDocument, or an error of the operating system */
  read(): Promise<DocumentBody>;
}

/** A file that the service turns into text. */
export interface FoundFile extends Found {
  readonly path: string;
  readonly metadata: Readonly<Record<string, string | number>>;
}

export type FoundDocument = FoundText | FoundFile;

export interface DocumentBody {
  readonly source_doc_id: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, string | number>>;
}

/** Something that was named on the command line but cannot be ingested. */
export interface RejectedDocument {
  /** For a line of a file without an id: the file and the number of the line. */
  readonly id: string;
  readonly reason: string;
  /** The file, where it is a line of one that is rejected. */
  readonly lineOf?: string;
  /** A folder, of whose files nothing is known. */
  readonly isFolder?: boolean;
}

/** What was found in each file, by its path, so that a file that has not changed is not read again. */
export type FileMemory = Map<
  string,
  { readonly stamp: string; readonly found: readonly (FoundDocument | RejectedDocument)[] }
>;

export interface FindOptions {
  /** Put before every id. */
  readonly prefix: string;
  readonly metadata: Readonly<Record<string, string | number>>;
  /** The document that `-` stands for. */
  readonly stdin: { readonly id: string | undefined; read(): Promise<string> };
  readonly memory?: FileMemory;
}

/** Of a file with more documents nothing is remembered. */
const MAX_REMEMBERED = 1_000;

/** The maximum size of a request. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = "is larger than 64 MiB, the maximum that a service accepts";
const EMPTY = "is empty";
/** Tab, carriage return and space. */
const BLANKS: readonly number[] = [9, 13, 32];

/**
 * In the order of the command line; the files of a folder are ordered by name. Texts are not kept in memory: each one is
 * read again when it is sent.
 */
export async function* findDocuments(
  inputs: readonly string[],
  options: FindOptions,
): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  for (const input of inputs) {
    if (input === "-") yield* standardInput(options);
    else
      for (const file of await filesOf(input)) {
        if (file.fault === null) yield* documentsOrFault(file, options);
        else yield rejectedFile({ ...file, fault: file.fault }, options);
      }
  }
}

/** A file that cannot be read, or not to its end, is skipped. */
async function* documentsOrFault(
  file: File,
  options: FindOptions,
): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  try {
    yield* rememberedDocuments(file, options);
  } catch (error) {
    yield rejectedFile({ ...file, fault: reasonOf(error) }, options);
  }
}

/** The documents of a file of lines have ids of their own. */
function rejectedFile(
  { path, id, fault, isFolder = false }: File & { readonly fault: string },
  { prefix }: FindOptions,
): RejectedDocument {
  const rejected = { id: prefix + id, reason: fault };
  if (isFolder) return { ...rejected, isFolder };
  return JSON_LINES.test(path) ? { ...rejected, lineOf: id } : rejected;
}

async function* rememberedDocuments(
  file: File,
  options: FindOptions,
): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  if (options.memory === undefined) {
    yield* documentsOf(file, options);
    return;
  }
  // Before the file is read: one that changes meanwhile is read again the next time.
  // A copy can keep the time of the last change of the content, but not the time of the last change of the file.
  const { size, mtimeNs, ctimeNs, ino } = await stat(file.path, { bigint: true });
  const stamp = `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  const known = options.memory.get(file.path);
  if (known?.stamp === stamp) {
    yield* known.found;
    return;
  }
  const found: (FoundDocument | RejectedDocument)[] = [];
  for await (const document of documentsOf(file, options)) {
    if (found.length <= MAX_REMEMBERED) found.push(document);
    yield document;
  }
  if (found.length <= MAX_REMEMBERED) options.memory.set(file.path, { stamp, found });
}

/** What the file has that is no document is rejected. @throws an error of the operating system, which may pass */
async function* documentsOf(
  file: File,
  options: FindOptions,
): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  try {
    yield* readDocuments(file, options);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    yield rejectedFile({ ...file, fault: error.message }, options);
  }
}

/** @throws UnreadableDocument */
async function* readDocuments(
  file: File,
  options: FindOptions,
): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  const id = options.prefix + file.id;
  if (JSON_LINES.test(file.path)) {
    const rows = await describeRows(file, options);
    if (rows === null) yield* linesOf(file, options);
    else yield rows;
    return;
  }
  if (OTHER_FILES.test(file.path)) {
    yield await describeFile(id, file.path, options);
    return;
  }
  const load = async () => bodyOf(id, { text: await readText(file.path), metadata: options.metadata });
  const body = await load().catch(nullForOtherEncoding);
  // The service knows other encodings.
  yield body === null ? await describeFile(id, file.path, options) : describeBody(body, load);
}

function nullForOtherEncoding(error: unknown): null {
  if (error instanceof OtherEncoding) return null;
  throw error;
}

/** @throws UnreadableDocument */
async function readText(path: string): Promise<string> {
  if ((await stat(path)).size > MAX_DOCUMENT_BYTES) throw new UnreadableDocument(TOO_LARGE);
  const bytes = await readFile(path);
  let text: string;
  try {
    text = decode(bytes);
  } catch (cause) {
    throw new OtherEncoding("is not text in UTF-8", { cause });
  }
  if (text.trim() === "") throw new UnreadableDocument(EMPTY);
  return text;
}

async function* standardInput(options: FindOptions): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  if (options.stdin.id === undefined) throw new UsageError("- needs --id ID, the id of the document");
  const id = options.prefix + options.stdin.id;
  const body = bodyOf(id, { text: await options.stdin.read(), metadata: options.metadata });
  if (body.text.trim() === "") yield { id, reason: EMPTY };
  else yield describeBody(body, async () => body);
}

/**
 * A file whose lines are rows of a table, which the service reads together: the first has neither an id nor a text, and none has both.
 * null: its lines are documents, or one of them may be.
 */
async function describeRows(file: File, { prefix, metadata }: FindOptions): Promise<FoundFile | null> {
  // The bytes that are looked at are those of the hash: the file may change at any time.
  const content = contentOf(file.path, metadata);
  let isFirst = true;
  for await (const { bytes } of filledLines(content.pieces())) {
    const line = bytes === null ? null : parseObject(bytes);
    if (line === null || "reason" in line) return null;
    const hasName = nameIn(line.object) !== undefined;
    const hasText = line.object["text"] !== undefined;
    if (isFirst ? hasName || hasText : hasName && hasText) return null;
    isFirst = false;
  }
  return isFirst ? null : { ...content.describe(prefix + file.id), linesFile: file.id };
}

async function* filledLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  for await (const line of readLines(pieces, MAX_DOCUMENT_BYTES))
    if (line.bytes?.every((byte) => BLANKS.includes(byte)) !== true) yield line;
}

/** One document per line: `{"source_doc_id" or "id" or "_id", "text", "title", "metadata"}`. */
async function* linesOf(
  file: File,
  options: FindOptions,
): AsyncGenerator<FoundDocument | RejectedDocument, void> {
  let isEmpty = true;
  for await (const { bytes, start, number } of filledLines(readPieces(file.path))) {
    isEmpty = false;
    const place = `${file.id}:${number}`;
    if (bytes === null) {
      yield { id: place, reason: TOO_LARGE, lineOf: file.id };
      continue;
    }
    const read = parseLine(bytes, place, options);
    if ("reason" in read) {
      yield { ...read, lineOf: file.id };
      continue;
    }
    // Not what was read: the function is kept for as long as the document.
    const [length, id] = [bytes.length, read.source_doc_id];
    const load = async () => {
      const again = parseLine(await readAt(file.path, start, length), place, options);
      if ("reason" in again || again.source_doc_id !== id)
        throw new UnreadableDocument(`has changed in ${place} since it was found`);
      return again;
    };
    yield { ...describeBody(read, load), linesFile: file.id };
  }
  if (isEmpty) throw new UnreadableDocument(EMPTY);
}

function parseLine(bytes: Uint8Array, place: string, options: FindOptions): DocumentBody | RejectedDocument {
  const line = parseObject(bytes);
  if ("reason" in line) return { id: place, reason: line.reason };
  const { text, title, metadata } = line.object;
  const name = nameIn(line.object);
  if (typeof name !== "string" && typeof name !== "number") {
    return { id: place, reason: "has no id, expected a member source_doc_id, id or _id" };
  }
  if (typeof text !== "string") return { id: place, reason: "has no member text" };
  // The service validates it and reports the faults.
  const own = (metadata ?? {}) as Readonly<Record<string, string | number>>;
  return bodyOf(`${options.prefix}${name}`, {
    text: withTitle(text, title),
    metadata: { ...own, ...options.metadata },
  });
}

function parseObject(
  bytes: Uint8Array,
): { readonly object: Readonly<Record<string, unknown>> } | { readonly reason: string } {
  let line: unknown;
  try {
    line = JSON.parse(decode(bytes));
  } catch (error) {
    return { reason: error instanceof SyntaxError ? "is not JSON" : String(error) };
  }
  if (typeof line !== "object" || line === null) return { reason: "is not a JSON object" };
  return { object: line as Readonly<Record<string, unknown>> };
}

/** What a line names its document by. */
function nameIn({ source_doc_id, id, _id }: Readonly<Record<string, unknown>>): unknown {
  return source_doc_id ?? id ?? _id;
}

/** Puts the title before the text, unless the beginning of the text contains it. */
function withTitle(text: string, title: unknown): string {
  if (typeof title !== "string" || title.trim() === "" || text.slice(0, 2_000).includes(title)) return text;
  return `${title}\n\n${text}`;
}

function bodyOf(
  id: string,
  { text, metadata }: { readonly text: string; readonly metadata: Readonly<Record<string, string | number>> },
): DocumentBody {
  return { source_doc_id: id, text, ...(Object.keys(metadata).length > 0 && { metadata }) };
}

async function describeFile(id: string, path: string, { metadata }: FindOptions): Promise<FoundFile> {
  const content = contentOf(path, metadata);
  for await (const _ of content.pieces());
  return content.describe(id);
}

/** `describe` is called once, when all pieces have been taken. */
function contentOf(path: string, metadata: FoundFile["metadata"]) {
  const hash = fileHash(metadata);
  let bytes = 0;
  return {
    async *pieces(): AsyncGenerator<Uint8Array, void> {
      for await (const piece of readPieces(path, MAX_FILE_BYTES)) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    },
    describe: (id: string): FoundFile => ({ id, hash: hash.digest("base64url"), bytes, path, metadata }),
  };
}

function describeBody(body: DocumentBody, read: () => Promise<DocumentBody>): FoundText {
  const json = JSON.stringify(body);
  return { id: body.source_doc_id, hash: hashOf(json), bytes: Buffer.byteLength(json), read };
}

export function hashOfBody(body: DocumentBody): string {
  return hashOf(JSON.stringify(body));
}

function hashOf(json: string): string {
  return createHash("sha256").update(json).digest("base64url");
}

/** To be updated with the bytes of the file. */
export function fileHash(metadata: FoundFile["metadata"]): Hash {
  return createHash("sha256").update(JSON.stringify(metadata));
}

/** @throws TypeError when the bytes are not UTF-8 */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
