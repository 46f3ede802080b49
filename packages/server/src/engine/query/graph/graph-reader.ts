/**
 * The inputs of the graph ranking: passages about names, passage records, and scores of the hybrid search.
 */
import type { ChunkKey } from "../../../domain/document.ts";
import type { PassageKnowledge } from "../../../domain/graph.ts";
import type { PassagesAbout } from "../../../ports/graph-store.ts";

/** Reads live documents only. The order of every list is deterministic. */
export interface GraphReader {
  /** By exact normal form. No entry for a name that no passage is about. At most 500 names per call. */
  findAbout(names: readonly string[], maxPerName: number): Promise<ReadonlyMap<string, PassagesAbout>>;
  /** Names that passages are about, by their first and last word (`endsOf`). At most 500 ends per call. */
  findByEnds(ends: readonly string[], maxPerEnd: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /** In the order of the keys; null for a chunk without a record. */
  readPassages(keys: readonly ChunkKey[]): Promise<readonly (PassageKnowledge | null)[]>;
}

export interface ScoredChunk extends ChunkKey {
  readonly sourceDocId: string;
  /** BM25 as a share of the highest score that the terms allow, 0…1. */
  readonly lexical: number;
  /** Cosine, −1…1. */
  readonly dense: number;
  /** The fused score, 0…1. */
  readonly score: number;
}

/** Scores of the hybrid search, which does not use the graph. */
export interface HybridScores {
  /** The hybrid search's list: best first, 100 and, where few of a document may be returned, 100 more of other documents. */
  readonly best: readonly ScoredChunk[];
  /** In the order of the keys; null for a chunk that is not visible or that the filter excludes. */
  scoresOf(keys: readonly ChunkKey[]): Promise<readonly (ScoredChunk | null)[]>;
}

/** The key as a string, for maps and sets. */
export function idOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}

/**
 * Best hybrid score first; ties by document id and position, so that the order of ingestion has no influence.
 */
export function compareScored(one: ScoredChunk, other: ScoredChunk): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.sourceDocId !== other.sourceDocId) return one.sourceDocId < other.sourceDocId ? -1 : 1;
  return one.position - other.position || one.versionId - other.versionId;
}
