/** Dynamic answers without a language model: splits the question and follows names in the passages. */
import type { ChunkKey } from "../../../domain/document.ts";
import type {
  Answer,
  AnswerReading,
  ComposedSummary,
  PassageRead,
  Question,
  RankedChunk,
} from "../../../domain/query.ts";
import { judge, withProbability } from "../judge-answer.ts";
import { compareTimes } from "./compare-times.ts";
import { readComparison } from "./comparison.ts";
import { followNested } from "./follow-nested.ts";
import { followUp } from "./follow-up.ts";
import { canReturn, listSteps, mergeChunks, mergeGraphs, mergeOtherTimes } from "./merge-steps.ts";
import { splitNested } from "./nested-question.ts";
import { splitQuestion } from "./split-question.ts";
import { readingOfStep, relevantChunks, type Step, type StepQuestion, type StepRunner } from "./steps.ts";
import { traceNames } from "./traced-names.ts";

const STEP_CHUNKS = 5;
const SUMMARY_CHUNKS = 10;
/** Of these the reader reads a part each. More were read without telling better whether the question is answered. */
const READ_CHUNKS = 3;
/** Chunks of each step that count; with more, they displace the chunks of the question itself. */
const STEP_DEPTH = 2;
/** Names that are followed from the first answer. */
const FIRST_HOP_NAMES = 6;
/** First-hop steps from which a second hop starts, and the names that are followed from each. */
const SECOND_HOP_STEPS = 2;
const SECOND_HOP_NAMES = 1;
/** Weights of the steps' chunks; docs/decisions/0014 lists the values that were tried. */
const PART_WEIGHT = 0.35;
const FIRST_HOP_WEIGHT = 0.8;
const SECOND_HOP_WEIGHT = 0.2;

/** How the strategy of a static answer begins where the graph took part. */
const GRAPH_STRATEGY = "hybrid_graph";

export type BuiltInRoute = "comparison" | "multi_hop" | "fact";

export interface BuiltInAnswer extends Answer {
  readonly route: BuiltInRoute;
}

/**
 * Extends the answer to the question itself, which is the first step of `runner`. An answer that nothing answers is returned as it is: the
 * names in its passages are about something else. Where the graph took part in the first step and the reader is sure that one of its passages
 * answers, no further step is taken. Deterministic, except that the clock may cut steps off.
 * @throws what a step throws, except for steps that are unavailable
 */
export async function answerBuiltIn(question: Question, runner: StepRunner): Promise<BuiltInAnswer> {
  const [first] = runner.taken;
  const { chunks = [], byScores = null } = first?.answer ?? {};
  const known = await readChunks(runner, chunks, []);
  if (first?.answer.isDenied === true) {
    // What was denied stays so; reading tells only how likely the passages answer nevertheless.
    const judgement = judge(known, chunks.slice(0, SUMMARY_CHUNKS)) ?? byScores;
    const { byScores: _, ...answer } = first.answer;
    return {
      ...answer,
      ...listSteps(question, runner.taken, STEP_DEPTH),
      route: "fact",
      chunks: (judgement === null ? chunks : withProbability(chunks, judgement)).slice(0, question.topK),
    };
  }
  const { route, read, found, verdict: given, probability } = await takeSteps(question, runner, known);
  const { topK, maxPerDocument = null } = question;
  const limits = { limit: Math.max(topK, SUMMARY_CHUNKS), returned: topK, perDocument: maxPerDocument };
  // What is quoted is returned.
  const verdict = canReturn(given?.quotes ?? [], limits) ? given : null;
  const quotes = verdict?.quotes ?? [];
  const merged = mergeChunks(runner.taken, { ...limits, depth: STEP_DEPTH, quotes });
  const summarized = maxPerDocument === null ? SUMMARY_CHUNKS : Math.min(SUMMARY_CHUNKS, topK);
  const quotable = merged.slice(0, summarized);
  const judged = judge(await readChunks(runner, quotable, [...read, ...known]), merged) ?? byScores;
  const judgement = judged && { ...judged, probability: Math.max(judged.probability, probability) };
  const reading = found ?? judgement?.reading ?? readingOfStep(first);
  const summary =
    verdict === null
      ? await runner.passages.compose({
          chunks: quotable,
          reading,
          otherTimes: mergeOtherTimes(runner.taken),
          names: traceNames(question.query, runner.taken),
        })
      : verdict;
  return {
    strategyUsed: first?.answer.strategyUsed ?? "",
    route,
    isDenied: summary?.isDenied ?? false,
    ...textOf(summary, first),
    ...mergeGraphs(runner.taken),
    chunks: (judgement === null ? merged : withProbability(merged, judgement)).slice(0, topK),
    ...listSteps(question, runner.taken, STEP_DEPTH),
  };
}

