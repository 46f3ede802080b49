/** Measures the search without the service, in a separate process on the data directory of a stopped service. */
import { askProcess } from "../ask-process.ts";
import type { BenchQuestion, QuestionKind } from "../questions.ts";
import { quantile, round } from "../report.ts";
import type { SignRecall } from "./sign-recall.ts";
import { describeByKind, describeTimes } from "./timing.ts";

export interface IndexAloneRequest {
  readonly dataDir: string;
  readonly projectId: string;
  readonly questions: readonly BenchQuestion[];
}

export interface SearchedQuestion {
  readonly kind: QuestionKind;
  readonly embedMs: number;
  /** Reading the index state and leasing the segments. */
  readonly openMs: number;
  readonly termsMs: number;
  /** Scoring every int8 vector once, without collecting results. */
  readonly scanMs: number;
  /** Dense and lexical candidates, fusion, and exact cosines from stored f32 vectors. */
  readonly searchMs: number;
  /** The complete query in one thread: embedding, search, texts, summary. */
  readonly answerMs: number;
}

export interface IndexAloneResult {
  readonly searched: readonly SearchedQuestion[];
  readonly signRecall: readonly SignRecall[];
}

/** @throws Error when the process ends without a result */
export function measureIndexAlone(request: IndexAloneRequest): Promise<IndexAloneResult> {
  return askProcess(new URL("./index-alone-process.ts", import.meta.url), request);
}

export function describeIndexAlone({ searched, signRecall }: IndexAloneResult) {
  const timesOf = (pick: (each: SearchedQuestion) => number) => describeTimes(searched.map(pick));
  const scan = timesOf(({ scanMs }) => scanMs);
  const search = describeByKind(searched.map(({ kind, searchMs }) => ({ kind, ms: searchMs })));
  return {
    embedding: describeByKind(searched.map(({ kind, embedMs }) => ({ kind, ms: embedMs }))),
    opening: timesOf(({ openMs }) => openMs),
    terms: timesOf(({ termsMs }) => termsMs),
    scan,
    search,
    searchOverScan: round(search.p50Ms / scan.p50Ms, 3),
    searchOverScanByQuestion: round(
      quantile(
        searched.map(({ searchMs, scanMs }) => searchMs / scanMs),
        0.5,
      ),
      3,
    ),
    embeddingAndSearch: timesOf(({ embedMs, searchMs }) => embedMs + searchMs),
    answering: timesOf(({ answerMs }) => answerMs),
    signRecall,
  };
}
