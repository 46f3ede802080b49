import type { Chunk, ChunkKey, EmbeddedChunk, VersionId } from "../domain/document.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type { ClaimedJob } from "../domain/job.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { IngestionStore, OntologyStore, ProjectStore } from "./content-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { JobControlStore, OnceStore, ProgressStore, WebhookStore } from "./event-store.ts";
import type { GraphBrowser } from "./graph-browser.ts";
import type { ChunkGraph, GraphStore } from "./graph-store.ts";
import type { ModelStore } from "./model-store.ts";
import type { ProjectNumbersStore } from "./project-numbers.ts";
import type { ReembedStore } from "./reembed-store.ts";
import type { UsageStore } from "./usage-store.ts";

export type {
  AcceptDocuments,
  AcceptOutcome,
  EncodedText,
  IngestionStore,
  ListedProject,
  NewDocument,
  OntologyStore,
  Page,
  ProjectStore,
  RateLeft,
} from "./content-store.ts";

/**
 * Everything the service keeps. Each method is one transaction and takes and returns plain data
 * (structured-cloneable), so that it can run in another thread. Times are epoch milliseconds.
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
    GraphStore,
    ProgressStore,
    JobControlStore,
    WebhookStore,
    OnceStore,
    ModelStore,
    GraphBrowser,
    AccountStore,
    MaintenanceStore {
  close(): Promise<void>;
}

/**
 * The database cannot do its work now; nothing was changed. "busy": another transaction held the project's
 * or account's row for too long, while the database itself is well.
 */
export class StoreUnavailableError extends Error {
  readonly reason: "disk_full" | "read_only" | "connection_lost" | "io_error" | "busy";

  constructor(reason: StoreUnavailableError["reason"], message: string, cause: unknown) {
    super(message, { cause });
    this.name = "StoreUnavailableError";
    this.reason = reason;
  }
}

export interface ClaimJobs {
  readonly leaseToken: string;
  readonly now: number;
  readonly leaseUntil: number;
  /** At most so many jobs, all of one project, and no more text than this unless the first alone is longer. */
  readonly maxJobs: number;
  readonly maxTextBytes: number;
}

export interface CommittedPart {
  readonly jobId: string;
  readonly versionId: VersionId;
  readonly chunks: readonly EmbeddedChunk[];
  /** Of some or all of `chunks`; left out where the project keeps no graph. */
  readonly graph?: readonly ChunkGraph[];
  /** Tokens that were really embedded for these chunks; charged in the same transaction. */
  readonly tokens: number;
  /** How many chunks the document will have, as is thought now; left out where it is not known better than before. */
  readonly chunksTotal?: number;
  /** True when the text has no more chunks: the job completes and the version becomes the document. */
  readonly finished: boolean;
}

export interface CommitBatch {
  readonly projectId: string;
  readonly leaseToken: string;
  readonly now: number;
  readonly leaseUntil: number;
  /** Of the chunks' vectors. */
  readonly space: EmbeddingSpace;
  /** Index segment that holds exactly the chunks of all parts; null when they have none. */
  readonly segment: Uint8Array | null;
  readonly parts: readonly CommittedPart[];
  /** Tokens per account and `month`; null = no limit. The batch that passes it is still charged in full. */
  readonly tokenLimit: number | null;
  readonly month: string;
}

/**
 * "lease_lost": the project, a job or the lease is gone, or the project's vectors are of another space by now; nothing was
 * written. "token_limit": the batch has
 * tokens to charge and the account had used up its limit before it; nothing was written, and the jobs have failed.
 */
export type CommitOutcome = "committed" | "lease_lost" | "token_limit";

