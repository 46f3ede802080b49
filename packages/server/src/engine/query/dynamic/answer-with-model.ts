/** Dynamic answers with a language model: plan, retrieve, judge, go on, answer; every step may fail without the answer failing. */
import type { Answer, Question, RankedChunk } from "../../../domain/query.ts";
import {
  type LanguageModel,
  ModelError,
  type ModelMeter,
  type ModelReply,
  type ModelTask,
} from "../../../ports/language-model.ts";
import { summarize } from "../summarize.ts";
import { mergeChunks, mergeGraphs } from "./merge-steps.ts";
import {
  answerPrompt,
  DYNAMIC_PROMPT_VERSION,
  JUDGE_SCHEMA,
  judgePrompt,
  PLAN_SCHEMA,
  type Prompt,
  planPrompt,
} from "./model/prompts.ts";
import { type Judgement, type Route, readJudgement, readPlan, readSummary } from "./model/read-replies.ts";
import type { StepRunner } from "./steps.ts";

export interface ModelAnswer extends Answer {
  /** null where the model could not even plan: the built-in way is left to do it. */
  readonly route: Route | null;
  /** Something that the model should have done was done without it. */
  readonly isFallback: boolean;
}

export interface ModelDeps {
  readonly model: LanguageModel;
  readonly meter: ModelMeter;
  readonly now: () => number;
  /** By the clock that `now` reads: no call lasts longer. */
  readonly endsAt: number;
  /** Whether the summary names the passages that it rests on: [1] is the first chunk of the answer. */
  readonly cites: boolean;
  readonly signal: AbortSignal | null;
}

const STEP_CHUNKS = 10;
const SUMMARY_CHUNKS = 10;
/** Passages that the model sees. */
const JUDGED = 14;
const CONTEXT = 12;
const MAX_ROUNDS = 3;
/** In and out: beyond that nothing more is judged. */
const MAX_TOKENS = 40_000;
const LEAST_MS = 500;
/** So much of the time is kept for the answer. */
const ANSWER_MS = 8_000;
const LIMITS: Readonly<
  Record<"planning" | "judging" | "answering", { readonly ms: number; readonly tokens: number }>
> = {
  planning: { ms: 8_000, tokens: 400 },
  judging: { ms: 8_000, tokens: 400 },
  answering: { ms: 15_000, tokens: 800 },
};
const STEP_WEIGHT = 0.4;
/** The model sorts out what a search brought, so more of it is shown than the built-in way would trust. */
const STEP_DEPTH = 6;

/**
 * Goes on from the answer to the question itself, which `runner` holds. A call of the model that fails, or whose reply is of no use, ends its
 * part in the retrieval; what was retrieved by then is answered from.
 * @throws what the retrieval of a step throws, but for steps that are unavailable
 */
export async function answerWithModel(
  question: Question,
  runner: StepRunner,
  deps: ModelDeps,
): Promise<ModelAnswer> {
  const asking = createAsking(deps);
  const plan = readPlan(await asking.structured("planning", planPrompt(question.query), PLAN_SCHEMA));
  if (plan === null) return { ...present(question, { runner, useful: [] }), route: null, isFallback: true };
  await runner.run(
    plan.searches.map((query) => ({ query, weight: STEP_WEIGHT, about: null })),
    STEP_CHUNKS,
  );
  const judged = await goOn(question, { runner, asking, rounds: plan.route === "overview" ? 1 : MAX_ROUNDS });
  const found = present(question, { runner, useful: judged.useful });
  const passages = found.chunks.slice(0, CONTEXT);
  if (passages.length === 0) return { ...found, route: plan.route, isFallback: judged.hasFailed };
  const text = await asking.text("answering", answerPrompt(question.query, passages, deps.cites));
  const summary = text === null ? null : readSummary(text, { passages: passages.length, cites: deps.cites });
  return {
    ...found,
    summary: summary ?? found.summary,
    route: plan.route,
    isFallback: judged.hasFailed || summary === null,
  };
}

interface Going {
  readonly runner: StepRunner;
  readonly asking: Asking;
  readonly rounds: number;
}

interface Judged {
  /** Keys of chunks, best first. */
  readonly useful: readonly string[];
  readonly hasFailed: boolean;
}

/** Judges what was found and searches on until it is enough, nothing new is found, or a budget is spent. */
async function goOn({ query }: Question, { runner, asking, rounds }: Going): Promise<Judged> {
  let useful: readonly string[] = [];
  for (let round = 0; round < rounds; round++) {
    const passages = promote(mergeChunks(runner.taken, { limit: JUDGED, depth: STEP_DEPTH }), useful);
    if (passages.length === 0 || !asking.mayGoOn()) return { useful, hasFailed: false };
    const searches = runner.taken.map((step) => step.query);
    const reply = await asking.structured("judging", judgePrompt(query, passages, searches), JUDGE_SCHEMA);
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

function present(
  question: Question,
  { runner, useful }: { readonly runner: StepRunner; readonly useful: readonly string[] },
): Answer {
  const limit = Math.max(question.topK, SUMMARY_CHUNKS, JUDGED);
  const all = mergeChunks(runner.taken, { limit, depth: STEP_DEPTH });
  const merged = promote(all, useful);
  const first = runner.taken[0]?.answer;
  const summary = summarize({ query: question.query, chunks: merged.slice(0, SUMMARY_CHUNKS) });
  return {
    strategyUsed: first?.strategyUsed ?? "",
    summary: summary || (first?.summary ?? ""),
    ...mergeGraphs(runner.taken),
    chunks: merged.slice(0, question.topK),
  };
}

/** The useful ones first, in the order of their use; each of the upper half of the scale, the others of the lower. */
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

interface Asking {
  /** The value of the reply; null when the call failed. */
  structured(task: Task, prompt: Prompt, schema: Readonly<Record<string, unknown>>): Promise<unknown>;
  text(task: Task, prompt: Prompt): Promise<string | null>;
  /** False when tokens or time are used up but for what the answer needs. */
  mayGoOn(): boolean;
}

type Task = Extract<ModelTask, keyof typeof LIMITS>;

function createAsking({ model, meter, now, endsAt, signal }: ModelDeps): Asking {
  let tokens = 0;

  async function call(
    task: Task,
    prompt: Prompt,
    schema: Readonly<Record<string, unknown>> | null,
  ): Promise<ModelReply | null> {
    const deadlineMs = Math.min(LIMITS[task].ms, endsAt - now() - (task === "answering" ? 0 : ANSWER_MS));
    if (deadlineMs < LEAST_MS) return null;
    try {
      const reply = await model.generate({
        ...{ task, ...prompt, schema, deadlineMs, meter },
        promptVersion: DYNAMIC_PROMPT_VERSION,
        maxOutputTokens: LIMITS[task].tokens,
        ...(signal === null ? {} : { signal }),
      });
      tokens += reply.inputTokens + reply.outputTokens;
      return reply;
    } catch (error) {
      if (error instanceof ModelError || signal?.aborted === true) return null;
      throw error;
    }
  }

  return {
    structured: async (task, prompt, schema) => (await call(task, prompt, schema))?.value ?? null,
    text: async (task, prompt) => (await call(task, prompt, null))?.text ?? null,
    mayGoOn: () => tokens < MAX_TOKENS && endsAt - now() > ANSWER_MS + LEAST_MS,
  };
}
