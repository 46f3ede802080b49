import type { Chunk, ChunkKey, EmbeddedChunk, VersionId } from "../domain/document.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type { ClaimedJob } from "../domain/job.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { IngestionStore, OntologyStore, ProjectStore } from "./content-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { JobControlStore, OnceStore, ProgressStore, WebhookStore } from "./event-store.ts";
import type { FeedbackStore } from "./feedback-store.ts";
import type { GraphBrowser } from "./graph-browser.ts";
import type { ChunkGraph, GraphStore } from "./graph-store.ts";
import type { JobQueueStore } from "./job-queue-store.ts";
import type { ModelStore } from "./model-store.ts";
import type { ProjectNumbersStore } from "./project-numbers.ts";
import type { ReembedStore } from "./reembed-store.ts";
import type { RereadStore } from "./reread-store.ts";
import type { UsageStore } from "./usage-store.ts";

export type {
  AcceptDocuments,
  AcceptOutcome,
  EncodedText,
  IngestionStore,
  IngestLimits,
  ListedProject,
  NewDocument,
  OntologyStore,
  Page,
  ProjectStore,
  RateLeft,
} from "./content-store.ts";

/**
 * All persistent data of the service. Each method is one transaction. Inputs and results are plain data
 * (structured-cloneable), so that a method can run in another thread. Times are epoch milliseconds.
 */
export interface Store
  extends ProjectStore,
    OntologyStore,
    IngestionStore,
    DocumentStore,
    UsageStore,
    ProjectNumbersStore,
    JobQueue,
    IndexStore,
    ReembedStore,
    RereadStore,
    GraphStore,
    ProgressStore,
    JobControlStore,
    JobQueueStore,
    FeedbackStore,
    WebhookStore,
    OnceStore,
    ModelStore,
    GraphBrowser,
    AccountStore,
    MaintenanceStore {
  /** Milliseconds since 1970 by the clock that all processes of the database share. */
  readonly now: () => number;
  close(): Promise<void>;
}

export type StoreFaultReason =
  | "disk_full"
  | "read_only"
  | "connection_lost"
  | "io_error"
  | "damaged"
  | "misplaced"
  | "busy";

/**
 * The database is not available now; nothing was changed. "busy": another transaction held the lock of the
 * project's or account's row for too long; the database itself works. "damaged": its file has pages that make no sense, which
 * only a person can repair. "misplaced": its files were moved, deleted or replaced, so that what is written would be lost.
 */
export class StoreUnavailableError extends Error {
  readonly reason: StoreFaultReason;

  constructor(reason: StoreFaultReason, message: string, cause: unknown) {
    super(message, { cause });
    this.name = "StoreUnavailableError";
    this.reason = reason;
  }
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
  readonly segment: Uint8Array | null;
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
  /** Whether jobs were completed, so that another call may find more. */
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
  nextWork(input: { now: number }): Promise<{ readyNow: boolean }>;
}

export interface IndexState {
  /** Raised by every change to the project's index. */
  readonly indexVersion: number;
  /**
   * "none": the project has no graph. "bound": the graph's types are those of an ontology. "grown": they come
   * from the data.
   */
  readonly graph: "none" | "bound" | "grown";
  /** The space of all vectors in the project's segments. */
  readonly space: EmbeddingSpace;
  /** The number of the vector set, which changes with each move to another space. */
  readonly vectorSet: number;
  readonly segments: readonly SegmentState[];
}

export interface SegmentState {
  readonly segmentId: number;
  readonly byteLength: number;
  readonly chunkCount: number;
  /** Number of its chunks that belong to the versions in `dead`. */
  readonly deadChunkCount: number;
  /** Marked for repair: it must not be searched. */
  readonly isDamaged: boolean;
  /**
   * Versions in this segment that must not be visible: dead versions, and staged versions that are not live
   * yet.
   */
  readonly dead: readonly VersionId[];
  readonly staged: readonly VersionId[];
}

export interface StoredChunk extends Pick<Chunk, "position" | "text" | "header" | "start" | "end"> {
  readonly versionId: VersionId;
  readonly sourceDocId: string;
}

/** A segment that is marked as damaged. */
export interface DamagedSegment {
  readonly projectId: string;
  readonly segmentId: number;
  /** Number of failed repairs. */
  readonly failures: number;
}

/** A segment of an older format version than the one that this release writes. */
export interface OutdatedSegment {
  readonly projectId: string;
  readonly segmentId: number;
  /** Number of failed rewrites. */
  readonly failures: number;
}

/** A consistent snapshot of what is needed to rebuild a segment from chunks. */
export interface SegmentRepair {
  /** The vector set that it belongs to. */
  readonly vectorSet: number;
  /** Number of chunks that it must contain. */
  readonly liveChunkCount: number;
  /** Its versions that are not dead, ordered by version id. */
  readonly documents: readonly RepairDocument[];
  /** Its versions that are dead. */
  readonly dead: readonly VersionId[];
  /** The other segments that contain chunks of `documents`, ordered by segment id. */
  readonly beside: readonly SegmentBeside[];
}

export interface RepairDocument {
  readonly versionId: VersionId;
  readonly sourceDocId: string;
  readonly metadata: Metadata;
  /** Number of the version's chunks in this segment, and in all segments together; positions start at 0. */
  readonly chunkCount: number;
  readonly versionChunkCount: number;
}

/** Another segment with chunks of the same versions. */
export interface SegmentBeside {
  readonly segmentId: number;
  readonly chunkCount: number;
  readonly isDamaged: boolean;
}

