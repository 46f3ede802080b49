import type { RerankRequest } from "./request.ts";

/** The share of the question's words that a text has: whatever orders texts otherwise. */
export function relevanceOf(query: string, text: string): number {
  const words = (of: string) => new Set(of.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const own = words(text);
  const asked = [...words(query)];
  return asked.filter((word) => own.has(word)).length / Math.max(1, asked.length);
}

/** The answer of `/rerank`, best first, at most `top_n`. */
export function presentRerank({ query, passages, topN, model, index }: RerankRequest): unknown {
  const results = passages
    .map((text, at) => ({ index: at, relevance_score: relevanceOf(query, text) }))
    .toSorted((one, other) => other.relevance_score - one.relevance_score)
    .slice(0, topN ?? passages.length);
  const tokens = passages.reduce((sum, text) => sum + Math.ceil((query.length + text.length) / 4), 0);
  return { id: `rerank-${index}`, model, results, usage: { total_tokens: tokens } };
}
