/**
 * Dynamic answers with a language model: plan, retrieve, judge and retrieve again, answer. A step of the
 * model may fail without failing the answer.
 */
import type { Answer, AnswerReader, Question, RankedChunk } from "../../../domain/query.ts";
import {
  type LanguageModel,
  ModelError,
  type ModelMeter,
  type ModelReply,
  type ModelTask,
} from "../../../ports/language-model.ts";
import { keepPerDocument } from "../../index/per-document.ts";
import { createSummaryWriter, type WrittenSummary } from "../written/check-summary.ts";
import { textOf } from "./answer-built-in.ts";
import { listSteps, mergeChunks, mergeGraphs, mergeOtherTimes } from "./merge-steps.ts";
import {
  answerPrompt,
  DYNAMIC_PROMPT_VERSION,
  JUDGE_SCHEMA,
  judgePrompt,
  PLAN_SCHEMA,
  type Prompt,
  planPrompt,
} from "./model/prompts.ts";
import { type Judgement, type Route, readJudgement, readPlan } from "./model/read-replies.ts";
import { readingOfStep, type StepRunner } from "./steps.ts";

export interface ModelAnswer extends Answer {
  readonly route: Route;
  /**
   * fallback: a call of the model failed or its reply was unusable. unsupported: no passage supports what it wrote, so the summary is
   * the built-in one.
   */
  readonly flaw: "fallback" | "unsupported" | null;
}

export interface ModelDeps {
  readonly model: LanguageModel;
  readonly meter: ModelMeter;
  readonly now: () => number;
  /** On the clock of `now`; the deadline of every call. */
  readonly endsAt: number;
  /** Whether the summary cites the passages that it rests on; [1] is the first chunk of the answer. */
  readonly cites: boolean;
  readonly signal: AbortSignal | null;
  readonly reader: AnswerReader | null;
}

const STEP_CHUNKS = 10;
const SUMMARY_CHUNKS = 10;
/** Passages in the prompts for judging and for answering. */
const JUDGED_PASSAGES = 14;
const ANSWER_PASSAGES = 12;
const MAX_ROUNDS = 3;
/** Input and output tokens after which judging ends. */
const MAX_TOKENS = 40_000;
/** No call is made with less time. */
const MIN_CALL_MS = 500;
/** Time that planning and judging leave for the answer. */
const RESERVED_ANSWER_MS = 8_000;
const LIMITS: Readonly<
  Record<"planning" | "judging" | "answering", { readonly ms: number; readonly tokens: number }>
> = {
  planning: { ms: 8_000, tokens: 400 },
  judging: { ms: 8_000, tokens: 400 },
  answering: { ms: 15_000, tokens: 800 },
};
const STEP_WEIGHT = 0.4;
/** Chunks of each step that count: more than without a model (2), because the model rejects some. */
const STEP_DEPTH = 6;

/**
 * Extends the answer to the question itself, which is the first step of `runner`. null when planning failed: the caller then answers without
 * the model. After a failed call or an
 * unusable reply the model plans and judges no further; the answer uses what was retrieved so far.
 * @throws what a step throws, except for steps that are unavailable
 */
