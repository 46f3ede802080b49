/** BM25 over the visible chunks of all segments. */
import type { PostingBuffer } from "./postings.ts";
import type { SegmentTerm } from "./segment.ts";
import { createTopList } from "./top-list.ts";
import type { SegmentView, VisibleChunks } from "./visible-chunks.ts";

export const BM25 = { k1: 1.2, b: 0.75 } as const;

/** Further distinct terms of a question are ignored: its first ones say what it is about. */
const MAX_QUERY_TERMS = 1024;

export interface LexicalResult {
  /** By chunk number; 0 where no term occurs, above 0 where one does. */
  readonly scores: Float64Array;
  /** Chunk numbers, best first; only chunks with a score above 0. */
  readonly top: readonly number[];
}

/**
 * Scores = Σ over terms of qtf · ln(1 + (N − df + ½)/(df + ½)) · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length/average)),
 * with qtf the times that a term stands in the question: a term said twice counts twice (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework", 2009; the logarithm as in Lucene, so that no term counts negatively). N, df and
 * the average length count visible chunks only. Terms are added in order of code units, so that a score does
 * not depend, to the last bit, on how chunks are spread over segments.
 */
export function scoreLexically(
  chunks: VisibleChunks,
  terms: readonly string[],
  limit: number,
): LexicalResult {
  const scores = new Float64Array(chunks.numberCount);
  const frequencies = [...queryFrequencies(terms)].sort(([one], [other]) => (one < other ? -1 : 1));
  const averageLength = chunks.tokenCount / chunks.chunkCount;
  for (const [term, queryFrequency] of frequencies) {
    const { slices, buffer, postingCount } = readVisible(chunks.views, term);
    if (postingCount === 0) continue;
    const idf = Math.log(1 + (chunks.chunkCount - postingCount + 0.5) / (postingCount + 0.5));
    const weight = queryFrequency * idf * (BM25.k1 + 1);
    for (const slice of slices) addScores({ slice, buffer, weight, averageLength }, scores);
  }
  const top = createTopList(limit, chunks.precedes);
  if (frequencies.length > 0) {
    for (let number = 0; number < scores.length; number++) {
      const score = scores[number] ?? 0;
      if (score > 0) top.offer(number, score);
    }
  }
  return { scores, top: top.drain() };
}

function queryFrequencies(terms: readonly string[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const term of terms) {
    const known = frequencies.get(term);
    if (known !== undefined || frequencies.size < MAX_QUERY_TERMS) frequencies.set(term, (known ?? 0) + 1);
  }
  return frequencies;
}

/** Postings of one segment in a buffer that all segments share. */
interface Slice {
  readonly view: SegmentView;
  readonly start: number;
  readonly end: number;
}

/** Reads a term's postings of all segments first, because its weight depends on how many of them are visible. */
function readVisible(
  views: readonly SegmentView[],
  term: string,
): { slices: Slice[]; buffer: PostingBuffer; postingCount: number } {
  const found: { view: SegmentView; entry: SegmentTerm }[] = [];
  let size = 0;
  for (const view of views) {
    const entry = view.segment.findTerm(term);
    if (entry === null) continue;
    found.push({ view, entry });
    size += entry.chunkCount;
  }
  const buffer = { ordinals: new Uint32Array(size), frequencies: new Uint32Array(size) };
  let postingCount = 0;
  const slices = found.map(({ view, entry }) => {
    const start = postingCount;
    postingCount = entry.read(buffer, start, view.visible);
    return { view, start, end: postingCount };
  });
  return { slices, buffer, postingCount };
}

function addScores(
  {
    slice,
    buffer,
    weight,
    averageLength,
  }: {
    readonly slice: Slice;
    readonly buffer: PostingBuffer;
    readonly weight: number;
    readonly averageLength: number;
  },
  scores: Float64Array,
): void {
  const { ordinals, frequencies } = buffer;
  const { lengths } = slice.view.segment;
  const { base } = slice.view;
  const { k1, b } = BM25;
  for (let index = slice.start; index < slice.end; index++) {
    const ordinal = ordinals[index] ?? 0;
    const frequency = frequencies[index] ?? 0;
    const saturation = k1 * (1 - b + (b * (lengths[ordinal] ?? 0)) / averageLength);
    scores[base + ordinal] = (scores[base + ordinal] ?? 0) + (weight * frequency) / (frequency + saturation);
  }
}
