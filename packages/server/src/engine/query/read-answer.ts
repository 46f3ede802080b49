/** Has the best chunks of a static question read by a model: one that is configured to look for answers, else the bundled reader. */
import type { Explanation } from "../../domain/explanation.ts";
import type { AnswerReading, Question, RankedChunk } from "../../domain/query.ts";
import type { AnswerFinder } from "../../ports/answer-finder.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import { findAnswer } from "./find-answer.ts";
import { type Judgement, judgeByScores, judgeStatic, judgeUnread } from "./judge-answer.ts";
import { isReadable, readWindows } from "./read-passages.ts";
import type { SentenceScore } from "./summarize-score.ts";

/** More chunks and more of them would tell hardly more, for twice the time (docs/decisions/0035). */
const READ_CHUNKS = 1;
const READ_UNITS = 250;

export interface AnswerReaders {
  /** null = none is configured. */
  readonly answerFinder: AnswerFinder | null;
  /** null where the bundled reader cannot be opened now. */
  readonly openReader: () => Promise<QuestionReader | null>;
}

export interface AnswerRead {
  /** null where nothing was read. */
  readonly reading: AnswerReading | null;
  /** null where neither the bundled reader nor the search tells the probability that the first chunk answers. */
  readonly judgement: Pick<Judgement, "probability"> | null;
  /** Of a configured model. */
  readonly explanation: Explanation["answer"] | null;
  /** Of `strategyUsed`. */
  readonly suffix: "" | "_answer" | "_unread";
}

const UNREAD: AnswerRead = { reading: null, judgement: null, explanation: null, suffix: "" };

/** `chunks`: those that can be quoted, best first; `scores` of their sentences. */
export async function readAnswer(
  { query, isFollowUp = false, isUnread = false }: Question,
  {
    chunks,
    scores,
    isBundled,
  }: {
    readonly chunks: readonly RankedChunk[];
    readonly scores: readonly SentenceScore[];
    /** Whether the chunks' cosines are those of the bundled embedding model. */
    readonly isBundled: boolean;
  },
  { answerFinder, openReader }: AnswerReaders,
): Promise<AnswerRead> {
  if (isFollowUp || chunks.length === 0) return UNREAD;
  if (answerFinder !== null) {
    const found = await findAnswer(query, chunks, { finder: answerFinder });
    return { ...UNREAD, ...found, suffix: "_answer" };
  }
  const read = chunks.slice(0, READ_CHUNKS);
  if (!isReadable(query, read)) {
    const byScores = isBundled ? judgeByScores(query, chunks) : null;
    return { ...UNREAD, reading: byScores?.reading ?? null, judgement: byScores };
  }
  if (isUnread) return UNREAD;
  const unread = isBundled ? judgeUnread(chunks) : null;
  if (unread !== null) return { ...UNREAD, judgement: unread };
  const reader = await openReader();
  if (reader === null) return { ...UNREAD, suffix: "_unread" };
  const judgement = judgeStatic(
    await readWindows(query, read, { scores, reader, units: READ_UNITS }),
    chunks,
  );
  return { ...UNREAD, judgement, reading: judgement?.reading ?? null };
}
