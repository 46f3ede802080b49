/** Storage of the index: visible segments, their chunks, merges and repairs. */
import type { Chunk, ChunkKey, VersionId } from "../domain/document.ts";
import type { EmbeddingSpace } from "../domain/embedding-space.ts";
import type { FilePlace } from "../domain/file.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { SegmentBytes } from "./segment-objects.ts";

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
  readonly place?: FilePlace;
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

/** The beginning of a document. */
export interface DocumentHead {
  /** Of the first chunk. */
  readonly text: string;
  readonly metadata: Metadata;
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
  /** The page of each offset in the text of a version of a file; null where there is none. */
  readPagesAt(input: {
    projectId: string;
    places: readonly { readonly versionId: VersionId; readonly offset: number }[];
  }): Promise<readonly (number | null)[]>;
  /**
   * What may tell the dates of documents, in the order of the versions; null for one without a chunk. At most 1,024
   * versions a call.
   */
  readHeads(input: {
    projectId: string;
    versionIds: readonly VersionId[];
  }): Promise<readonly (DocumentHead | null)[]>;
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
    bytes: SegmentBytes | null;
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