export async function answerWithModel(
  question: Question,
  runner: StepRunner,
  deps: ModelDeps,
): Promise<ModelAnswer | null> {
  const calls = createModelCalls(deps);
  const plan = readPlan(await calls.structured("planning", planPrompt(question.query), PLAN_SCHEMA));
  if (plan === null) return null;
  await runner.run(
    plan.searches.map((query) => ({ query, weight: STEP_WEIGHT, about: null })),
    STEP_CHUNKS,
  );
  const rounds = plan.route === "overview" ? 1 : MAX_ROUNDS;
  const judged = await judgeAndSearch(question, { runner, calls, rounds });
  const { answer, quotable } = joinSteps(question, runner, judged.useful);
  const failed = judged.hasFailed ? "fallback" : null;
  const passages = answer.chunks.slice(0, ANSWER_PASSAGES);
  if (passages.length === 0) return { ...answer, route: plan.route, flaw: failed };
  deps.reader?.found(answer.chunks);
  const { text, check, isWhole } = await writeSummary(question.query, { passages, calls, deps });
  const composed =
    text === ""
      ? await runner.passages.compose({ ...quotable, otherTimes: mergeOtherTimes(runner.taken) })
      : null;
  const isUnsupported = isWhole && text === "" && check.sentences > 0;
  return {
    ...answer,
    check,
    ...(text === "" ? textOf(composed, runner.taken[0]) : { summary: text, quotes: [] }),
    route: plan.route,
    flaw: isUnsupported ? "unsupported" : isWhole && text !== "" ? failed : "fallback",
  };
}

/** `isWhole`: the model has written all that it wanted to. */
async function writeSummary(
  query: string,
  input: { readonly passages: readonly RankedChunk[]; readonly calls: ModelCalls; readonly deps: ModelDeps },
) {
  const { passages, calls, deps } = input;
  const { cites, reader } = deps;
  const onText = (text: string) => reader?.wrote(text);
  const writer = await createSummaryWriter({ query, passages, cites, onText });
  const onWritten = reader === null ? undefined : writer.write;
  let written: WrittenSummary | null = null;
  const isUsable = (text: unknown) => {
    written = writer.end(String(text));
    return written.text !== "";
  };
  const prompt = { ...answerPrompt(query, passages, cites), isUsable };
  const reply = await calls.text("answering", prompt, onWritten);
  return { ...(written ?? writer.end(reply)), isWhole: reply !== null };
}

interface JudgedRetrieval {
  /** Keys of chunks, best first. */
  readonly useful: readonly string[];
  readonly hasFailed: boolean;
}

/** Judges the passages and searches again, until they suffice, no search is new, or a budget is spent. */
async function judgeAndSearch(
  question: Question,
  input: { readonly runner: StepRunner; readonly calls: ModelCalls; readonly rounds: number },
): Promise<JudgedRetrieval> {
  const { runner, calls, rounds } = input;
  let useful: readonly string[] = [];
  for (let round = 0; round < rounds; round++) {
    const passages = rankPassages(question, runner, { limit: JUDGED_PASSAGES, useful });
    if (passages.length === 0 || !calls.hasBudget()) return { useful, hasFailed: false };
    const searches = runner.taken.map((step) => step.query);
    const prompt = judgePrompt(question.query, passages, searches);
    const reply = await calls.structured("judging", prompt, JUDGE_SCHEMA);
    const judgement: Judgement | null = readJudgement(reply, passages.length);
    if (judgement === null) return { useful, hasFailed: true };
    const keys = judgement.useful.flatMap((at) => (passages[at] === undefined ? [] : [keyOf(passages[at])]));
    useful = [...new Set([...keys, ...useful])];
    if (judgement.isEnough || runner.isSpent()) return { useful, hasFailed: false };
    const steps = await runner.run(
      judgement.searches.map((search) => ({ query: search, weight: STEP_WEIGHT, about: null })),
      STEP_CHUNKS,
    );
    if (steps.length === 0) return { useful, hasFailed: false };
  }
  return { useful, hasFailed: false };
}

/** The answer, with the summary of the question itself, and what a built-in summary may quote; `useful`: keys of chunks that come first. */
function joinSteps(question: Question, runner: StepRunner, useful: readonly string[]) {
  const { topK, maxPerDocument = null } = question;
  const limit = Math.max(topK, SUMMARY_CHUNKS, JUDGED_PASSAGES);
  const merged = rankPassages(question, runner, { limit, useful });
  const first = runner.taken[0]?.answer;
  const quotable = {
    chunks: merged.slice(0, maxPerDocument === null ? SUMMARY_CHUNKS : Math.min(SUMMARY_CHUNKS, topK)),
    reading: readingOfStep(runner.taken[0]),
    // The model's own searches may lead to passages with none of the question's names, and nothing tells by which name.
    names: [],
  };
  const answer: Answer = {
    strategyUsed: first?.strategyUsed ?? "",
    ...textOf(null, runner.taken[0]),
    ...mergeGraphs(runner.taken),
    chunks: merged.slice(0, topK),
    ...listSteps(question, runner.taken, STEP_DEPTH),
  };
  return { answer, quotable };
}

