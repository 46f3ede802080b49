/** Has the passages of a static question read, and writes the summary of them. */
import type { OtherTimes, Question, RankedChunk } from "../../domain/query.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import { connectChunks } from "./connect-chunks.ts";
import type { GraphRanking } from "./graph/rank.ts";
import { findOtherTimes } from "./other-times.ts";
import { type AnswerRead, type AnswerReaders, readAnswer } from "./read-answer.ts";
import type { StepTimer } from "./step-timer.ts";
import { composeSummary, type Summary, scoreAnswer } from "./summarize.ts";
import type { SentenceScore } from "./summarize-score.ts";

export interface QuotedAnswer {
  readonly read: AnswerRead;
  readonly quoted: Summary & { readonly scores: readonly SentenceScore[] };
  /** null where the project keeps no graph. */
  readonly otherTimes: OtherTimes | null;
}

export async function quoteAnswer(
  input: {
    readonly question: Question;
    /** Best first. */
    readonly summarized: readonly RankedChunk[];
    readonly ranking: GraphRanking | null;
    readonly isBundled: boolean;
    readonly hasGraph: boolean;
  },
  deps: AnswerReaders & {
    readonly graph: Pick<GraphStore, "readTimedStatements">;
    readonly timer: StepTimer;
  },
): Promise<QuotedAnswer> {
  const { question, summarized, ranking, isBundled, hasGraph } = input;
  const { timer, graph } = deps;
  const passages = { query: question.query, ...connectChunks(summarized, ranking) };
  const scores = await timer.measure("summary", () => scoreAnswer(passages));
  const linked = ranking?.linked.map(({ name }) => name) ?? [];
  // The store looks up what holds while the model reads.
  const [otherTimes, read] = await Promise.all([
    hasGraph ? findOtherTimes(question, { chunks: summarized, linked }, graph) : null,
    timer.measure("reading", () => readAnswer(question, { chunks: summarized, scores, isBundled }, deps)),
  ]);
  const quoted = await timer.measure("summary", () => ({
    scores,
    ...composeSummary({ ...passages, reading: read.reading, otherTimes }, scores),
  }));
  return { read, quoted, otherTimes };
}