/** The data of one chunk from which its index entries are built. */
export interface IndexedChunk extends Pick<Chunk, "position" | "text" | "header"> {
  readonly versionId: VersionId;
  readonly vector: Float32Array;
}

export interface IndexStore {
  /**
   * Segments are ordered by id. null when the project does not exist or does not belong to the given account.
   * `vectorSet` selects the segments of a space that the project is moving to.
   */
  readIndexState(input: {
    projectId: string;
    accountId?: string;
    vectorSet?: number;
  }): Promise<IndexState | null>;
  readSegment(input: { projectId: string; segmentId: number }): Promise<Uint8Array | null>;
  /**
   * In the order of the keys; null for a chunk that no longer exists, and for all chunks when the project has
   * moved to another vector set. At most 1,024 keys a call.
   */
  readVectors(input: {
    projectId: string;
    /** From `IndexState`. */
    vectorSet: number;
    keys: readonly ChunkKey[];
  }): Promise<readonly (Float32Array | null)[]>;
  /** In the order of the keys; null for a chunk that no longer exists. At most 1,024 keys a call. */
  readChunks(input: {
    projectId: string;
    keys: readonly ChunkKey[];
  }): Promise<readonly (StoredChunk | null)[]>;
  /**
   * Vectors of the version's chunks by content hash; empty when the project is in another space. At most
   * 1,000 hashes a call.
   */
  findVectorsByHash(input: {
    projectId: string;
    versionId: VersionId;
    space: EmbeddingSpace;
    hashes: readonly string[];
  }): Promise<ReadonlyMap<string, Float32Array>>;
  /**
   * Projects whose segments may need a merge: more dead than live chunks in one of them, or more than
   * `minSegments` segments. Omits projects that have not changed since `markMergeChecked`. Each of the two
   * kinds gets half of `limit`, and what the other kind leaves. Projects merged or checked longest ago come
   * first, so that none is starved.
   */
  listMergeCandidates(input: { minSegments: number; limit: number }): Promise<readonly string[]>;
  /**
   * Records that the index at this version needs no merge (or cannot be merged): the project is not listed
   * until it changes.
   */
  markMergeChecked(input: { projectId: string; indexVersion: number }): Promise<void>;
  /**
   * Replaces segments by their merge (`bytes`, null when no chunk remains) and drops the versions in
   * `droppedVersions`. False, and nothing is written, when one of the segments no longer exists. Versions
   * that died or became live meanwhile keep their present state in the merged segment. `beside`: other
   * segments that must still exist, because the content of `bytes` depends on them.
   */
  replaceSegments(input: {
    projectId: string;
    segmentIds: readonly number[];
    bytes: Uint8Array | null;
    chunkCount: number;
    droppedVersions: readonly VersionId[];
    beside?: readonly number[];
  }): Promise<boolean>;
  /** Marks a segment for repair. False when it does not exist or is already marked. */
  reportDamagedSegment(input: { projectId: string; segmentId: number }): Promise<boolean>;
  /** Segments of the project that are marked for repair, due or not, in ascending order; at most 10,000. */
  listDamagedSegments(input: { projectId: string }): Promise<readonly number[]>;
  /** Marked segments whose repair is due, ordered by due time. */
  listRepairs(input: { now: number; limit: number }): Promise<readonly DamagedSegment[]>;
  /** null when the segment does not exist. */
  readRepair(input: { projectId: string; segmentId: number }): Promise<SegmentRepair | null>;
  /**
   * In the order of the keys; null for a chunk that no longer exists or has no vector in this set. At most
   * 1,024 keys a call.
   */
  readIndexedChunks(input: {
    projectId: string;
    vectorSet: number;
    keys: readonly ChunkKey[];
  }): Promise<readonly (IndexedChunk | null)[]>;
  /** Counts a failed repair; the next one is not due before `until`. */
  postponeRepair(input: { projectId: string; segmentId: number; until: number }): Promise<void>;
  /** Segments of the project in an older format version, due or not, in ascending order; at most 10,000. */
  listOutdatedSegments(input: { projectId: string }): Promise<readonly number[]>;
  /** Segments in an older format version whose rewrite is due, ordered by due time; without damaged ones. */
  listRewrites(input: { now: number; limit: number }): Promise<readonly OutdatedSegment[]>;
  /** Counts a failed rewrite; the next one is not due before `until`. */
  postponeRewrite(input: { projectId: string; segmentId: number; until: number }): Promise<void>;
  /** Whether a repair or a rewrite is due or `listMergeCandidates` would list anything. */
  nextUpkeep(input: { now: number; minSegments: number }): Promise<{ readyNow: boolean }>;
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

export interface MaintenanceStore {
  /** One cheap round trip, which reads a row. Throws StoreUnavailableError when the database does not answer. */
  ping(): Promise<void>;
  /** Totals over all accounts, for /metrics. */
  readCounts(): Promise<{ projects: number; jobsPending: number; jobsRunning: number; jobsFailed: number }>;
  /**
   * Takes a step of version changes that nobody is working on, deletes rows that are no longer needed (such as those of
   * deleted projects) and returns free pages to the file system; a limited amount per call. Jobs are removed when they ended
   * `jobLifeMs` ago, but for the last one of each document and those whose version is stored; all are kept when it is omitted.
   * True when there is more to do.
   */
  reclaim(input: { now: number; maxPages: number; jobLifeMs?: number }): Promise<boolean>;
}
