/** BM25 over the visible chunks of all segments. */
import type { SearchKernels } from "./kernels/search-kernels.ts";
import type { Segment, SegmentTerm } from "./segment.ts";
import type { Visibility } from "./visible-chunks.ts";

/** Both values are lower than usual, because chunks are short and of similar length (docs/decisions/0004). */
export const BM25 = { k1: 0.6, b: 0.4 } as const;

/** Distinct terms beyond this limit are ignored: the first ones state what the question is about. */
const MAX_QUERY_TERMS = 1024;

/** The weights of a question's terms, computed over the visible chunks of all segments. */
export interface WeightedTerms {
  /** The terms that occur in visible chunks of a segment, in the order of their code units. */
  ofSegment(segmentPlace: number): readonly { readonly term: SegmentTerm; readonly weight: number }[];
  readonly saturation: { readonly base: number; readonly perToken: number };
  /**
   * The sum of the weights of all terms, including those that occur in no chunk: an upper bound that no
   * chunk's score reaches. 0 without terms.
   */
  readonly ceiling: number;
  /** The number of visible chunks in all segments. */
  readonly chunkCount: number;
}

export interface TermStatistics {
  /** Must be called once per segment. */
  add(segment: Segment, segmentPlace: number, visibility: Visibility): void;
  weigh(): WeightedTerms;
}

interface QueryTerm {
  readonly utf8: Uint8Array;
  /** How often the term occurs in the question. */
  readonly frequency: number;
  readonly occurrences: { readonly segmentPlace: number; readonly term: SegmentTerm }[];
  chunkCount: number;
}

/**
 * Score = Σ over terms of qtf · idf^1.5 · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length/average)), idf =
 * ln(1 + (N − df + ½)/(df + ½)). qtf is the number of times that the term occurs in the question, so a
 * repeated term counts twice (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). The
 * logarithm is that of Lucene, so that no term has a negative weight; the exponent lets one rare word
 * outweigh several common ones (docs/decisions/0004). N, df and the average length count visible chunks only,
 * including those that a filter excludes. Terms are added in order of code units, so that a score is
 * bit-identical however chunks are distributed over segments.
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
        queryTerm.occurrences.push({ segmentPlace, term });
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
  for (const { chunkCount: df, frequency, occurrences } of terms) {
    const idf = Math.log(1 + (chunkCount - df + 0.5) / (df + 0.5));
    const weight = frequency * idf * Math.sqrt(idf) * (k1 + 1);
    ceiling += weight;
    for (const { segmentPlace, term } of occurrences) {
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
    .map(([term, frequency]) => ({ utf8: encoder.encode(term), frequency, occurrences: [], chunkCount: 0 }));
}
