import type { EmbeddedChunk, VersionId } from "../domain/document.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type { ClaimedJob } from "../domain/job.ts";
import type { LeftToOthers } from "../domain/service-process.ts";
import type { IngestionStore, OntologyStore, ProjectStore } from "./content-store.ts";
import type { CorrectionStore } from "./correction-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { JobControlStore, OnceStore, ProgressStore, WebhookStore } from "./event-store.ts";
import type { FeedbackStore } from "./feedback-store.ts";
import type { FileStore } from "./file-store.ts";
import type { GraphBrowser } from "./graph-browser.ts";
import type { GraphMatcher } from "./graph-matcher.ts";
import type { ChunkGraph, GraphStore } from "./graph-store.ts";
import type { IndexStore } from "./index-store.ts";
import type { JobQueueStore } from "./job-queue-store.ts";
import type { ModelStore } from "./model-store.ts";
import type { OntologyVersionStore } from "./ontology-version-store.ts";
import type { ProcessStore } from "./process-store.ts";
import type { ProjectNumbersStore } from "./project-numbers.ts";
import type { ReembedStore } from "./reembed-store.ts";
import type { RereadStore } from "./reread-store.ts";
import type { SegmentBytes, SegmentObjectStore } from "./segment-objects.ts";
import type { UsageStore } from "./usage-store.ts";

export type {
  AcceptDocuments,
  AcceptOutcome,
  EncodedText,
  IngestionStore,
  IngestLimits,
  Listed,
  ListedOntology,
  ListedProject,
  ListStep,
  NewDocument,
  OntologyStore,
  Page,
  ProjectStore,
  RateLeft,
} from "./content-store.ts";
export type {
  DamagedSegment,
  DocumentHead,
  IndexedChunk,
  IndexState,
  IndexStore,
  OutdatedSegment,
  RepairDocument,
  SegmentBeside,
  SegmentRepair,
  SegmentState,
  StoredChunk,
} from "./index-store.ts";

/**
 * All persistent data of the service. Each method is one transaction. Inputs and results are plain data
 * (structured-cloneable), so that a method can run in another thread. Times are epoch milliseconds.
 */
export interface Store
  extends ProjectStore,
    OntologyStore,
    OntologyVersionStore,
    IngestionStore,
    DocumentStore,
    FileStore,
    UsageStore,
    ProjectNumbersStore,
    JobQueue,
    IndexStore,
    SegmentObjectStore,
    ReembedStore,
    RereadStore,
    GraphStore,
    ProgressStore,
    JobControlStore,
    JobQueueStore,
    FeedbackStore,
    CorrectionStore,
    WebhookStore,
    OnceStore,
    ModelStore,
    GraphBrowser,
    GraphMatcher,
    AccountStore,
    ProcessStore,
    MaintenanceStore {
  /** Milliseconds since 1970 by the clock that all processes of the database share. */
  readonly now: () => number;
  close(): Promise<void>;
}

export type StoreFaultReason =
  | "disk_full"
  | "read_only"
  | "connection_lost"
  | "refused"
  | "io_error"
  | "damaged"
  | "misplaced"
  | "segment_store"
  | "segment_object"
  | "busy";

/**
 * The database is not available now; nothing was changed. "busy": another transaction held the lock of the
 * project's or account's row for too long; the database itself works. "refused": the server does not accept the user or its permissions, has no such
 * database, or no connection can be made for another reason. "damaged": its file has pages that make no sense, which
 * only a person can repair. "misplaced": its files were moved, deleted or replaced, so that what is written would be lost. "segment_store": the
 * store of segments outside of the database cannot be used. "segment_object": one object in it cannot be, so a project is affected and no other.
 */
export class StoreUnavailableError extends Error {
  readonly reason: StoreFaultReason;

  constructor(reason: StoreFaultReason, message: string, cause: unknown) {
    super(message, { cause });
    this.name = "StoreUnavailableError";
    this.reason = reason;
  }
}

/** Whether the error says nothing about what was worked on: everything else would fail, too. */
export function isOutage(error: unknown): error is StoreUnavailableError {
  return error instanceof StoreUnavailableError && error.reason !== "segment_object";
}

export interface ClaimJobs {
  readonly leaseToken: string;
  readonly now: number;
  /** Longer for jobs that were interrupted before. */
  readonly leaseUntil: number;
  /** Limits of the claim: jobs, all of one project, and text, which only the first job alone may exceed. */
  readonly maxJobs: number;
  readonly maxTextBytes: number;
  /** Whose jobs are left out, at most one account for each lane; none when absent. */
  readonly exceptAccounts?: readonly string[];
  readonly left?: LeftToOthers | null;
}

export interface CommittedPart {
  readonly jobId: string;
  readonly versionId: VersionId;
  readonly chunks: readonly EmbeddedChunk[];
  /** Graph data of some or all of `chunks`; absent when the project has no graph. */
  readonly graph?: readonly ChunkGraph[];
  /** Tokens actually embedded for these chunks; charged in the same transaction. */
  readonly tokens: number;
  /** Current estimate of the document's number of chunks; absent when it has not changed. */
  readonly chunksTotal?: number;
  /** True when the text has no more chunks: the job completes and the version becomes visible. */
  readonly finished: boolean;
}

export interface CommitBatch {
  readonly projectId: string;
  readonly leaseToken: string;
  readonly now: number;
  readonly leaseUntil: number;
  /** The space of the chunks' vectors. */
  readonly space: EmbeddingSpace;
  /** Index segment with exactly the chunks of all parts; null when there are no chunks. */
  readonly segment: SegmentBytes | null;
  readonly parts: readonly CommittedPart[];
  /** Tokens per account and `month`; null = no limit. The batch that exceeds it is still charged in full. */
  readonly tokenLimit: number | null;
  readonly month: string;
}

