/** A dynamic answer: the question is answered statically, and then gone on from, with a language model or without. */
import type { Answer, Question } from "../../../domain/query.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import { answerBuiltIn } from "./answer-built-in.ts";
import { answerWithModel } from "./answer-with-model.ts";
import { createStepRunner } from "./steps.ts";

export interface DynamicDeps {
  readonly answerer: Answerer;
  /** Why there is no model is told in the answer. */
  readonly model: LanguageModel | "none" | "over_token_limit";
  readonly now: () => number;
  /** Whether the summary of a model names the passages that it rests on. */
  readonly cites: boolean;
  /** Aborted when nobody waits for the answer any more: no step begins then, and the model's call under way is given up. */
  readonly signal?: AbortSignal | null;
}

/** Further retrievals; a static question takes some 10 ms. */
const MAX_STEPS = 12;
const BUILT_IN_MS = 6_000;
const MODEL_MS = 30_000;
/** Of the question itself: what a step finds counts more where the question had found it, too, if far below. */
const LEAST_CHUNKS = 40;
/** A question is read so far for what leads on from it, in the thread that serves all requests; what follows is a pasted text. */
const READ_UNITS = 4_000;

/**
 * The question as a whole is answered statically, its first 4,000 code units are read for what leads on.
 * null when the project is gone or another account's: nothing else was looked at, and no model was called. `strategyUsed` is
 * `dynamic_<route>` with a model, `dynamic_builtin_<route>` without, and ends in `_fallback` where the model should have done more than it did, or
 * `_token_limit` where the account has used up its tokens.
 * @throws what `answerer` throws for the question itself
 */
export async function answerDynamically(question: Question, deps: DynamicDeps): Promise<Answer | null> {
  const { answerer, model, signal = null } = deps;
  // Who has gone has no time left: the one rule for budgets ends everything.
  const now = () => (signal?.aborted === true ? Number.POSITIVE_INFINITY : deps.now());
  const first = await answerer.answer({
    ...question,
    mode: "static",
    topK: Math.max(question.topK, LEAST_CHUNKS),
  });
  if (first === null) return null;
  const read = { ...question, query: beginningOf(question.query) };
  const isModel = typeof model === "object";
  const endsAt = deps.now() + (isModel ? MODEL_MS : BUILT_IN_MS);
  const runner = createStepRunner(read, first, {
    ...{ answerer, now },
    budget: { maxSteps: MAX_STEPS, endsAt },
  });
  if (isModel && first.chunks.length > 0) {
    const meter = { accountId: question.accountId, projectId: question.projectId, jobId: null };
    const { cites } = deps;
    const answer = await answerWithModel(read, runner, { model, meter, now, endsAt, cites, signal });
    const { route, isFallback, ...found } = answer;
    if (route !== null) return named(found, first, `dynamic_${route}${isFallback ? "_fallback" : ""}`);
  }
  const { route, ...found } = await answerBuiltIn(read, runner);
  const reason =
    isModel && first.chunks.length > 0 ? "_fallback" : model === "over_token_limit" ? "_token_limit" : "";
  return named(found, first, `dynamic_builtin_${route}${reason}`);
}

/** Ends between words where there are any. */
function beginningOf(query: string): string {
  if (query.length <= READ_UNITS) return query;
  const cut = query.slice(0, READ_UNITS).toWellFormed();
  return cut.slice(0, cut.search(/\s\S*$/) + 1).trim() || cut;
}

/** What is explained is the first step: the question as it was asked. */
function named(answer: Answer, { explanation }: Answer, strategyUsed: string): Answer {
  const plain = { ...answer, strategyUsed };
  return explanation === undefined ? plain : { ...plain, explanation };
}
