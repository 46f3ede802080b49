/** The walk of one question from the route to the query threads: `ask`, then `answerStatic`. */
import type { Caller } from "../domain/account.ts";
import { errors, ServiceError } from "../domain/errors.ts";
import type { SummaryCheck } from "../domain/explanation.ts";
import { DamagedIndexError } from "../domain/index-damage.ts";
import type { Answer, AnswerReader, EmbeddedQuestion, Question } from "../domain/query.ts";
import { answerDynamically } from "../engine/query/dynamic/answer-dynamically.ts";
import { momentOfEvent } from "../engine/query/event-time.ts";
import { eventOfQuestion } from "../engine/query/question-event.ts";
import { heldTime, momentOfQuestion } from "../engine/query/question-time.ts";
import { tellStated } from "../engine/query/stated-by-people.ts";
import type { EmbedQuestion, VectorAnswerer } from "../ports/answerer.ts";
import { EmbeddingError } from "../ports/embedder.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { RemoteReranker } from "../ports/reranker.ts";
import type { ProjectStore } from "../ports/store.ts";
import { requireProject, requireProjectId } from "./access.ts";
import { createAccountSlots } from "./account-slots.ts";
import { type DamageReportDeps, reportDamage } from "./damage.ts";
import type { ModelAllowance } from "./model-allowance.ts";
import type { ProjectDeletions } from "./project-deletions.ts";
import type { QueryMeter } from "./query-meter.ts";

/** A question as the client sends it. */
export interface QueryRequest extends Omit<Question, "projectId" | "accountId" | "asOf"> {
  /** A year, month or day at which relationships hold. Absent: when the question says, else now. */
  readonly asOf?: string | null;
  /** Whether a summary that a language model writes cites the chunks that it rests on. */
  readonly cites: boolean;
  /** Aborted when the client disconnects: a question that waits is dropped, a dynamic one takes no further step. */
  readonly signal?: AbortSignal;
  /** Receives the answer of a language model while it is made. */
  readonly reader?: AnswerReader;
}

export interface QueryService {
  /**
   * `readRequest` parses the body and may throw. Its errors, and all others, are reported only to a caller
   * who may see the project; any other caller receives `not_found` or `forbidden`.
   */
  ask(caller: Caller, projectId: string, readRequest: () => QueryRequest): Promise<Answer>;
}

interface QueryServiceDeps {
  readonly store: Pick<ProjectStore, "findProject"> & DamageReportDeps["store"];
  readonly queryThreads: VectorAnswerer;
  readonly embedQuestion: EmbedQuestion;
  readonly languageModel: LanguageModel | null;
  /** At a provider, for dynamic questions alone; null = none is configured. */
  readonly reranker: RemoteReranker | null;
  readonly allowance: ModelAllowance;
  readonly deletions: Pick<ProjectDeletions, "watch">;
  readonly meter: Pick<QueryMeter, "count">;
  readonly log: DamageReportDeps["log"];
  readonly onDamageReported: DamageReportDeps["onReported"];
  /** Called for each summary by a language model. */
  readonly onSummaryChecked: (check: SummaryCheck) => void;
  readonly now: () => number;
}

/** In which the time of an event is looked for. */
const EVENT_CHUNKS = 10;
const BUSY_RETRY_SECONDS = 1;
const EMBEDDING_RETRY_SECONDS = 15;
/** A project may be moved to another vector space between two attempts, but hardly twice. */
const MAX_VECTORS = 3;

