/** Files that are recognised only to say why they cannot be read. */

interface Signature {
  readonly bytes: string;
  readonly offset?: number;
  readonly what: keyof typeof SENTENCES;
}

const SENTENCES = {
  picture:
    "The file is a picture, and the service was started without recognition of text (KCS_OCR_LANGUAGES).",
  media: "The file is a recording of sound or film, which has no text.",
  archive: "The file is an archive of another kind than ZIP; send it as ZIP.",
  program: "The file is a program, which has no text.",
  rtf: "The file is in the format RTF; save it as DOCX or PDF and send that.",
  postscript: "The file is in the format PostScript; save it as PDF and send that.",
  database: "The file is a database; export its tables as CSV and send these.",
} as const;

const SIGNATURE_BYTES = 512;
/** In Latin-1. */
const SIGNATURES: readonly Signature[] = [
  { bytes: "\x89PNG\r\n", what: "picture" },
  { bytes: "\xff\xd8\xff", what: "picture" },
  { bytes: "GIF8", what: "picture" },
  { bytes: "II*\0", what: "picture" },
  { bytes: "MM\0*", what: "picture" },
  { bytes: "WEBP", offset: 8, what: "picture" },
  { bytes: "ftyp", offset: 4, what: "media" },
  { bytes: "ID3", what: "media" },
  { bytes: "OggS", what: "media" },
  { bytes: "fLaC", what: "media" },
  { bytes: "WAVE", offset: 8, what: "media" },
  { bytes: "AVI ", offset: 8, what: "media" },
  { bytes: "\x1aE\xdf\xa3", what: "media" },
  { bytes: "\x1f\x8b", what: "archive" },
  { bytes: "BZh", what: "archive" },
  { bytes: "\xfd7zXZ", what: "archive" },
  { bytes: "7z\xbc\xaf", what: "archive" },
  { bytes: "Rar!", what: "archive" },
  { bytes: "\x28\xb5\x2f\xfd", what: "archive" },
  { bytes: "ustar", offset: 257, what: "archive" },
  { bytes: "\x7fELF", what: "program" },
  { bytes: "MZ\x90", what: "program" },
  { bytes: "{\\rtf", what: "rtf" },
  { bytes: "%!PS", what: "postscript" },
  { bytes: "SQLite format 3", what: "database" },
];

const UNKNOWN_TYPE =
  "The type of the file is not known: it is none of PDF, DOCX, PPTX, XLSX, OpenDocument, HTML, Markdown, EPUB, CSV, JSON, e-mail, plain text and ZIP.";

/** By the end of a name. */
const NAMED_TYPES: ReadonlySet<string> = new Set("pdf docx pptx xlsx odt ods odp epub zip".split(" "));

/** Of bytes that are of no type that is read: the name may say what they should be. Without the name itself: failures are listed by their reasons. */
export function unknownTypeOf(name: string): string {
  const type = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  if (!NAMED_TYPES.has(type) || !name.includes(".")) return UNKNOWN_TYPE;
  return `The name of the file ends in .${type}, but it is no ${type.toUpperCase()}: it is damaged or of another type.`;
}

const PICTURES: Readonly<Record<string, string>> = {
  "\x89PNG\r\n": "image/png",
  "\xff\xd8\xff": "image/jpeg",
  GIF8: "image/gif",
  "II*\0": "image/tiff",
  "MM\0*": "image/tiff",
  WEBP: "image/webp",
};

/** IANA media type; null for what is no picture. */
export function pictureTypeOf(bytes: Buffer): string | null {
  const found = signatureOf(bytes);
  return found === undefined ? null : (PICTURES[found.bytes] ?? null);
}

function signatureOf(bytes: Buffer): Signature | undefined {
  const start = bytes.subarray(0, SIGNATURE_BYTES).toString("latin1");
  return SIGNATURES.find(({ bytes: signature, offset = 0 }) => start.startsWith(signature, offset));
}

/** The container of Office before 2007, and of encrypted files of today's. */
const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/** Names of streams in it. */
const STREAMS = [
  ["EncryptedPackage", "The file is encrypted. Remove its password and send it again."],
  ["WordDocument", "The file is a Word file of the format before 2007 (DOC); save it as DOCX and send that."],
  ["Workbook", "The file is an Excel file of the format before 2007 (XLS); save it as XLSX and send that."],
  [
    "PowerPoint Document",
    "The file is a PowerPoint file of the format before 2007 (PPT); save it as PPTX and send that.",
  ],
  ["__substg1.0_", "The file is a message of Outlook (MSG); save it as EML and send that."],
] as const;

/** Why a file with these bytes cannot be read; null = nothing speaks against it. */
export function refusalOf(bytes: Buffer, name: string): string | null {
  if (bytes.subarray(0, SIGNATURE_BYTES).toString("latin1").startsWith(COMPOUND_FILE))
    return refusalOfCompound(bytes) ?? unknownTypeOf(name);
  const found = signatureOf(bytes);
  return found === undefined ? null : SENTENCES[found.what];
}

function refusalOfCompound(bytes: Buffer): string | null {
  return STREAMS.find(([name]) => bytes.includes(Buffer.from(name, "utf16le")))?.[1] ?? null;
}
