/** Has the best chunks of a static question read by a model: one that is configured to look for answers, else the bundled reader. */
import type { Explanation } from "../../domain/explanation.ts";
import type { AnswerReading, Question, RankedChunk } from "../../domain/query.ts";
import type { AnswerFinder } from "../../ports/answer-finder.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import { findAnswer } from "./find-answer.ts";
import { type Judgement, judge } from "./judge-answer.ts";
import { readPassages } from "./read-passages.ts";
import type { SentenceScore } from "./summarize-score.ts";

/** Each takes 6 ms; the second one would tell hardly more (docs/decisions/0035). */
const READ_CHUNKS = 1;

export interface AnswerReaders {
  /** null = none is configured. */
  readonly answerFinder: AnswerFinder | null;
  /** null where the bundled reader cannot be opened now. */
  readonly openReader: () => Promise<QuestionReader | null>;
}

export interface AnswerRead {
  /** null where nothing was read. */
  readonly reading: AnswerReading | null;
  /** null where the bundled reader read nothing. */
  readonly judgement: Judgement | null;
  /** Of a configured model. */
  readonly explanation: Explanation["answer"] | null;
  /** Of `strategyUsed`. */
  readonly suffix: "" | "_answer" | "_unread";
}

const UNREAD: AnswerRead = { reading: null, judgement: null, explanation: null, suffix: "" };

/** `chunks`: those that can be quoted, best first; `scores` of their sentences. */
export async function readAnswer(
  { query, isFollowUp = false, isUnread = false }: Question,
  { chunks, scores }: { readonly chunks: readonly RankedChunk[]; readonly scores: readonly SentenceScore[] },
  { answerFinder, openReader }: AnswerReaders,
): Promise<AnswerRead> {
  if (isFollowUp || chunks.length === 0) return UNREAD;
  if (answerFinder !== null) {
    const found = await findAnswer(query, chunks, { finder: answerFinder });
    return { ...UNREAD, ...found, suffix: "_answer" };
  }
  if (isUnread) return UNREAD;
  const reader = await openReader();
  if (reader === null) return { ...UNREAD, suffix: "_unread" };
  const passages = await readPassages(query, chunks.slice(0, READ_CHUNKS), { scores, reader });
  const judgement = judge(passages, chunks);
  return { ...UNREAD, judgement, reading: judgement?.reading ?? null };
}
