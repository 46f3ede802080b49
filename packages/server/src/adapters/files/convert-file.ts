/** Converts one file, in the process that calls it. */
import { open, readFile } from "node:fs/promises";
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { type ConvertedText, NO_ROOM } from "../../ports/file-converter.ts";
import { pictureTypeOf, refusalOf, unknownTypeOf } from "./known-signatures.ts";
import { createMarkdown, type Markdown } from "./markdown.ts";
import type { OcrLanguage, OcrWork } from "./ocr/recogniser.ts";
import { readPackage, recognisePackage } from "./read-package.ts";
import { readText } from "./read-text.ts";
import { type ArchiveLimits, type Member, unpackArchive } from "./unpack-archive.ts";
import { openZip } from "./zip.ts";

export interface FileInput {
  readonly name: string;
  readonly path: string;
  /** Where members of an archive go. It is created. */
  readonly membersFolder: string;
  /** In which text in pictures is recognised; none = it is not. */
  readonly ocrLanguages: readonly OcrLanguage[];
  /** The lines that pages of a PDF draw are not looked at. */
  readonly isWithoutDrawings?: boolean;
  readonly limits: ArchiveLimits & { readonly maxTextBytes: number };
}

export type Converted =
  | ConvertedText
  | { readonly kind: "archive"; readonly mediaType: string; readonly members: readonly Member[] };

type Read = Omit<ConvertedText, "kind" | "text" | "pages" | "ocr"> & Partial<Pick<ConvertedText, "ocr">>;

interface Single {
  readonly start: Buffer;
  readonly markdown: Markdown;
  /** null = text in pictures is not recognised. */
  readonly ocr: OcrWork | null;
  readonly onDrawings: (() => void) | null;
}

/** Of the parts of a document that are read, unpacked. */
const MAX_DOCUMENT_BYTES = 256 * 1024 * 1024;
/** The marks of a PDF may follow some bytes of a mail program. */
const PDF_START = 1_024;
/** Of the first member, and of an archive without members. */
const ZIP_STARTS: readonly string[] = ["PK\x03\x04", "PK\x05\x06"];
/** The machine's faults, and those of an installation: another try can succeed. */
const OUTAGES: ReadonlySet<string> = new Set([
  NO_ROOM,
  ..."EACCES EDQUOT EIO EMFILE ENFILE ENOENT ENOMEM ENOSPC EPERM EROFS ERR_ACCESS_DENIED ERR_MODULE_NOT_FOUND KCS_OCR_DATA".split(
    " ",
  ),
]);

/**
 * @param onPhase called before text in pictures is recognised, which takes long, and before drawings are looked at, without which a file can be read
 * @throws UnreadableFile for whatever is wrong with the file
 */
export async function convertFile(
  input: FileInput,
  onPhase: (phase: "recognising" | "drawings") => void = () => undefined,
): Promise<Converted> {
  const { ocrLanguages: languages, isWithoutDrawings = false } = input;
  const ocr = languages.length === 0 ? null : { languages, onBegin: () => onPhase("recognising") };
  const onDrawings = isWithoutDrawings ? null : () => onPhase("drawings");
  try {
    return await convert(input, { ocr, onDrawings });
  } catch (error) {
    if (error instanceof UnreadableFile || isOutage(error)) throw error;
    throw new UnreadableFile(
      error instanceof RangeError && error.message.includes("call stack")
        ? "The file cannot be read: its parts are nested too deeply."
        : "The file is damaged and cannot be read.",
    );
  }
}

async function convert(input: FileInput, work: Pick<Single, "ocr" | "onDrawings">): Promise<Converted> {
  const start = await readStart(input.path);
  if (start.length === 0) throw new UnreadableFile("The file is empty.");
  const markdown = createMarkdown(input.limits.maxTextBytes);
  const isZip = ZIP_STARTS.includes(start.toString("latin1", 0, 4));
  const read = isZip
    ? await convertPackage(input, markdown)
    : await convertSingle(input, { start, markdown, ...work });
  if (read === null) {
    const members = await unpackArchive(input.path, input.membersFolder, input.limits);
    return { kind: "archive", mediaType: "application/zip", members };
  }
  const { text, pages } = markdown.finish();
  if (text === "") throw new UnreadableFile("The file has no text.");
  return { kind: "text", ocr: null, ...read, text, pages };
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PDF_START), 0, PDF_START, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** null = an archive. */
async function convertPackage({ path }: FileInput, markdown: Markdown): Promise<Read | null> {
  const zip = await openZip(path, MAX_DOCUMENT_BYTES);
  try {
    const type = await recognisePackage(zip);
    if (type === null) return null;
    return { mediaType: type.mediaType, ...(await readPackage(type, zip, markdown)) };
  } finally {
    zip.close();
  }
}

async function convertSingle(
  { path, name }: FileInput,
  { start, markdown, ocr, onDrawings }: Single,
): Promise<Read> {
  const bytes = await readFile(path);
  if (start.includes("%PDF-")) {
    const { readPdf } = await import("./pdf/read-pdf.ts");
    return { mediaType: "application/pdf", ...(await readPdf(bytes, markdown, { ocr, onDrawings })) };
  }
  const pictureType = pictureTypeOf(bytes);
  if (pictureType !== null && ocr !== null) {
    const { readPicture } = await import("./ocr/read-picture.ts");
    return { mediaType: pictureType, ...(await readPicture(bytes, markdown, ocr)) };
  }
  const refusal = refusalOf(bytes, name);
  if (refusal !== null) throw new UnreadableFile(refusal);
  const read = await readText(bytes, name, markdown);
  if (read === null) throw new UnreadableFile(unknownTypeOf(name));
  return read;
}

function isOutage(error: unknown): boolean {
  return error instanceof Error && "code" in error && OUTAGES.has(String(error.code));
}
