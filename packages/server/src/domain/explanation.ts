/** The intermediate results of a query; built only when the client requests them. */
import type { ChunkKey } from "./document.ts";
import type { DatedEvent } from "./event.ts";
import type { Moment } from "./validity.ts";

export interface ExplainedChunk extends ChunkKey {
  readonly sourceDocId: string;
}

export interface ScoredCandidate extends ExplainedChunk {
  readonly score: number;
}

export interface FusedCandidate extends ScoredCandidate {
  /** BM25 as a share of the highest score that the terms allow, 0…1. */
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

export type QueryStep =
  | "embed"
  | "index"
  | "search"
  | "graph"
  | "chunks"
  | "reading"
  | "answerGraph"
  | "summary";

/** How many sentences of a summary by a language model the passages support. */
export interface SummaryCheck {
  readonly sentences: number;
  readonly unsupported: number;
  /** The beginnings of the first unsupported sentences, with what no passage has: a number, a name, or most of the words. */
  readonly leftOut: readonly { readonly text: string; readonly missing: "figure" | "name" | "words" }[];
}

/** Lists are cut at 100, best first. */
export interface Explanation {
  readonly plan: {
    readonly strategy: string;
    readonly terms: readonly string[];
    /** Names in the question that are in the graph; offsets into the question in UTF-16 code units. */
    readonly names: readonly {
      readonly name: string;
      readonly start: number;
      readonly end: number;
      readonly documents: number;
    }[];
    /** Of when relationships are. */
    readonly asOf: Moment | null;
    /** Absent unless the question names one. */
    readonly event?: DatedEvent;
    readonly graph: "none" | "bound" | "grown";
    readonly indexVersion: number;
    readonly segments: number;
    /** Searches of the index: more than one when it changed during the query. */
    readonly attempts: number;
  };
  /** The candidates of each retriever alone. */
  readonly candidates: {
    readonly lexical: readonly ScoredCandidate[];
    readonly dense: readonly ScoredCandidate[];
  };
  readonly fused: readonly FusedCandidate[];
  /** null when the graph did not take part in the ranking. */
  readonly graph: { readonly names: readonly string[]; readonly paths: readonly ExplainedPath[] } | null;
  /** Absent when no reranker took part. The chunks that it read, best first, with its scores. */
  readonly rerank?: {
    readonly model: string;
    readonly limitMs: number;
    readonly tookMs: number;
    readonly scores: readonly ScoredCandidate[];
    /** Why a reranker at a provider gave no scores; the order is then that of the retrieval. */
    readonly error?: string;
  };
  /**
   * Absent unless a time was asked of. The chunks that were ordered by the dates of their documents, best first, with the share of its
   * similarity that each keeps, 0…1.
   */
  readonly dated?: readonly (ExplainedChunk & { readonly date: string | null; readonly share: number })[];
  /** Absent when no model looked for the answer. The passages that it read, best first. */
  readonly answer?: {
    readonly model: string;
    readonly limitMs: number;
    readonly tookMs: number;
    readonly passages: readonly (ExplainedChunk & {
      /** The best span of the passage; null when there is none. Offsets in the document, in UTF-16 code units. */
      readonly span: {
        readonly text: string;
        readonly start: number;
        readonly end: number;
        readonly score: number;
      } | null;
      /** A span that scores less is no answer. */
      readonly noAnswerScore: number;
      /** Whether its span answers best of all passages. */
      readonly isChosen: boolean;
    })[];
  };
  /** Absent when no language model wrote a summary. */
  readonly check?: SummaryCheck;
  readonly ranked: readonly (ScoredCandidate & {
    readonly isReturned: boolean;
    readonly isSummarized: boolean;
  })[];
  /**
   * beyondLimit: ranked below the chunks that were read. beyondDocumentLimit: as many of its document were read as may be
   * returned. missing: the chunk was deleted during the query.
   */
  readonly dropped: readonly (ScoredCandidate & {
    readonly reason: "beyondLimit" | "beyondDocumentLimit" | "missing";
  })[];
  readonly timingsMs: Readonly<Record<QueryStep | "total", number>>;
}
