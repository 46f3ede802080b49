/** Decides whether chunks answer a question, by what the reader and the search say of them. */
import type { ChunkKey } from "../../domain/document.ts";
import type { AnswerReading, PassageRead, RankedChunk, ScoresJudgement } from "../../domain/query.ts";

/** Of the highest cosine and fused score of question and chunk, which tell other subjects. */
interface SearchWeights {
  readonly cosine: number;
  readonly fused: number;
  readonly constant: number;
}

interface Weights extends SearchWeights {
  /** What the reader makes of a passage, which tells near misses. */
  readonly logit: number;
}

interface Model {
  /** Whether any passage answers, by the highest logit. Learned with questions that need several passages (docs/decisions/0035). */
  readonly any: Weights;
  /** With a lower score nothing answers. */
  readonly least: number;
  /** That the first chunk has the answer, by its own logit where it was read. A cosine says less here: near misses have high ones, too. */
  readonly first: Weights;
}

const STATIC: Model = {
  any: { logit: 0.38, cosine: 6.591, fused: 3.159, constant: -3.595 },
  least: -0.6,
  first: { logit: 0.36, cosine: 1.86, fused: 3.92, constant: -3.06 },
};
/** Of several passages and longer windows: the highest of several logits is higher. */
const DYNAMIC: Model = {
  any: { logit: 0.387, cosine: 6.305, fused: 2.861, constant: -3.871 },
  least: -0.65,
  first: { logit: 0.41, cosine: 1.69, fused: 3.37, constant: -2.82 },
};
/** From this cosine of the bundled model on, no logit that the reader gives would deny a static question's answer. */
const NEAR = 0.65;
/** That the first chunk has the answer, where none was read. */
const UNREAD: SearchWeights = { cosine: 4.94, fused: 2.49, constant: -4.78 };
/**
 * Of text that the reader cannot read, from the fused scores of ten chunks alone: the highest, and the mean, which tells how high scores are in its
 * language and script. Learned from questions in eleven languages (docs/decisions/0036).
 */
const BY_SCORES = {
  ...{ chunks: 10, highest: 45.4, mean: -33.5, constant: -6.2, least: -2.05 },
  first: { slope: 1.01, constant: -0.917 },
};
/** In these scripts the bundled model finds the right passage among the first five for fewer than 70 % of questions (docs/decisions/0036). */
const UNSURE = /[\p{Script=Arabic}\p{Script=Cyrillic}\p{Script=Greek}]/gu;
const MIN_UNSURE_SHARE = 0.5;
/** From this logit on, the summary begins with the place that was read. */
const SURE = 0;
/** From this logit on, a passage alone answers. */
const ENOUGH = 2.25;

export interface Judgement {
  readonly reading: AnswerReading;
  /** That the first chunk answers. */
  readonly probability: number;
  /** One passage alone is so likely to answer that no further search is needed. */
  readonly isSure: boolean;
}

/** null where nothing was read. Cosines of other embedding models are mostly higher, so that less is denied. */
export function judge(read: readonly PassageRead[], chunks: readonly RankedChunk[]): Judgement | null {
  return judgeBy(DYNAMIC, read, chunks);
}

/** {@link judge} for a static question. */
export function judgeStatic(
  read: readonly PassageRead[],
  chunks: readonly RankedChunk[],
): Pick<Judgement, "reading" | "probability"> | null {
  return judgeBy(STATIC, read, chunks);
}

/** Without reading, by scores of the bundled model; null where the passage must be read. Two of five questions that the documents answer need not be read. */
export function judgeUnread(chunks: readonly RankedChunk[]): Pick<Judgement, "probability"> | null {
  return highest(chunks, "cosine") < NEAR ? null : { probability: sigmoid(weighSearch(UNREAD, chunks)) };
}

/** For text that the reader cannot read, by scores of the bundled model; null where too few chunks have them. */
export function judgeByScores(query: string, chunks: readonly RankedChunk[]): ScoresJudgement | null {
  const scores = chunks.flatMap(({ fused }) => fused ?? []).slice(0, BY_SCORES.chunks);
  if (scores.length < BY_SCORES.chunks) return null;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const score = BY_SCORES.highest * Math.max(...scores) + BY_SCORES.mean * mean + BY_SCORES.constant;
  const letters = query.match(/\p{L}/gu)?.length ?? 0;
  const isUnsure = (query.match(UNSURE)?.length ?? 0) > MIN_UNSURE_SHARE * letters;
  return {
    reading: { answer: null, isComplete: score < BY_SCORES.least, isUnsure },
    probability: sigmoid(BY_SCORES.first.slope * score + BY_SCORES.first.constant),
  };
}

function judgeBy(
  { any, least, first }: Model,
  read: readonly PassageRead[],
  chunks: readonly RankedChunk[],
): Judgement | null {
  const [best] = read.toSorted((one, other) => other.logit - one.logit);
  if (best === undefined) return null;
  const reading: AnswerReading =
    weigh(any, best, chunks) < least
      ? { answer: null, isComplete: true }
      : { answer: best.logit >= SURE ? best.place : null, isComplete: false };
  const own = read.find((passage) => isOf(passage, chunks[0]));
  return {
    reading,
    probability: sigmoid(weigh(first, own ?? best, chunks)),
    isSure: best.logit >= ENOUGH,
  };
}

function weigh(weights: Weights, { logit }: PassageRead, chunks: readonly RankedChunk[]): number {
  return weights.logit * logit + weighSearch(weights, chunks);
}

function weighSearch({ cosine, fused, constant }: SearchWeights, chunks: readonly RankedChunk[]): number {
  return cosine * highest(chunks, "cosine") + fused * highest(chunks, "fused") + constant;
}

function highest(chunks: readonly RankedChunk[], score: "cosine" | "fused"): number {
  return Math.max(...chunks.map((chunk) => chunk[score] ?? 1));
}

function isOf(one: ChunkKey, other: ChunkKey | undefined): boolean {
  return one.versionId === other?.versionId && one.position === other.position;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** The same chunks, whose `similarity` begins at the probability that the first one answers and falls as it did. */
export function withProbability(
  chunks: readonly RankedChunk[],
  { probability }: Pick<Judgement, "probability">,
): readonly RankedChunk[] {
  const most = chunks[0]?.similarity ?? 0;
  if (most <= 0) return chunks;
  return chunks.map((chunk) => ({ ...chunk, similarity: (probability * chunk.similarity) / most }));
}