/** Where nothing could be composed, the summary of the question itself. */
export function textOf(
  composed: ComposedSummary | null,
  first: Step | undefined,
): Required<Pick<Answer, "summary" | "quotes">> {
  if (composed !== null && composed.text !== "") return { summary: composed.text, quotes: composed.quotes };
  const { summary = "", quotes = [] } = first?.answer ?? {};
  return { summary, quotes };
}

interface StepsTaken {
  readonly route: BuiltInRoute;
  /** What the reader made of passages of the steps, each for the question of its step. */
  readonly read: readonly PassageRead[];
  /** The answer to the question about what it describes; null = none. */
  readonly found: AnswerReading | null;
  /** A summary that the steps give; null = none. */
  readonly verdict: ComposedSummary | null;
  /** That the steps by the question's form have found the answer, 0…1. */
  readonly probability: number;
}

/** By the form of the question, else by the names in the passages. `known`: what the reader made of the first passages. */
async function takeSteps(
  { query }: Question,
  runner: StepRunner,
  known: readonly PassageRead[],
): Promise<StepsTaken> {
  const { chunks = [], strategyUsed = "" } = runner.taken[0]?.answer ?? {};
  const nothing: StepsTaken = { route: "fact", read: [], found: null, verdict: null, probability: 0 };
  if (chunks.length === 0) return nothing;
  const weights = { inner: PART_WEIGHT, outer: FIRST_HOP_WEIGHT };
  const comparison = readComparison(query);
  const verdict = comparison === null ? null : await compareTimes(comparison, runner, weights);
  if (verdict !== null) return { ...nothing, route: "comparison", verdict };
  const parts = splitQuestion(query);
  const nested = parts.length === 0 ? splitNested(query) : null;
  const isPlain = parts.length === 0 && comparison === null && nested === null;
  // With a graph the first search has followed names; without one, a passage that is sure to answer may be one of several that are needed.
  const isEnough =
    isPlain && strategyUsed.startsWith(GRAPH_STRATEGY) && judge(known, chunks)?.isSure === true;
  if (isEnough) return nothing;
  await runner.run(
    parts.map((part) => ({ query: part, weight: PART_WEIGHT, about: null })),
    STEP_CHUNKS,
  );
  const described = nested === null ? null : await followNested(nested, runner, { weights });
  // The names in the passages of the whole question are about something else where the steps by its form found both answers.
  const isAnswered = described !== null && (described.answer !== null || described.summary !== null);
  const hops = isAnswered ? 0 : await followNames(query, runner);
  const route = parts.length > 0 ? "comparison" : hops > 0 || described !== null ? "multi_hop" : "fact";
  const from = described?.answer?.from ?? null;
  const isOfOthers = described?.isOfOthers === true;
  const found = from === null && !isOfOthers ? null : { answer: from, isComplete: isOfOthers };
  const { read = [], summary = null, probability = 0 } = described ?? {};
  return { route, read, found, verdict: summary, probability: isAnswered ? probability : 0 };
}

/** Has the first chunks read, but for those that are `known`, unless a configured model has read those of the question itself. */
async function readChunks(
  runner: StepRunner,
  chunks: readonly RankedChunk[],
  known: readonly PassageRead[],
): Promise<readonly PassageRead[]> {
  const best = chunks.slice(0, READ_CHUNKS);
  if (best.length === 0 || readingOfStep(runner.taken[0]) !== null) return [];
  const isOf = (one: ChunkKey, other: ChunkKey) =>
    one.versionId === other.versionId && one.position === other.position;
  // Of what was read for two questions the first counts.
  const read = best.flatMap((chunk) => known.find((passage) => isOf(passage, chunk)) ?? []);
  const unread = best.filter((chunk) => !read.some((passage) => isOf(passage, chunk)));
  const further = unread.length === 0 ? [] : await runner.passages.read(unread);
  return [...read, ...(further ?? [])];
}

/** Returns the number of steps that ran. */
async function followNames(query: string, runner: StepRunner): Promise<number> {
  const first = runner.taken[0]?.answer.chunks ?? [];
  const names = (await runner.passages.findNames({ query, chunks: first, limit: FIRST_HOP_NAMES })) ?? [];
  const best = names[0]?.weight ?? 0;
  const firstHop = await runner.run(
    names.map((name) => ({
      query: followUp(query, name),
      weight: (FIRST_HOP_WEIGHT * name.weight) / best,
      about: name,
    })),
    STEP_CHUNKS,
  );
  const further: StepQuestion[] = [];
  for (const step of firstHop.slice(0, SECOND_HOP_STEPS)) {
    const chunks = relevantChunks(step).slice(0, STEP_DEPTH);
    const found = await runner.passages.findNames({ query: step.query, chunks, limit: SECOND_HOP_NAMES });
    for (const name of found ?? [])
      further.push({ query: followUp(step.query, name), weight: SECOND_HOP_WEIGHT, about: name });
  }
  const secondHop = await runner.run(further, STEP_CHUNKS);
  return firstHop.length + secondHop.length;
}
