/** What moves a project to another vector space: vectors beside the chunks', segments that no question sees yet, and one switch. */
import type { Chunk, ChunkKey } from "../domain/document.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { Reembedding } from "../domain/reembedding.ts";

/**
 * "begun", also where a failed one goes on with what it left; "under_way": to the same space, left as it is; "settled": the project
 * is there; "elsewhere": another one is under way.
 */
export type StartOutcome = "begun" | "under_way" | "settled" | "elsewhere" | "project_gone";

export type CancelReembedOutcome = "cancelled" | "completed" | "failed" | "none";

/** A project that a worker moves under a lease. */
export interface ClaimedReembedding {
  readonly projectId: string;
  readonly accountId: string;
  readonly to: EmbeddingSpace;
  /** The number of the vectors that it stages. */
  readonly vectorSet: number;
  /** Tries since chunks were last committed. */
  readonly attempts: number;
  /** When it was first claimed, or last got on. */
  readonly progressedAt: number;
}

/** A chunk that has no place in a staged segment yet. */
export interface UnmovedChunk extends ChunkKey, Pick<Chunk, "header" | "text" | "tokenCount"> {
  readonly contentHash: string;
  readonly sourceDocId: string;
  readonly metadata: Metadata;
  /** Of the new space, where one was staged for the same text; else null. */
  readonly vector: Float32Array | null;
}

export interface StagedVector {
  readonly contentHash: string;
  readonly vector: Float32Array;
}

/** A run of chunks of one version in a staged segment. */
export interface StagedPlace {
  readonly versionId: number;
  /** The position of the first; all before it are staged already. */
  readonly from: number;
  readonly count: number;
}

export interface StageBatch {
  readonly projectId: string;
  readonly leaseToken: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly vectorSet: number;
  /** New ones; kept whether the segment fits or not, since they are paid for. */
  readonly vectors: readonly StagedVector[];
  /** Holds exactly the chunks of `places`. */
  readonly segment: Uint8Array;
  readonly places: readonly StagedPlace[];
  /** Of the texts in `vectors`, charged in the same transaction. */
  readonly tokens: number;
  /** Per account and `month`; null = no limit. */
  readonly tokenLimit: number | null;
  readonly month: string;
}

/**
 * "changed": the vectors are kept, the segment is not: a version has gone, or its chunks do not go on there. "token_limit": all is
 * kept and charged, but the limit had been used up before.
 */
export type StageOutcome = "staged" | "changed" | "lease_lost" | "token_limit";

export interface ReembedStore {
  /** One at a time for each project. */
  startReembedding(input: {
    projectId: string;
    accountId: string;
    to: EmbeddingSpace;
    now: number;
  }): Promise<StartOutcome>;
  /** The one under way, or the last one; null where there was none. */
  findReembedding(input: { projectId: string }): Promise<Reembedding | null>;
  /** What was staged goes with the next upkeep; the project stays in its space. */
  cancelReembedding(input: { projectId: string; now: number }): Promise<CancelReembedOutcome>;
  /** A due one under a lease, marked running; of the account that was served longest ago. */
  claimReembedding(input: {
    leaseToken: string;
    now: number;
    leaseUntil: number;
  }): Promise<ClaimedReembedding | null>;
  /** Whether a claim would find one. */
  nextReembedding(input: { now: number }): Promise<{ readyNow: boolean }>;
  /** False when nothing is held under the lease any more. */
  renewReembedding(input: { leaseToken: string; leaseUntil: number }): Promise<boolean>;
  /** Gives it back, due at once and without counting an attempt. */
  releaseReembedding(input: { leaseToken: string; now: number }): Promise<void>;
  /** With `retryAt` it waits until then; without, it has failed, and what it staged is kept for a day. */
  failReembedding(input: {
    projectId: string;
    leaseToken: string;
    now: number;
    errorMessage: string;
    retryAt: number | null;
    countAttempt: boolean;
  }): Promise<void>;
  /** By version and position, from behind `after` on; at most 1,024. None where the set is not being staged. */
  listUnmovedChunks(input: {
    projectId: string;
    vectorSet: number;
    /** A version is looked at as a whole: positions before where its staged chunks end are not unmoved. */
    after: ChunkKey | null;
    limit: number;
  }): Promise<readonly UnmovedChunk[]>;
  stageBatch(input: StageBatch): Promise<StageOutcome>;
  /**
   * Where every chunk of every version has its place among the staged: one transaction that lists the staged segments, unlists the
   * others and changes the project's record. "unfinished": some have none.
   */
  switchSpace(input: {
    projectId: string;
    leaseToken: string;
    vectorSet: number;
    now: number;
  }): Promise<"switched" | "unfinished" | "lease_lost">;
}