export function createQueryService(
  deps: QueryServiceDeps & {
    /** Per account; null = no limit. */
    readonly maxConcurrent: number | null;
  },
): QueryService {
  const slots = createAccountSlots({
    what: "queries",
    perAccount: deps.maxConcurrent,
    total: null,
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
  return {
    async ask(caller, projectId, readRequest) {
      const { accountId } = caller;
      requireProjectId(projectId);
      try {
        const { cites, signal = null, reader = null, ...request } = readRequest();
        const releaseSlot = slots.take(accountId);
        try {
          const asOf = momentOfQuestion(request, deps.now());
          const asked: Question = { projectId, accountId, ...request, ...limitOf(request), asOf };
          const question = asOf.by === "today" ? await dateQuestion(asked, signal, deps) : asked;
          const answer =
            question.mode === "dynamic"
              ? await answerDynamic(question, { cites, signal, reader }, deps)
              : await answerStatic(question, signal, deps);
          if (answer === null) throw errors.projectNotFound(projectId);
          deps.meter.count({ accountId, projectId });
          if (answer.check !== undefined) deps.onSummaryChecked(answer.check);
          return tellStated({ query: question.query, asOf: heldTime(question) }, answer, {
            isModel: answer.check !== undefined,
          });
        } finally {
          releaseSlot();
        }
      } catch (error) {
        // Access is checked only after a failure, to save a statement per question: the query threads read the
        // index state by project and account, so they never answer from another account's project.
        const isAbandoned = error instanceof ServiceError && error.kind === "abandoned";
        if (!isAbandoned) await requireProject(deps.store, { projectId, caller });
        throw error;
      }
    },
  };
}

/** With the time of the event that the question names, if it names one and its time is found. */
async function dateQuestion(
  question: Question,
  signal: AbortSignal | null,
  deps: QueryServiceDeps,
): Promise<Question> {
  const event = eventOfQuestion(question.query);
  if (event === null) return question;
  const { projectId, accountId, filter } = question;
  const search = { projectId, accountId, filter, query: event.query, topK: EVENT_CHUNKS, asOf: null };
  const found = await answerStatic({ ...search, mode: "static", seeks: event }, signal, deps);
  if (found === null) throw errors.projectNotFound(projectId);
  const given = event.given === null ? null : { from: event.given, to: event.given, place: null };
  const time = found.eventTime ?? given;
  const moment = time === null ? null : momentOfEvent(event, time);
  if (moment === null) return { ...question, event: { event, time: null } };
  return { ...question, asOf: moment, event: { event, time } };
}

/**
 * Each step is a static question. Runs in the main thread, because it mostly waits: query threads search, and read what is found.
 * @throws ServiceError `not_found` when the project is deleted meanwhile
 */
async function answerDynamic(
  question: Question,
  how: {
    readonly cites: boolean;
    readonly signal: AbortSignal | null;
    readonly reader: AnswerReader | null;
  },
  deps: QueryServiceDeps,
): Promise<Answer | null> {
  const { languageModel, reranker, allowance, now } = deps;
  const isFree = languageModel === null && reranker === null;
  const hasTokens = isFree || (await allowance.hasTokens(question.accountId));
  const deletion = deps.deletions.watch(question.projectId);
  const signal = how.signal === null ? deletion.signal : AbortSignal.any([how.signal, deletion.signal]);
  try {
    const answer = await answerDynamically(question, {
      answerer: {
        answer: (step) => answerStatic(step, signal, deps),
        ...deps.queryThreads.passageReader(signal),
      },
      model: hasTokens ? (languageModel ?? "none") : "over_token_limit",
      reranker: hasTokens ? reranker : null,
      now,
      ...how,
      signal,
    });
    deletion.signal.throwIfAborted();
    return answer;
  } finally {
    deletion.end();
  }
}

/**
 * Answers in the query threads. They embed with the bundled model only; when the project needs the vector of
 * another space, the question is embedded by a provider and sent again. null when the project does not exist
 * or belongs to another account.
 */
async function answerStatic(
  question: Question,
  signal: AbortSignal | null,
  deps: QueryServiceDeps,
): Promise<Answer | null> {
  const { queryThreads, embedQuestion, store, log, onDamageReported } = deps;
  try {
    let embedded: EmbeddedQuestion | null = null;
    for (let vectors = 0; vectors <= MAX_VECTORS; vectors++) {
      const reply = await queryThreads.answer(question, embedded, signal);
      if (reply === null || !("requiredSpace" in reply)) return reply;
      const space = reply.requiredSpace;
      embedded = { space, vector: await embedQuestion(question, space) };
    }
  } catch (error) {
    if (error instanceof EmbeddingError) {
      const options = { retryAfterSeconds: secondsUntil(error.retryAt, deps.now()), cause: error };
      throw errors.unavailable(error.message, options);
    }
    if (!(error instanceof DamagedIndexError)) throw error;
    await reportDamage(error, { store, log, onReported: onDamageReported });
    throw errors.indexDamaged(error);
  }
  throw errors.unavailable("The project is being moved to another embedding model. Try again.", {
    retryAfterSeconds: 1,
  });
}

/** Whole seconds, at least one; what is usual where no time is known. */
function secondsUntil(at: number | null, now: number): number {
  return at === null ? EMBEDDING_RETRY_SECONDS : Math.max(1, Math.ceil((at - now) / 1_000));
}

/** As many passages of one document as are returned are no limit. */
function limitOf({ topK, maxPerDocument = null }: Pick<Question, "topK" | "maxPerDocument">) {
  return { maxPerDocument: maxPerDocument === null || maxPerDocument >= topK ? null : maxPerDocument };
}
