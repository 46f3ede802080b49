/** Orders the best chunks of a question again, by a model that reads the question and the chunk together. */
import { indexedText } from "../../domain/document.ts";
import type { Explanation } from "../../domain/explanation.ts";
import type { RankedChunk } from "../../domain/query.ts";
import type { Reranker } from "../../ports/reranker.ts";

/** At most this many chunks are read again. */
export const RERANKED_CHUNKS = 50;

type ExplainedReranking = NonNullable<Explanation["rerank"]>;

export interface Reranking {
  readonly ranked: readonly RankedChunk[];
  readonly explanation: ExplainedReranking;
}

export interface ScoredChunk {
  readonly chunk: RankedChunk;
  readonly score: number;
}

/**
 * Scores chunks from the best on, until the next one would exceed the reranker's time; always the first one.
 */
export async function rerank(
  query: string,
  ranked: readonly RankedChunk[],
  { reranker, now = () => performance.now() }: { readonly reranker: Reranker; readonly now?: () => number },
): Promise<Reranking> {
  const began = now();
  const scored: ScoredChunk[] = [];
  let longestMs = 0;
  for (const chunk of ranked.slice(0, RERANKED_CHUNKS)) {
    const before = now();
    if (scored.length > 0 && before - began + longestMs > reranker.limitMs) break;
    scored.push({
      chunk,
      score: await reranker.score(query, rerankedText(chunk)),
    });
    longestMs = Math.max(longestMs, now() - before);
  }
  const tookMs = Math.round((now() - began) * 100) / 100;
  const { ranked: ordered, scores } = orderByScores(ranked, scored);
  const { model, limitMs } = reranker;
  return { ranked: ordered, explanation: { model, limitMs, tookMs, scores } };
}

/** What a reranker reads of a chunk: the same as is indexed. */
export function rerankedText({ header = "", text }: RankedChunk): string {
  return indexedText({ header, text });
}

/**
 * Puts the scored chunks, which are the first ones of `ranked`, in the order of their scores; the others keep their places
 * behind them. A chunk takes the similarity of its new place, so that the list stays in the order of its similarities, and
 * their scale, for which the summary was fitted, stays the same.
 */
export function orderByScores(
  ranked: readonly RankedChunk[],
  scored: readonly ScoredChunk[],
): { readonly ranked: readonly RankedChunk[]; readonly scores: ExplainedReranking["scores"] } {
  // A stable sort: equal scores keep the order of the retrieval.
  const ordered = scored.toSorted((one, other) => other.score - one.score);
  const chunks = [...ordered.map(({ chunk }) => chunk), ...ranked.slice(scored.length)];
  return {
    ranked: chunks.map((chunk, at) => ({ ...chunk, similarity: ranked[at]?.similarity ?? chunk.similarity })),
    scores: ordered.map(({ chunk, score }) => {
      const { versionId, position, sourceDocId } = chunk;
      return { versionId, position, sourceDocId, score };
    }),
  };
}