/** The limit of a document applies after the promotion, so that it takes no useful chunk for the sake of another one. */
function rankPassages(
  { maxPerDocument = null }: Question,
  { taken }: StepRunner,
  { limit, useful }: { readonly limit: number; readonly useful: readonly string[] },
): readonly RankedChunk[] {
  const pool = maxPerDocument === null ? limit : Number.POSITIVE_INFINITY;
  const merged = promote(mergeChunks(taken, { limit: pool, depth: STEP_DEPTH }), useful);
  return keepPerDocument(merged, maxPerDocument).slice(0, limit);
}

/** Puts the useful chunks first, in order, with scores from 1 to above ½; halves the other scores. */
function promote(chunks: readonly RankedChunk[], useful: readonly string[]): readonly RankedChunk[] {
  if (useful.length === 0) return chunks;
  const places = new Map(useful.map((key, at) => [key, at]));
  return chunks
    .map((chunk) => {
      const place = places.get(keyOf(chunk));
      const similarity = place === undefined ? chunk.similarity / 2 : 1 - place / (2 * useful.length);
      return { ...chunk, similarity };
    })
    .sort((one, other) => other.similarity - one.similarity);
}

function keyOf({ versionId, position }: RankedChunk): string {
  return `${versionId}/${position}`;
}

interface ModelCalls {
  /** The value of the reply; null when the call failed or there was no time for it. */
  structured(task: Task, prompt: Prompt, schema: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** `onText` gets the text in parts while it is written. */
  text(task: Task, prompt: Prompt, onText?: (delta: string) => void): Promise<string | null>;
  /** False when only the tokens and time for the answer are left. */
  hasBudget(): boolean;
}

type Task = Extract<ModelTask, keyof typeof LIMITS>;

function createModelCalls({ model, meter, now, endsAt, signal }: ModelDeps): ModelCalls {
  let tokens = 0;

  async function call(
    task: Task,
    prompt: Prompt,
    form: {
      readonly schema: Readonly<Record<string, unknown>> | null;
      readonly onText?: ((delta: string) => void) | undefined;
    },
  ): Promise<ModelReply | null> {
    const reservedMs = task === "answering" ? 0 : RESERVED_ANSWER_MS;
    const deadlineMs = Math.min(LIMITS[task].ms, endsAt - now() - reservedMs);
    if (deadlineMs < MIN_CALL_MS) return null;
    try {
      const reply = await model.generate({
        task,
        ...prompt,
        schema: form.schema,
        deadlineMs,
        meter,
        promptVersion: DYNAMIC_PROMPT_VERSION,
        maxOutputTokens: LIMITS[task].tokens,
        ...(signal === null ? {} : { signal }),
        ...(form.onText === undefined ? {} : { onText: form.onText }),
      });
      tokens += reply.inputTokens + reply.outputTokens;
      return reply;
    } catch (error) {
      if (error instanceof ModelError || signal?.aborted === true) return null;
      throw error;
    }
  }

  return {
    structured: async (task, prompt, schema) => (await call(task, prompt, { schema }))?.value ?? null,
    text: async (task, prompt, onText) => (await call(task, prompt, { schema: null, onText }))?.text ?? null,
    hasBudget: () => tokens < MAX_TOKENS && endsAt - now() > RESERVED_ANSWER_MS + MIN_CALL_MS,
  };
}
