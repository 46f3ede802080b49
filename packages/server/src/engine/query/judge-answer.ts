/** Decides whether chunks answer a question, by what the reader and the search say of them. */
import type { AnswerReading, PassageRead, RankedChunk, ScoresJudgement } from "../../domain/query.ts";

/**
 * Logistic models of two numbers: what the reader makes of the best passage, and the highest cosine of question and chunk, which tells other
 * subjects. Learned from questions over real text and from questions that need several passages (docs/decisions/0033 and 0035). `least`: with a lower
 * score nothing answers. `first`: from the score to the probability that the first chunk has the answer.
 */
const STATIC = {
  ...{ logit: 0.379, cosine: 10.287, constant: -4.142, least: -0.7 },
  first: { slope: 0.992, constant: -1.324 },
};
/** Of several passages and longer windows: the highest of several logits is higher. */
const DYNAMIC = {
  ...{ logit: 0.37, cosine: 8.8, constant: -3.95, least: -0.53 },
  first: { slope: 0.644, constant: -1.273 },
};
/** From this cosine of the bundled model on, only a logit below −7, which the reader hardly gives, would deny a static question's answer. */
const NEAR = 0.6;
/** From the cosine alone to the probability that the first chunk has the answer. */
const UNREAD = { slope: 3.776, constant: -2.52 };
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

/**
 * null where nothing was read. Cosines of other embedding models are mostly higher, so that less is denied. `isUnstated`: no passage says what the
 * question asks for in its words, so that one must read as an answer.
 */
export function judge(
  read: readonly PassageRead[],
  chunks: readonly RankedChunk[],
  { isUnstated = false }: { readonly isUnstated?: boolean } = {},
): Judgement | null {
  const judgement = judgeBy(DYNAMIC, read, chunks);
  const isDenied = isUnstated && read.every(({ logit }) => logit < SURE);
  return judgement && isDenied
    ? { ...judgement, reading: { answer: null, isComplete: true }, isSure: false }
    : judgement;
}

/** {@link judge} for a static question. */
export function judgeStatic(
  read: readonly PassageRead[],
  chunks: readonly RankedChunk[],
): Pick<Judgement, "reading" | "probability"> | null {
  return judgeBy(STATIC, read, chunks);
}

/**
 * Without reading, by cosines of the bundled model; null where the passage must be read. Half of the questions that the documents answer
 * need not be read.
 */
export function judgeUnread(chunks: readonly RankedChunk[]): Pick<Judgement, "probability"> | null {
  const cosine = highestCosine(chunks);
  return cosine < NEAR ? null : { probability: sigmoid(UNREAD.slope * cosine + UNREAD.constant) };
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
  model: typeof DYNAMIC,
  read: readonly PassageRead[],
  chunks: readonly RankedChunk[],
): Judgement | null {
  const [best] = read.toSorted((one, other) => other.logit - one.logit);
  if (best === undefined) return null;
  const score = model.logit * best.logit + model.cosine * highestCosine(chunks) + model.constant;
  const reading: AnswerReading =
    score < model.least
      ? { answer: null, isComplete: true }
      : { answer: best.logit >= SURE ? best.place : null, isComplete: false };
  const probability = sigmoid(model.first.slope * score + model.first.constant);
  return { reading, probability, isSure: best.logit >= ENOUGH };
}

function highestCosine(chunks: readonly RankedChunk[]): number {
  return Math.max(...chunks.map((chunk) => chunk.cosine ?? 1));
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
