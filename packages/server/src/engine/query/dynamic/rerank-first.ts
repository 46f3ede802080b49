/** Orders what the search for a dynamic question itself found again, by a reranker at a provider, before any further search. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { Explanation } from "../../../domain/explanation.ts";
import type { Answer, Question, RankedChunk } from "../../../domain/query.ts";
import { type RemoteReranker, RerankError } from "../../../ports/reranker.ts";
import { orderByScores, rerankedText } from "../rerank.ts";
import type { TolerantReader } from "./tolerant-reader.ts";

/** Fewer than a local reranker reads: some servers take no more texts at a time. */
export const REMOTE_RERANKED_CHUNKS = 32;
/** UTF-16 code units of a chunk that are sent. Only unusual texts have longer chunks. */
export const MAX_PASSAGE_UNITS = 4_000;
const SUMMARY_CHUNKS = 10;

export interface RerankFirstDeps {
  /** null = none is configured or allowed. */
  readonly reranker: RemoteReranker | null;
  readonly passages: Pick<TolerantReader, "compose">;
  readonly now: () => number;
  readonly signal: AbortSignal | null;
}

export interface RerankedFirst {
  readonly answer: Answer;
  /** For the end of `strategyUsed`: "" when no reranker was asked. */
  readonly suffix: "" | "_rerank" | "_rerank_failed";
}

/**
 * Asks once, for the first 32 chunks. A reranker that gives no scores leaves the answer as it is, but for the explanation.
 * Further searches are not reranked: up to twelve calls would cost more time than they are worth.
 * @throws StoreUnavailableError when the meter cannot be reached
 */
export async function rerankFirst(
  question: Question,
  answer: Answer,
  deps: RerankFirstDeps,
): Promise<RerankedFirst> {
  const { reranker, passages: reader, now, signal } = deps;
  const sent = answer.chunks.slice(0, REMOTE_RERANKED_CHUNKS);
  if (reranker === null || sent.length === 0) return { answer, suffix: "" };
  const { model, limitMs } = reranker;
  const { accountId, projectId, query } = question;
  const began = now();
  const explain = (found: Pick<NonNullable<Explanation["rerank"]>, "scores" | "error">) => {
    const tookMs = Math.max(0, now() - began);
    return { model, limitMs, tookMs, ...found };
  };
  try {
    const passages = sent.map(passageOf);
    const scores = await reranker.score(query, passages, { meter: { accountId, projectId }, signal });
    // RemoteReranker returns a score for each passage.
    const scored = sent.map((chunk, at) => ({ chunk, score: scores[at]! }));
    const { ranked, scores: explained } = orderByScores(answer.chunks, scored);
    const reordered = await judgeAgain({ ...answer, chunks: ranked }, reader);
    return withExplanation({ answer: reordered, suffix: "_rerank" }, explain({ scores: explained }));
  } catch (error) {
    if (signal?.aborted === true) return { answer, suffix: "" };
    if (!(error instanceof RerankError)) throw error;
    return withExplanation(
      { answer, suffix: "_rerank_failed" },
      explain({ scores: [], error: error.message }),
    );
  }
}

function passageOf(chunk: RankedChunk): string {
  return rerankedText(chunk).slice(0, MAX_PASSAGE_UNITS).toWellFormed();
}

/** The chunks that decided that nothing answers may no longer be the best ones. */
async function judgeAgain(answer: Answer, reader: RerankFirstDeps["passages"]): Promise<Answer> {
  if (answer.isDenied !== true) return answer;
  const { reading = null, otherTimes = null } = answer;
  const chunks = answer.chunks.slice(0, SUMMARY_CHUNKS);
  const summary = await reader.compose({ chunks, reading, otherTimes });
  if (summary === null) return answer;
  const { text, isDenied, quotes } = summary;
  return { ...answer, summary: text, isDenied, quotes };
}

/** The explanation is that of the first search; its final order becomes the one after the reranker. */
function withExplanation(
  { answer, suffix }: RerankedFirst,
  rerank: NonNullable<Explanation["rerank"]>,
): RerankedFirst {
  const { explanation } = answer;
  if (explanation === undefined) return { answer, suffix };
  const places = new Map(answer.chunks.map((chunk, at) => [keyOf(chunk), at]));
  const placeOf = (chunk: ChunkKey) => places.get(keyOf(chunk)) ?? places.size;
  const listed = explanation.ranked;
  const ranked = listed
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map((chunk, at) => {
      const { score, isReturned, isSummarized } = listed[at] ?? chunk;
      return { ...chunk, score, isReturned, isSummarized };
    });
  const plan = { ...explanation.plan, strategy: `${explanation.plan.strategy}${suffix}` };
  return { answer: { ...answer, explanation: { ...explanation, plan, rerank, ranked } }, suffix };
}

function keyOf({ versionId, position }: ChunkKey): string {
  return `${versionId}/${position}`;
}
