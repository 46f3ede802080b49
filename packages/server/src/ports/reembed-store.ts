/**
 * Moves a project to another vector space: stages new vectors and segments that are not visible to questions,
 * then switches to them.
 */
import type { Chunk, ChunkKey } from "../domain/document.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { Reembedding } from "../domain/reembedding.ts";
import type { LeftToOthers } from "../domain/service-process.ts";
import type { SegmentBytes } from "./segment-objects.ts";

/**
 * "begun": a move has started, possibly with what a failed move left; "under_way": a move to this space is
 * already running; "settled": the project is already in this space; "elsewhere": a move to another space is
 * running.
 */
export type StartOutcome = "begun" | "under_way" | "settled" | "elsewhere" | "project_gone";

export type CancelReembedOutcome = "cancelled" | "completed" | "failed" | "none";

/** A project that a worker moves under a lease. */
export interface ClaimedReembedding {
  readonly projectId: string;
  readonly accountId: string;
  readonly to: EmbeddingSpace;
  /** The vector set that the move stages. */
  readonly vectorSet: number;
  /** Tries since chunks were last committed. */
  readonly attempts: number;
  /** When it was first claimed, or last made progress. */
  readonly progressedAt: number;
}

/** A chunk that is not in a staged segment yet. */
export interface UnmovedChunk extends ChunkKey, Pick<Chunk, "header" | "text" | "tokenCount"> {
  readonly contentHash: string;
  readonly sourceDocId: string;
  readonly metadata: Metadata;
  /** The vector in the new space if one was already staged for the same text; else null. */
  readonly vector: Float32Array | null;
}

export interface StagedVector {
  readonly contentHash: string;
  readonly vector: Float32Array;
}

/** Consecutive chunks of one version in a staged segment. */
export interface StagedPlace {
  readonly versionId: number;
  /** Position of the first chunk; all earlier chunks are already staged. */
  readonly from: number;
  readonly count: number;
}

export interface StageBatch {
  readonly projectId: string;
  readonly leaseToken: string;
  readonly now: number;
  readonly leaseUntil: number;
  readonly vectorSet: number;
  /** New vectors. They are kept even if the segment is rejected, since they were paid for. */
  readonly vectors: readonly StagedVector[];
  /** Contains exactly the chunks of `places`. */
  readonly segment: SegmentBytes;
  readonly places: readonly StagedPlace[];
  /** Tokens of the texts in `vectors`; charged in the same transaction. */
  readonly tokens: number;
  /** Per account and `month`; null = no limit. */
  readonly tokenLimit: number | null;
  readonly month: string;
}

/**
 * "changed": the vectors are kept but the segment is not, because a version was deleted or its staged chunks
 * do not end at `from`. "token_limit": everything is kept and charged, but the account had already used up
 * its limit.
 */
export type StageOutcome = "staged" | "changed" | "lease_lost" | "token_limit";

export interface ReembedStore {
  /** Starts a move; at most one runs per project. */
  startReembedding(input: {
    projectId: string;
    accountId: string;
    to: EmbeddingSpace;
    now: number;
  }): Promise<StartOutcome>;
  /** The running move, or the last one; null if there was none. */
  findReembedding(input: { projectId: string }): Promise<Reembedding | null>;
  /** The project stays in its space; the next upkeep deletes what was staged. */
  cancelReembedding(input: { projectId: string; now: number }): Promise<CancelReembedOutcome>;
  /** Leases a due move and marks it running. Picks the account that was served longest ago. */
  claimReembedding(input: {
    leaseToken: string;
    now: number;
    leaseUntil: number;
    /** Moves to its spaces are left to other processes; none when absent or null. */
    left?: LeftToOthers | null;
  }): Promise<ClaimedReembedding | null>;
  /** Whether `claimReembedding` would find a move. */
  nextReembedding(input: { now: number; left?: LeftToOthers | null }): Promise<{ readyNow: boolean }>;
  /** False when the lease no longer holds a move. */
  renewReembedding(input: { leaseToken: string; leaseUntil: number }): Promise<boolean>;
  /** Gives the move back: due at once, without counting an attempt. */
  releaseReembedding(input: { leaseToken: string; now: number }): Promise<void>;
  /**
   * With `retryAt` the move waits until then. Otherwise it has failed, and what it staged is kept for a day.
   */
  failReembedding(input: {
    projectId: string;
    leaseToken: string;
    now: number;
    errorMessage: string;
    retryAt: number | null;
    countAttempt: boolean;
  }): Promise<void>;
  /**
   * Ordered by version and position, starting after `after`; at most 1,024. Empty when the vector set is not
   * being staged.
   */
  listUnmovedChunks(input: {
    projectId: string;
    vectorSet: number;
    /** The chunks of a version count as moved up to the end of its last staged run. */
    after: ChunkKey | null;
    limit: number;
  }): Promise<readonly UnmovedChunk[]>;
  stageBatch(input: StageBatch): Promise<StageOutcome>;
  /**
   * If every chunk of every version is staged, switches in one transaction: lists the staged segments,
   * unlists the others and updates the project. "unfinished": some chunks are not staged.
   */
  switchSpace(input: {
    projectId: string;
    leaseToken: string;
    vectorSet: number;
    now: number;
  }): Promise<"switched" | "unfinished" | "lease_lost">;
}
