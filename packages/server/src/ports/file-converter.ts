/** Turns files into text. */

/** A file on the local disk, of at most the size that the service takes. */
export interface FileToConvert {
  /** The name that its sender gave it, for the title and where bytes alone do not tell the type. Untrusted. */
  readonly name: string;
  /** Where its bytes are. */
  readonly path: string;
}

/** A file of more is refused: a book has a tenth of them. */
export const MAX_PAGES = 20_000;

export interface PageStart {
  /** From 1. */
  readonly page: number;
  /** Offset in the text, in UTF-16 code units, at which the page begins. */
  readonly start: number;
}

export interface RecognisedPages {
  /** Pages of which the text was recognised, from 1. */
  readonly read: number;
  /** Numbers of pages that seem to have text that could not be read, or that were not tried for want of time; in order, at most `MAX_PAGES`. */
  readonly unread: readonly number[];
}

export interface ConvertedText {
  readonly kind: "text";
  /** IANA media type that the content was recognised as. */
  readonly mediaType: string;
  /** As the file says it; null when it does not. */
  readonly title: string | null;
  /** Markdown: headings as `#`, lists, tables as pipe tables with their header. */
  readonly text: string;
  /** Those on which text begins, so at most one for each place of the text; in order, and at most `MAX_PAGES`. */
  readonly pages: readonly PageStart[];
  /** Of text that was recognised in pictures; null when all of it was text in the file. */
  readonly ocr: RecognisedPages | null;
  /** ISO date that the file carries for itself (created, sent); null when none. */
  readonly date: string | null;
}

/** An archive: each member is a file of its own. */
export interface UnpackedArchive {
  readonly kind: "archive";
  readonly mediaType: string;
  /** Paths are clean: relative, `/` between folders, no `..`. `file` is where the member's bytes were written, below `folder` of the call. */
  readonly members: readonly { readonly path: string; readonly file: string; readonly bytes: number }[];
}

export type Conversion = ConvertedText | UnpackedArchive;

/** Code of the error for a file that unpacks to more than the disk has room for. */
export const NO_ROOM = "NO_ROOM";

export interface FileConverter {
  /**
   * @param input.folder an empty folder for temporary files and the members of archives; the caller removes it
   * @throws UnreadableFile (domain/unreadable-file.ts, with a sentence for the sender) when the file cannot be read: encrypted, truncated, of an unknown type, without text, too large once unpacked, or the process ran out of time or memory; an Error with the code `NO_ROOM`
   */
  convert(input: {
    file: FileToConvert;
    folder: string;
    maxTextBytes: number;
    signal: AbortSignal;
  }): Promise<Conversion>;
  close(): Promise<void>;
}
