/** Dynamic answers: a static answer, extended by further searches with or without a language model. */
import type { Answer, AnswerReader, Question } from "../../../domain/query.ts";
import type { Answerer } from "../../../ports/answerer.ts";
import type { LanguageModel } from "../../../ports/language-model.ts";
import type { RemoteReranker } from "../../../ports/reranker.ts";
import { quotedOfFiles, withPlaces } from "../quoted-places.ts";
import { answerBuiltIn } from "./answer-built-in.ts";
import { answerWithModel } from "./answer-with-model.ts";
import { rerankFirst } from "./rerank-first.ts";
import { createStepRunner } from "./steps.ts";
import { createTolerantReader, type TolerantReader } from "./tolerant-reader.ts";

export interface DynamicDeps {
  readonly answerer: Answerer;
  /** The reason for having no model is part of the answer's `strategyUsed`. */
  readonly model: LanguageModel | "none" | "over_token_limit";
  /** At a provider; null = none is configured, or the account is over its token limit. */
  readonly reranker: RemoteReranker | null;
  readonly now: () => number;
  /** Whether a summary by the model cites the passages that it rests on. */
  readonly cites: boolean;
  /** Aborted when the client disconnects: no further step starts, a running model call is cancelled. */
  readonly signal?: AbortSignal | null;
  /** Receives the answer of a model while it is made. */
  readonly reader?: AnswerReader | null;
}

/** Retrievals after the first; each takes about 10 ms. */
const MAX_STEPS = 12;
const BUILT_IN_MS = 6_000;
const MODEL_MS = 30_000;
/**
 * Chunks of the first step: a chunk of a later step gains when the question itself ranks it, even far down.
 */
const MIN_FIRST_CHUNKS = 40;
/** Later steps read only the start of a question, to bound their time in the main thread. */
const MAX_READ_UNITS = 4_000;

/**
 * Answers the complete question statically, then uses its first 4,000 code units for further steps. null
 * when the project does not exist or belongs to another account; no further step runs and no model is called.
 * `strategyUsed` is `dynamic_<route>` with a model and `dynamic_builtin_<route>` without. It ends in
 * `_fallback` when a call of the model failed or its reply was unusable, in `_unsupported` when no passage supports what the model
 * wrote, and in `_token_limit` when the account has used up its tokens; then `_unread` follows where passages could not be read, and
 * `_rerank` or `_rerank_failed` follows where a reranker at
 * a provider was asked.
 * @throws what `answerer` throws for the question itself
 */
export async function answerDynamically(question: Question, deps: DynamicDeps): Promise<Answer | null> {
  const { answerer, model, reranker, signal = null } = deps;
  // A client that disconnected has no time left, so the time budget also stops the work for it.
  const now = () => (signal?.aborted === true ? Number.POSITIVE_INFINITY : deps.now());
  const found = await answerer.answer({
    ...question,
    mode: "static",
    topK: Math.max(question.topK, MIN_FIRST_CHUNKS),
    quoted: question.topK,
    listSteps: false,
    isUnread: true,
  });
  if (found === null) return null;
  const read = { ...question, query: beginningOf(question.query) };
  const passages = createTolerantReader(read, answerer);
  const reranking = { reranker, passages, now: deps.now, signal };
  const { answer: first, suffix } = await rerankFirst(read, found, reranking);
  const endOf = (fault: string) => `${fault}${passages.isIncomplete() ? "_unread" : ""}${suffix}`;
  const isModel = typeof model === "object";
  const endsAt = deps.now() + (isModel ? MODEL_MS : BUILT_IN_MS);
  const runner = createStepRunner(read, first, {
    answerer,
    passages,
    now,
    budget: { maxSteps: MAX_STEPS, endsAt },
  });
  if (isModel && first.chunks.length > 0) {
    const meter = { accountId: question.accountId, projectId: question.projectId, jobId: null };
    const { cites, reader = null } = deps;
    const answer = await answerWithModel(read, runner, { model, meter, now, endsAt, cites, signal, reader });
    if (answer !== null) {
      const { route, flaw, ...content } = answer;
      const strategyUsed = `dynamic_${route}${endOf(flaw === null ? "" : `_${flaw}`)}`;
      return complete(content, { question, first, strategyUsed, passages });
    }
  }
  const { route, ...content } = await answerBuiltIn(read, runner);
  const fault =
    isModel && first.chunks.length > 0 ? "_fallback" : model === "over_token_limit" ? "_token_limit" : "";
  const strategyUsed = `dynamic_builtin_${route}${endOf(fault)}`;
  return complete(content, { question, first, strategyUsed, passages });
}

/** Cuts between words if possible. */
function beginningOf(query: string): string {
  if (query.length <= MAX_READ_UNITS) return query;
  const cut = query.slice(0, MAX_READ_UNITS).toWellFormed();
  return cut.slice(0, cut.search(/\s\S*$/) + 1).trim() || cut;
}

/** The explanation and the first of the steps are of the question as the client sent it; what the summary quotes tells the places of its chunks. */
async function complete(
  { quotes = [], ...answer }: Answer,
  input: {
    readonly question: Question;
    readonly first: Answer;
    readonly strategyUsed: string;
    readonly passages: Pick<TolerantReader, "place">;
  },
): Promise<Answer> {
  const { explanation } = input.first;
  const { check } = answer;
  const [asked, ...further] = answer.steps ?? [];
  const ofFiles = quotedOfFiles(answer.chunks, quotes);
  const places = ofFiles.length === 0 ? null : await input.passages.place(ofFiles, quotes);
  return {
    ...answer,
    chunks: withPlaces(answer.chunks, places ?? []),
    strategyUsed: input.strategyUsed,
    ...(explanation === undefined
      ? {}
      : { explanation: check === undefined ? explanation : { ...explanation, check } }),
    ...(asked === undefined ? {} : { steps: [{ ...asked, query: input.question.query }, ...further] }),
  };
}