/**
 * "lease_lost": the project, a job or the lease no longer exists, or the project has moved to another
 * embedding space; nothing was written. "token_limit": the batch has tokens to charge and the account had
 * already used up its limit; nothing was written, and the jobs have failed. "changes_left": committed, but the graph has not
 * followed yet; finished jobs end with the last `applyVersionChanges`.
 */
export type CommitOutcome = "committed" | "changes_left" | "lease_lost" | "token_limit";

export interface Claim {
  /** Leased. */
  readonly jobs: readonly ClaimedJob[];
  /** Whether jobs were completed, or removed with their project, so that another call may find more. */
  readonly hasEnded: boolean;
}

export interface JobQueue {
  /**
   * Leases ready jobs (pending, or running with an expired lease) and marks them running. Fair between
   * accounts (the account served longest ago comes first), in order within one document. A job whose text and
   * metadata equal those of the complete live version of its document is completed here, with that version's
   * chunk count, and not returned. So is a job that reads a version again which is no longer the live one; one that
   * is gets a version of its own with the same content. A failed version with the same text and metadata is resumed. Other
   * unfinished versions of the document that no job needs are deleted. A job that was tried twice or more
   * without a committed batch is claimed alone, because it may crash its worker.
   */
  claimJobs(input: ClaimJobs): Promise<Claim>;
  /**
   * In one transaction: locks the project's row, checks lease and versions, writes chunks, segment, counts
   * and charge, raises the index version, and makes each finished version visible. The first version of a
   * document is visible from its first batch, a replacing version only when it is finished. The attempts of a
   * job with a committed batch are reset to zero.
   */
  commitBatch(input: CommitBatch): Promise<CommitOutcome>;
  /**
   * With `retryAt` the jobs wait until then and count an attempt, unless `countAttempt` is false (an outage
   * is not caused by the job). Without `retryAt` they fail with the message and keep their counts.
   */
  failJobs(input: {
    jobIds: readonly string[];
    projectId: string;
    leaseToken: string;
    now: number;
    errorMessage: string;
    retryAt: number | null;
    /** Default: true. */
    countAttempt?: boolean;
  }): Promise<void>;
  /** Gives the jobs back: ready at once, without counting an attempt. */
  releaseJobs(input: { leaseToken: string }): Promise<void>;
  /**
   * Returns the ids of the jobs that the lease still holds; other jobs have ended, were deleted, or are
   * leased to another worker.
   */
  renewLease(input: { leaseToken: string; leaseUntil: number }): Promise<readonly string[]>;
  /**
   * Expires all leases. For a start at which no other process uses the database. Returns the number of leased
   * jobs. Jobs and moves that were interrupted before wait again, each time longer (up to about four minutes).
   */
  expireAllLeases(input: { now: number }): Promise<number>;
  /** Whether `claimJobs` would find a job. */
  nextWork(input: { now: number; left?: LeftToOthers | null }): Promise<{ readyNow: boolean }>;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  readonly enabled: boolean;
  readonly expiresAt: number | null;
}

export interface AccountStore {
  /** Looks up the key by its stored hash. */
  findApiKey(input: { keyHash: string }): Promise<ApiKeyRecord | null>;
  /** Records the last use of keys, in batches and not once per request. */
  touchApiKeys(input: { uses: readonly { readonly keyId: string; readonly at: number }[] }): Promise<void>;
  /** Small internal settings, such as the owner's account id and markers of generated secrets. */
  readSetting(input: { name: string }): Promise<string | null>;
  /** Sets a value; with `onlyIfAbsent`, an existing value is kept. Returns the value that is then stored. */
  writeSetting(input: { name: string; value: string; onlyIfAbsent: boolean }): Promise<string>;
}

/** What waits, of all accounts together. */
export interface StoreCounts {
  readonly projects: number;
  readonly jobsPending: number;
  readonly jobsRunning: number;
  readonly jobsFailed: number;
  /** When the oldest job that has not ended was accepted; null when there is none. */
  readonly oldestJobAt: number | null;
  /** Events that are to be sent to webhooks. */
  readonly deliveriesWaiting: number;
  /** When the oldest of them happened. */
  readonly oldestDeliveryAt: number | null;
  /** Statements that wait for a lock of others, of all processes; those that the account of the database may see. */
  readonly lockWaits: number;
}

export interface MaintenanceStore {
  /** One cheap round trip, which reads a row. Throws StoreUnavailableError when the database does not answer. */
  ping(): Promise<void>;
  /** Totals over all accounts, for /metrics. */
  readCounts(): Promise<StoreCounts>;
  /**
   * Takes a step of version changes that nobody is working on, deletes rows that are no longer needed (such as those of
   * deleted projects) and returns free pages to the file system; a limited amount per call. Jobs are removed when they ended
   * `jobLifeMs` ago, and of each account those before the newest `endedJobs` ended ones, but for the last one of each document and
   * those whose version is stored; all are kept when both are omitted.
   * True when there is more to do.
   */
  reclaim(input: {
    now: number;
    maxPages: number;
    jobLifeMs?: number;
    endedJobs?: number;
    /** So many of the projects that have changes left are passed over: a step of one of them has failed. Default: none. */
    passedOver?: number;
    /** What is done in this transaction. Default: everything. */
    part?: (typeof RECLAIM_PARTS)[number];
  }): Promise<boolean>;
}

/** Each of the first three locks a project for its step. */
export const RECLAIM_PARTS = ["changes", "moves", "entities", "rows"] as const;
