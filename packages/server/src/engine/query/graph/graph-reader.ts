/** What ranking over the graph reads: passages about names, records of passages, and scores of the plain hybrid search. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { PassageKnowledge } from "../../../domain/graph.ts";
import type { PassagesAbout } from "../../../ports/graph-store.ts";

/** Live documents only. Every list is in a fixed order. */
export interface GraphReader {
  /** By normal form, exactly; names that no passage is about are not in the map. At most 500 names a call. */
  findAbout(names: readonly string[], maxPerName: number): Promise<ReadonlyMap<string, PassagesAbout>>;
  /** Names that some passage is about, by their first and last word (`endsOf`). At most 500 ends a call. */
  findByEnds(ends: readonly string[], maxPerEnd: number): Promise<ReadonlyMap<string, readonly string[]>>;
  /** In the order of the keys; null where nothing is kept. */
  readPassages(keys: readonly ChunkKey[]): Promise<readonly (PassageKnowledge | null)[]>;
}

export interface ScoredChunk extends ChunkKey {
  readonly sourceDocId: string;
  /** BM25 as a part of its ceiling, 0…1. */
  readonly lexical: number;
  /** Cosine, −1…1. */
  readonly dense: number;
  /** Fused, 0…1. */
  readonly score: number;
}

/** Scores of the plain hybrid search. */
export interface HybridScores {
  /** Best first, at most 100: the plain hybrid list. */
  readonly best: readonly ScoredChunk[];
  /** In the order of the keys; null for what is not visible or what the filter excludes. */
  scoresOf(keys: readonly ChunkKey[]): Promise<readonly (ScoredChunk | null)[]>;
}

/** One string for a key, to look it up by. */
export function idOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}

/** Best first, by the score of the plain hybrid search; of equals by document and place: never by what was ingested first. */
export function compareScored(one: ScoredChunk, other: ScoredChunk): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.sourceDocId !== other.sourceDocId) return one.sourceDocId < other.sourceDocId ? -1 : 1;
  return one.position - other.position || one.versionId - other.versionId;
}
