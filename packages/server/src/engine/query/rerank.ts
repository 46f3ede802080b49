/** Orders the best chunks of a question again, by a model that reads the question and the chunk together. */
import { indexedText } from "../../domain/document.ts";
import type { Explanation } from "../../domain/explanation.ts";
import type { RankedChunk } from "../../domain/query.ts";
import type { Reranker } from "../../ports/reranker.ts";

/** At most this many chunks are read again. */
export const RERANKED_CHUNKS = 50;

export interface Reranking {
  readonly ranked: readonly RankedChunk[];
  readonly explanation: NonNullable<Explanation["rerank"]>;
}

/**
 * Scores chunks from the best on, until the next one would exceed the reranker's time; always the first one. Chunks without
 * a score keep their places behind the others. A chunk takes the similarity of its new place, so that the list stays in the
 * order of its similarities, and their scale, for which the summary was fitted, stays the same.
 */
export async function rerank(
  query: string,
  ranked: readonly RankedChunk[],
  { reranker, now = () => performance.now() }: { readonly reranker: Reranker; readonly now?: () => number },
): Promise<Reranking> {
  const began = now();
  const scored: { readonly chunk: RankedChunk; readonly score: number }[] = [];
  let longestMs = 0;
  for (const chunk of ranked.slice(0, RERANKED_CHUNKS)) {
    const before = now();
    if (scored.length > 0 && before - began + longestMs > reranker.limitMs) break;
    scored.push({
      chunk,
      score: await reranker.score(query, indexedText({ header: chunk.header ?? "", text: chunk.text })),
    });
    longestMs = Math.max(longestMs, now() - before);
  }
  // A stable sort: equal scores keep the order of the retrieval.
  const ordered = scored.toSorted((one, other) => other.score - one.score);
  const chunks = [...ordered.map(({ chunk }) => chunk), ...ranked.slice(scored.length)];
  return {
    ranked: chunks.map((chunk, at) => ({ ...chunk, similarity: ranked[at]?.similarity ?? chunk.similarity })),
    explanation: {
      model: reranker.model,
      limitMs: reranker.limitMs,
      tookMs: Math.round((now() - began) * 100) / 100,
      scores: ordered.map(({ chunk, score }) => {
        const { versionId, position, sourceDocId } = chunk;
        return { versionId, position, sourceDocId, score };
      }),
    },
  };
}
