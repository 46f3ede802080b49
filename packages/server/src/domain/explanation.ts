/** The value at every arrow of a question's way; only put together for those who ask for it. */
import type { ChunkKey } from "./document.ts";

export interface ExplainedChunk extends ChunkKey {
  readonly sourceDocId: string;
}

export interface ScoredCandidate extends ExplainedChunk {
  readonly score: number;
}

export interface FusedCandidate extends ScoredCandidate {
  /** BM25 as a share of what the terms could give at most, 0…1. */
  readonly lexical: number;
  /** Cosine, −1…1. */
  readonly dense: number;
}

export interface ExplainedPath {
  readonly from: ChunkKey;
  readonly name: string;
  readonly to: ChunkKey;
  readonly score: number;
}

export type QueryStep = "embed" | "index" | "search" | "graph" | "chunks" | "answerGraph" | "summary";

/** Lists are cut at 100, best first. */
export interface Explanation {
  readonly plan: {
    readonly strategy: string;
    readonly terms: readonly string[];
    /** Names of the question that the graph knows; offsets into it in UTF-16 code units. */
    readonly names: readonly {
      readonly name: string;
      readonly start: number;
      readonly end: number;
      readonly documents: number;
    }[];
    readonly graph: "none" | "bound" | "grown";
    readonly indexVersion: number;
    readonly segments: number;
    /** How often the index was looked at: more than once where it changed meanwhile. */
    readonly looks: number;
  };
  /** Each retriever alone. */
  readonly candidates: {
    readonly lexical: readonly ScoredCandidate[];
    readonly dense: readonly ScoredCandidate[];
  };
  readonly fused: readonly FusedCandidate[];
  /** null where the graph had no word. */
  readonly graph: { readonly names: readonly string[]; readonly paths: readonly ExplainedPath[] } | null;
  readonly ranked: readonly (ScoredCandidate & {
    readonly isReturned: boolean;
    readonly isSummarized: boolean;
  })[];
  /** behind: there was no room for it. gone: its chunk could not be read any more. */
  readonly dropped: readonly (ScoredCandidate & { readonly reason: "behind" | "gone" })[];
  readonly timingsMs: Readonly<Record<QueryStep | "total", number>>;
}