export interface JobQueue {
  /**
   * Takes ready jobs (pending, or running with a lapsed lease) under a lease and marks them running.
   * Fair between accounts (the one served longest ago goes first), in order within one document.
   * A job whose text and metadata equal those of the complete live version of its document is completed here,
   * with that version's chunk count, and not returned; a failed version with the same is resumed; other
   * unfinished versions of the document that no job needs are removed. A job tried twice or more without
   * a batch committed is taken alone: it may be what ends its worker.
   */
  claimJobs(input: ClaimJobs): Promise<readonly ClaimedJob[]>;
  /**
   * One transaction: locks the project row, checks lease and versions, writes chunks, segment, counts
   * and charge, raises the index version, and switches each finished version in. A document's first
   * version is visible from its first batch; a replacing one only when it is finished. A job that got on
   * has its attempts counted from zero again.
   */
  commitBatch(input: CommitBatch): Promise<CommitOutcome>;
  /**
   * With `retryAt` the jobs wait until then and count an attempt, unless `countAttempt` is false (an outage
   * is not their fault); without, they fail with the message and keep their counts.
   */
  failJobs(input: {
    jobIds: readonly string[];
    projectId: string;
    leaseToken: string;
    now: number;
    errorMessage: string;
    retryAt: number | null;
    /** True when left out. */
    countAttempt?: boolean;
  }): Promise<void>;
  /** Gives the jobs back, ready at once and without counting an attempt. */
  releaseJobs(input: { leaseToken: string }): Promise<void>;
  /** The ids of the jobs that are still held under the lease: the others are done, cancelled, deleted, or somebody else's. */
  renewLease(input: { leaseToken: string; leaseUntil: number }): Promise<readonly string[]>;
  /** For a start that knows it is alone: makes all leases lapse. Returns how many jobs had one. */
  expireAllLeases(): Promise<number>;
  /** Whether a claim would find a job. */
  nextWork(input: { now: number }): Promise<{ readyNow: boolean }>;
}

export interface IndexState {
  /** Raised by every change of the project's index. */
  readonly indexVersion: number;
  /** Whether a graph is kept beside the chunks, and whether its types are those of an ontology or come from the data. */
  readonly graph: "none" | "bound" | "grown";
  /** Of all vectors in the project's segments. */
  readonly space: EmbeddingSpace;
  /** The number of those: another one after each move to another space. */
  readonly vectorSet: number;
  readonly segments: readonly SegmentState[];
}

export interface SegmentState {
  readonly segmentId: number;
  readonly byteLength: number;
  readonly chunkCount: number;
  /** How many of its chunks belong to the versions in `dead`. */
  readonly deadChunkCount: number;
  /** Marked for repair: it must not be searched. */
  readonly isDamaged: boolean;
  /** Versions in this segment that must not be seen: dead ones, and staged ones not switched in yet. */
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
  /** Tries to build it again that have failed. */
  readonly failures: number;
}

/** What is needed to build a segment again from chunks, as of one moment. */
export interface SegmentRepair {
  /** The number of its vectors. */
  readonly vectorSet: number;
  /** Chunks that it has to hold. */
  readonly liveChunkCount: number;
  /** Its versions that are not dead, by version id. */
  readonly documents: readonly RepairDocument[];
  /** Its versions that are dead. */
  readonly dead: readonly VersionId[];
  /** The other segments that hold any of `documents`, by segment id. */
  readonly beside: readonly SegmentBeside[];
}

export interface RepairDocument {
  readonly versionId: VersionId;
  readonly sourceDocId: string;
  readonly metadata: Metadata;
  /** How many of its chunks are in the segment, and how many there are in all segments: positions 0 and up. */
  readonly chunkCount: number;
  readonly versionChunkCount: number;
}

export interface SegmentBeside {
  readonly segmentId: number;
  readonly chunkCount: number;
  readonly isDamaged: boolean;
}

/** What the index is made of, for one chunk. */
export interface IndexedChunk extends Pick<Chunk, "position" | "text" | "header"> {
  readonly versionId: VersionId;
  readonly vector: Float32Array;
}

