/** BM25 over the visible chunks of all segments. */
import type { SearchKernels } from "./kernels/search-kernels.ts";
import type { Segment, SegmentTerm } from "./segment.ts";
import type { Visibility } from "./visible-chunks.ts";

/** Less for repetition and length than usual: chunks are short and alike in length (docs/decisions/0004). */
export const BM25 = { k1: 0.6, b: 0.4 } as const;

/** Further distinct terms of a question are ignored: its first ones say what it is about. */
const MAX_QUERY_TERMS = 1024;

/** What the terms of a question weigh over the visible chunks of all segments. */
export interface WeightedTerms {
  /** Terms that occur in visible chunks, by segment, in the order of their code units. */
  ofSegment(segmentPlace: number): readonly { readonly term: SegmentTerm; readonly weight: number }[];
  readonly saturation: { readonly base: number; readonly perToken: number };
  /** Σ of the weights of all terms, also those that are nowhere: more than any chunk can score; 0 without terms. */
  readonly ceiling: number;
  /** Visible chunks of all segments. */
  readonly chunkCount: number;
}

export interface TermStatistics {
  /** Each segment once. */
  add(segment: Segment, segmentPlace: number, visibility: Visibility): void;
  weigh(): WeightedTerms;
}

interface QueryTerm {
  readonly utf8: Uint8Array;
  /** How often the question has it. */
  readonly frequency: number;
  readonly found: { readonly segmentPlace: number; readonly term: SegmentTerm }[];
  chunkCount: number;
}

/**
 * Score = Σ over terms of qtf · idf^1.5 · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length/average)), idf = ln(1 + (N − df +
 * ½)/(df + ½)), with qtf the times that a term stands in the question: a term said twice counts twice (Robertson and
 * Zaragoza, "The Probabilistic Relevance Framework", 2009; the logarithm as in Lucene, so that no term counts negatively;
 * the exponent so that a rare word says more than several common ones: docs/decisions/0004). N, df and
 * the average length count visible chunks only, those that a filter excludes too. Terms are added in order of code
 * units, so that a score does not depend, to the last bit, on how chunks are spread over segments.
 */
export function createTermStatistics(terms: readonly string[], kernels: SearchKernels): TermStatistics {
  const queryTerms = queryTermsOf(terms);
  let chunkCount = 0;
  let tokenCount = 0;
  return {
    add(segment, segmentPlace, visibility) {
      chunkCount += visibility.chunkCount;
      tokenCount += visibility.tokenCount;
      for (const queryTerm of queryTerms) {
        const term = segment.findTermBytes(queryTerm.utf8);
        if (term === null) continue;
        const { visible } = visibility;
        const count = visible === null ? term.chunkCount : kernels.countVisible(segment, term, visible);
        if (count === 0) continue;
        queryTerm.found.push({ segmentPlace, term });
        queryTerm.chunkCount += count;
      }
    },
    weigh: () => weighTerms(queryTerms, { chunkCount, tokenCount }),
  };
}

function weighTerms(
  terms: readonly QueryTerm[],
  { chunkCount, tokenCount }: { readonly chunkCount: number; readonly tokenCount: number },
): WeightedTerms {
  const { k1, b } = BM25;
  const bySegment = new Map<number, { term: SegmentTerm; weight: number }[]>();
  let ceiling = 0;
  for (const { chunkCount: df, frequency, found } of terms) {
    const idf = Math.log(1 + (chunkCount - df + 0.5) / (df + 0.5));
    const weight = frequency * idf * Math.sqrt(idf) * (k1 + 1);
    ceiling += weight;
    for (const { segmentPlace, term } of found) {
      const list = bySegment.get(segmentPlace) ?? [];
      list.push({ term, weight });
      bySegment.set(segmentPlace, list);
    }
  }
  return {
    ofSegment: (segmentPlace) => bySegment.get(segmentPlace) ?? [],
    saturation: { base: k1 * (1 - b), perToken: tokenCount === 0 ? 0 : (k1 * b * chunkCount) / tokenCount },
    ceiling,
    chunkCount,
  };
}

function queryTermsOf(terms: readonly string[]): readonly QueryTerm[] {
  const frequencies = new Map<string, number>();
  for (const term of terms) {
    const known = frequencies.get(term);
    if (known !== undefined || frequencies.size < MAX_QUERY_TERMS) frequencies.set(term, (known ?? 0) + 1);
  }
  const encoder = new TextEncoder();
  return [...frequencies]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([term, frequency]) => ({ utf8: encoder.encode(term), frequency, found: [], chunkCount: 0 }));
}
