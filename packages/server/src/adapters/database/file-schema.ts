/** The tables of files. */

/** staged: received, but no document has it yet. kept: of at least one version. removed: upkeep deletes its pieces. */
export type FileContentState = "staged" | "kept" | "removed";

/** The content of a file: one row for each hash of a project, however many versions have it. */
export interface FileContentRow {
  readonly project_id: string;
  readonly content_id: string;
  readonly state: FileContentState;
  /** Of a kept one, in hexadecimal. */
  readonly sha256: string | null;
  /** Counted in the account's stored bytes; 0 once it is removed. */
  readonly byte_length: number;
  readonly created_at: number;
}

export interface FilePieceRow {
  readonly project_id: string;
  readonly content_id: string;
  /** From 0. Every piece but the last is 1 MiB. */
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The file that the text of a version is made from. */
export interface VersionFileRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly content_id: string;
  /** Without folders. */
  readonly name: string;
  /** As its content was recognised; null before that. */
  readonly media_type: string | null;
  readonly byte_length: number;
  /** 1 for a member of an archive, which must not be an archive. */
  readonly is_member: number;
  /** Pairs of page and offset in the text, in UTF-16 code units, as little-endian u32; null for a file without pages. */
  readonly pages: Uint8Array | null;
}