export interface IndexStore {
  /**
   * Ordered by segment id. null when the project does not exist, or is not of the account where one is given. With `vectorSet`
   * the segments are those of a space that the project is on its way to.
   */
  readIndexState(input: {
    projectId: string;
    accountId?: string;
    vectorSet?: number;
  }): Promise<IndexState | null>;
  readSegment(input: { projectId: string; segmentId: number }): Promise<Uint8Array | null>;
  /** In the order of the keys; null where a chunk is gone, and everywhere when the project has other vectors by now. At most 1,024 keys a call. */
  readVectors(input: {
    projectId: string;
    /** As the state of the index says it. */
    vectorSet: number;
    keys: readonly ChunkKey[];
  }): Promise<readonly (Float32Array | null)[]>;
  /** Likewise. */
  readChunks(input: {
    projectId: string;
    keys: readonly ChunkKey[];
  }): Promise<readonly (StoredChunk | null)[]>;
  /** Vectors of the version's chunks whose content hash is among `hashes`; none when the project's are of another space. At most 1,000 hashes a call. */
  findVectorsByHash(input: {
    projectId: string;
    versionId: VersionId;
    space: EmbeddingSpace;
    hashes: readonly string[];
  }): Promise<ReadonlyMap<string, Float32Array>>;
  /**
   * Projects whose segments may be worth merging: more dead than live chunks in one of them, or more than
   * `minSegments` of them; not those unchanged since `markMergeChecked`. Each kind has half of the places,
   * and what the other leaves; those merged or checked longest ago come first, so that none is passed over for good.
   */
  listMergeCandidates(input: { minSegments: number; limit: number }): Promise<readonly string[]>;
  /** Records that the index at this version needs no merge (or cannot be merged): not listed until it changes. */
  markMergeChecked(input: { projectId: string; indexVersion: number }): Promise<void>;
  /**
   * Replaces segments by their merge (`bytes`, null when nothing is left), dropping the versions in
   * `droppedVersions`. False, and nothing is written, when a segment is gone already. Versions that died or
   * were switched in meanwhile keep their present state in the merged segment. `beside`: other segments that
   * have to be there still, since what is in them decided what is in `bytes`.
   */
  replaceSegments(input: {
    projectId: string;
    segmentIds: readonly number[];
    bytes: Uint8Array | null;
    chunkCount: number;
    droppedVersions: readonly VersionId[];
    beside?: readonly number[];
  }): Promise<boolean>;
  /** Marks a segment for repair. False when it is gone or marked already. */
  reportDamagedSegment(input: { projectId: string; segmentId: number }): Promise<boolean>;
  /** Marked segments of the project, ascending, whether their repair is due or not; at most 10,000. */
  listDamagedSegments(input: { projectId: string }): Promise<readonly number[]>;
  /** Marked segments whose repair is due; those that are due longest first. */
  listRepairs(input: { now: number; limit: number }): Promise<readonly DamagedSegment[]>;
  /** null when the segment is gone. */
  readRepair(input: { projectId: string; segmentId: number }): Promise<SegmentRepair | null>;
  /** In the order of the keys; null where a chunk is gone, or has no such vector. At most 1,024 keys a call. */
  readIndexedChunks(input: {
    projectId: string;
    vectorSet: number;
    keys: readonly ChunkKey[];
  }): Promise<readonly (IndexedChunk | null)[]>;
  /** A repair has failed: counts that, and none is due before `until`. */
  postponeRepair(input: { projectId: string; segmentId: number; until: number }): Promise<void>;
  /** Whether a repair is due or `listMergeCandidates` would list anything. */
  nextUpkeep(input: { now: number; minSegments: number }): Promise<{ readyNow: boolean }>;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  readonly enabled: boolean;
  readonly expiresAt: number | null;
}

export interface AccountStore {
  /** By the hash under which the key is stored. */
  findApiKey(input: { keyHash: string }): Promise<ApiKeyRecord | null>;
  /** Records when keys were last used; a batch, not once per request. */
  touchApiKeys(input: { uses: readonly { readonly keyId: string; readonly at: number }[] }): Promise<void>;
  /** The service's own small settings: owner account id, generated secrets' markers, and the like. */
  readSetting(input: { name: string }): Promise<string | null>;
  /** Sets a value; with `onlyIfAbsent` an existing one stays. Returns the value that holds now. */
  writeSetting(input: { name: string; value: string; onlyIfAbsent: boolean }): Promise<string>;
}

export interface MaintenanceStore {
  /** One cheap round trip; throws StoreUnavailableError when the database does not answer. */
  ping(): Promise<void>;
  /** Numbers for /metrics, without labels. */
  readCounts(): Promise<{ projects: number; jobsPending: number; jobsRunning: number; jobsFailed: number }>;
  /** Removes rows that nothing needs any more (old rate-limit rows) and gives free pages back to the file system, a bounded amount a call. True when there is more to do. */
  reclaim(input: { now: number; maxPages: number }): Promise<boolean>;
}
