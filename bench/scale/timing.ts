/** Statistics of query times. */
import { QUESTION_KINDS, type QuestionKind } from "../questions.ts";
import { quantile, round } from "../report.ts";

export interface TimedQuestion {
  readonly kind: QuestionKind;
  readonly ms: number;
}

export interface Times {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  readonly questions: number;
}

export async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Without times the values are NaN, which JSON writes as null. */
export function describeTimes(milliseconds: readonly number[]): Times {
  return {
    p50Ms: round(quantile(milliseconds, 0.5), 3),
    p95Ms: round(quantile(milliseconds, 0.95), 3),
    maxMs: round(quantile(milliseconds, 1), 3),
    questions: milliseconds.length,
  };
}

export interface TimesByKind extends Times {
  readonly kinds: Readonly<Record<QuestionKind, Times>>;
}

export function describeByKind(timed: readonly TimedQuestion[]): TimesByKind {
  const of = (kind: QuestionKind) => timed.filter((each) => each.kind === kind).map(({ ms }) => ms);
  const [natural, keywords, identifiers] = QUESTION_KINDS.map((kind) => describeTimes(of(kind)));
  if (natural === undefined || keywords === undefined || identifiers === undefined) {
    throw new Error("A kind of question is missing.");
  }
  return { ...describeTimes(timed.map(({ ms }) => ms)), kinds: { natural, keywords, identifiers } };
}
