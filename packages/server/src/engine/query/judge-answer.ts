/** Decides whether chunks answer a question, by what the reader and the search say of them. */
import type { AnswerReading, PassagesRead, RankedChunk } from "../../domain/query.ts";

/**
 * A logistic model of two numbers, learned from questions over real text and from questions that need several passages; one that reads
 * passages together with the question, and one that tells other subjects (docs/decisions/0033).
 */
const WEIGHTS = { logit: 0.37, cosine: 8.8, constant: -3.95 };
/** Below this nothing answers. */
const LEAST = -0.53;
/** From this logit on, the summary begins with the place that was read. */
const SURE = 0;

/** From the score to the probability that the first chunk has the answer; learned like the weights, from the tuned half. */
const FIRST = { slope: 0.644, constant: -1.273 };

export interface Judgement {
  readonly reading: AnswerReading;
  /** The same chunks, whose `similarity` begins at the probability that the first one answers and falls as it did. */
  readonly chunks: readonly RankedChunk[];
}

/** null where nothing was read. Cosines of other embedding models are mostly higher, so that less is denied. */
export function judge({ logit, place }: PassagesRead, chunks: readonly RankedChunk[]): Judgement | null {
  if (logit === null) return null;
  const cosine = Math.max(...chunks.map((chunk) => chunk.cosine ?? 1));
  const score = WEIGHTS.logit * logit + WEIGHTS.cosine * cosine + WEIGHTS.constant;
  const reading: AnswerReading =
    score < LEAST
      ? { answer: null, isComplete: true }
      : { answer: logit >= SURE ? place : null, isComplete: false };
  const first = 1 / (1 + Math.exp(-FIRST.slope * score - FIRST.constant));
  const most = chunks[0]?.similarity ?? 0;
  const scaled = chunks.map((chunk) => ({ ...chunk, similarity: (first * chunk.similarity) / most }));
  return { reading, chunks: most > 0 ? scaled : chunks };
}
