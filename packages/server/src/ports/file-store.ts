/** Storage of files, and of the jobs whose text is made from them. */
import type { DocumentFile } from "../domain/file.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { AcceptOutcome, IngestLimits } from "./content-store.ts";
import type { PageStart } from "./file-converter.ts";

/** A content that was received whole, in pieces that are stored. */
export interface ReceivedContent {
  readonly contentId: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly byteLength: number;
}

export interface NewFile extends ReceivedContent {
  readonly jobId: string;
  readonly sourceDocId: string;
  /** Without folders. */
  readonly name: string;
  /** The content is the address of a page. Default: false. */
  readonly isAddress?: boolean;
}

export interface AcceptFiles extends IngestLimits {
  readonly projectId: string;
  readonly files: readonly (NewFile & { readonly metadata: Metadata })[];
}

/** A job under a lease, whose file is to be turned into text. */
export interface ClaimedConversion {
  readonly jobId: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly sourceDocId: string;
  readonly metadata: Metadata;
  readonly contentId: string;
  readonly name: string;
  readonly byteLength: number;
  /** A member of an archive, which must not be an archive. */
  readonly isMember: boolean;
  /** The content is the address of a page, which has to be fetched first. */
  readonly isAddress: boolean;
  /** Attempts before this claim. */
  readonly attempts: number;
  /** Time of the first claim. */
  readonly startedAt: number;
}

interface HeldConversion {
  readonly projectId: string;
  readonly jobId: string;
  readonly leaseToken: string;
  readonly now: number;
}

export interface StoreConversion extends HeldConversion {
  readonly text: string;
  readonly mediaType: string;
  readonly metadata: Metadata;
  /** They count in the account's stored bytes, as the text does. */
  readonly pages: readonly PageStart[];
  /** Of the account; null = no limit. */
  readonly maxStoredBytes: number | null;
}

export interface AcceptMembers extends HeldConversion {
  readonly members: readonly NewFile[];
  /** Of the account; null = no limit. */
  readonly maxPendingJobs: number | null;
  /** Of the account; null = no limit. */
  readonly maxStoredBytes: number | null;
}

/** "lease_lost": the project, the job or the lease no longer exists. Nothing was written unless "stored". */
export type ConversionOutcome = "stored" | "lease_lost" | "too_many_bytes" | "too_many_pending";

export interface FileStore {
  /** Whether the account may have a document ingested now; asked before its file is received. Counts nothing. */
  checkRoom(input: IngestLimits & { readonly projectId: string }): Promise<AcceptOutcome>;
  /**
   * Stores the next piece of a content that belongs to no document yet; position 0 begins it. Its bytes count in the account's
   * stored bytes at once. Upkeep removes it unless it is accepted within an hour. "project_gone" also where the content was accepted
   * or removed meanwhile.
   */
  appendFilePiece(input: {
    readonly projectId: string;
    readonly accountId: string;
    readonly contentId: string;
    /** From 0. */
    readonly position: number;
    /** 1 MiB, except for the last piece. */
    readonly bytes: Uint8Array;
    readonly maxStoredBytes: number | null;
    readonly now: number;
  }): Promise<"appended" | "project_gone" | "too_many_bytes">;
  /** One step of removing those of the contents that no document has; all their bytes are freed in the first. True when more is left. */
  discardContents(input: {
    readonly projectId: string;
    readonly contentIds: readonly string[];
  }): Promise<boolean>;
  /**
   * Like `acceptDocuments`: each file becomes a new version without a text, with a job that waits for it. A content that the
   * project already has is not kept twice.
   */
  acceptFiles(input: AcceptFiles): Promise<AcceptOutcome>;
  /** Leases the next job of which the file is to be turned into text; accounts take turns. null where there is none. */
  claimConversion(input: {
    readonly leaseToken: string;
    readonly now: number;
    readonly leaseUntil: number;
    /** Whose jobs are left out; none when absent. */
    readonly exceptAccounts?: readonly string[];
    /** What the job is of, among the first 50 due jobs of each account: a page that is not fetched yet, or what can be read. Absent: either. */
    readonly only?: "pages" | "files";
  }): Promise<ClaimedConversion | null>;
  /** Whether `claimConversion` would find a job. */
  nextConversion(input: {
    readonly now: number;
    readonly only?: "pages" | "files";
  }): Promise<{ readonly readyNow: boolean }>;
  /** False when the lease is lost. */
  renewConversion(input: { readonly leaseToken: string; readonly leaseUntil: number }): Promise<boolean>;
  /** The page that was fetched takes the place of its address. Upkeep removes a content that comes too late. */
  storePage(input: HeldConversion & { readonly content: ReceivedContent }): Promise<"stored" | "lease_lost">;
  /** Stores the text of the job's version, which can then be ingested like any other. */
  storeConversion(input: StoreConversion): Promise<ConversionOutcome>;
  /**
   * Accepts a job for each member of an archive, and completes the job of the archive. Its members take its place: the document
   * of the archive and its file are removed.
   */
  acceptMembers(input: AcceptMembers): Promise<ConversionOutcome>;
  /**
   * As `failJobs`. Without `retryAt` the job fails for good; it can be retried as long as its file is kept. Those of earlier jobs of
   * the document that failed are removed then.
   */
  failConversion(
    input: HeldConversion & {
      readonly errorMessage: string;
      readonly retryAt: number | null;
      readonly countAttempt: boolean;
    },
  ): Promise<void>;
  /** The file of the version that queries see, else of the last job; null where the document or its file does not exist. */
  findFile(input: {
    readonly projectId: string;
    readonly sourceDocId: string;
  }): Promise<(DocumentFile & { readonly contentId: string }) | null>;
  /** null after the last piece, and once the content is removed. */
  readFilePiece(input: {
    readonly projectId: string;
    readonly contentId: string;
    readonly position: number;
  }): Promise<Uint8Array | null>;
}
