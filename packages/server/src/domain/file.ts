/** The file that the text of a document was made from. */
export interface DocumentFile {
  /** As its sender named it, without folders. */
  readonly name: string;
  /** IANA media type that its content was recognised as; null until then. */
  readonly mediaType: string | null;
  readonly byteLength: number;
}

/** Where in its file a chunk begins, or a sentence of it that is quoted. A chunk of a document without a file has none. */
export interface FilePlace {
  /** From 1; null where the file has no pages. */
  readonly page: number | null;
  /** Title and section, of a chunk as in its header; null where it has none. */
  readonly section: string | null;
}

/** Of a content that is the address of a page (RFC 2483), until the page is fetched and takes its place. */
export const ADDRESS_MEDIA_TYPE = "text/uri-list";

/** Files are stored and read in pieces of this size. */
export const FILE_PIECE_BYTES = 1024 * 1024;

/** The files of an archive become jobs in one transaction. */
export const MAX_ARCHIVE_FILES = 5_000;

/** Of the ids of these, together with the metadata of each. With 17 MiB of them the transaction took 0.6 s of a processor. */
export const MAX_ARCHIVE_ID_BYTES = 4 * 1024 * 1024;

const MAX_NAME_CHARACTERS = 255;

/** The last part of a path or id. */
export function fileName(path: string): string {
  const [name = ""] = path.split(/[/\\]/).slice(-1);
  // PostgreSQL's text cannot hold NUL, and a name has no line ends.
  const plain = [...name.toWellFormed()].filter((letter) => letter >= " " && letter !== "\u007f");
  return plain.slice(0, MAX_NAME_CHARACTERS).join("") || "file";
}
