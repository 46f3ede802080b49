/** Hybrid search over the segments of one project. */
import type { ChunkKey } from "../../domain/document.ts";
import { cosine, nearestChunks } from "./dense.ts";
import { fuseScores } from "./fusion.ts";
import { scoreLexically } from "./lexical.ts";
import {
  type ChunkIdentity,
  compareIdentities,
  type VisibleSegment,
  visibleChunksOf,
} from "./visible-chunks.ts";

export type { VisibleSegment } from "./visible-chunks.ts";

/** A chunk that one of the retrievers found. */
export interface Candidate extends ChunkKey {
  readonly sourceDocId: string;
  /** BM25; 0 if no term of the question occurs in the chunk. */
  readonly lexical: number;
  /** The cosine of the f32 vectors, −1…1. */
  readonly dense: number;
  /** What the list is ordered by, 0…1, relative to the other candidates: see {@link fuseScores}. */
  readonly score: number;
}

/**
 * Reads stored f32 vectors: one entry for each key, in their order; null if the chunk is gone meanwhile. Up to
 * twice the retrieval depth in one call.
 */
export type VectorReader = (keys: readonly ChunkKey[]) => Promise<readonly (Float32Array | null)[]>;

export interface IndexSearch {
  /** In any order; no chunk visible in two of them. */
  readonly segments: readonly VisibleSegment[];
  /** The question's terms, from `indexTerms`; empty if it has none: then the dense retriever answers alone. */
  readonly terms: readonly string[];
  readonly vector: Float32Array;
  readonly limit: number;
  readonly readVectors: VectorReader;
}

/** How many candidates each retriever contributes, or `limit` if that is more. */
const RETRIEVAL_DEPTH = 100;

/**
 * The best `limit` chunks, best first; equal scores by cosine, then sourceDocId (code units), position, versionId.
 *
 * Candidates are the top 100 by BM25 and the top 100 by int8 dot product, over all segments together; each gets its
 * exact BM25 score and its exact cosine, whichever retriever found it. The same visible chunks give the
 * same list and the same bits of every score, however they are spread over segments and whatever is hidden beside
 * them; and a list for a `limit` up to 100 begins every longer one up to 100.
 *
 * Segments are only used before the first `await`. Throws a RangeError if the vector does not fit the index or is
 * not finite, a DamagedSegmentError if postings cannot be read, and whatever `readVectors` throws.
 */
export async function searchIndex(search: IndexSearch): Promise<readonly Candidate[]> {
  const { terms, vector, limit } = search;
  const chunks = visibleChunksOf(search.segments);
  if (chunks.chunkCount === 0 || limit <= 0) return [];
  const depth = Math.max(RETRIEVAL_DEPTH, limit);
  const lexical = scoreLexically(chunks, terms, depth);
  const nearest = nearestChunks(chunks, vector, depth);
  const found = [...new Set([...lexical.top, ...nearest])].map((number) => ({
    ...chunks.identityOf(number),
    lexical: lexical.scores[number] ?? 0,
  }));
  return rank(await withCosines(found, search), limit);
}

type LexicallyScored = ChunkIdentity & Pick<Candidate, "lexical">;

async function withCosines(
  found: readonly LexicallyScored[],
  { vector, readVectors }: IndexSearch,
): Promise<Omit<Candidate, "score">[]> {
  const vectors = await readVectors(found.map(({ versionId, position }) => ({ versionId, position })));
  return found.flatMap((candidate, index) => {
    const stored = vectors[index] ?? null;
    return stored === null ? [] : [{ ...candidate, dense: cosine(vector, stored) }];
  });
}

function rank(candidates: readonly Omit<Candidate, "score">[], limit: number): Candidate[] {
  const scores = fuseScores(candidates);
  return candidates
    .map((candidate, index) => ({ ...candidate, score: scores[index] ?? 0 }))
    .sort((one, other) => other.score - one.score || other.dense - one.dense || compareIdentities(one, other))
    .slice(0, limit);
}
