/** Questions spread over the query threads, which search one memory. */
import { type Transferable, Worker } from "node:worker_threads";
import type { ThreadDatabase } from "../adapters/database/open-store.ts";
import type { IdentifiedModel } from "../adapters/models/local/identify-model.ts";
import { errors } from "../domain/errors.ts";
import type {
  Answer,
  BridgeName,
  ComposedSummary,
  PassageRead,
  QuotedPlace,
  VectorRequired,
} from "../domain/query.ts";
import { withoutPaths } from "../domain/without-paths.ts";
import { SCRATCH_BYTES } from "../engine/index/kernels/search-kernels.ts";
import { createSharedIndexMemory } from "../engine/index/shared-memory.ts";
import type { VectorAnswerer } from "../ports/answerer.ts";
import type { Tracer } from "../ports/tracing.ts";
import { threadEnvironment } from "../process-environment.ts";
import type { StartCrew } from "./crews.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import type {
  QueryThreadData,
  QueryThreadEvent,
  QueryThreadReply,
  QueryThreadRequest,
} from "./query-messages.ts";
import { type ThreadDeps, ThreadError } from "./thread.ts";

export interface QueryPool extends VectorAnswerer {
  /** Why no thread can answer now, for example because the model is missing; null when one is ready. */
  readonly fault: () => string | null;
  /**
   * Reads a row by the way that questions take.
   * @throws StoreUnavailableError when a thread cannot reach the database. Threads that answer nothing are told by `fault`
   */
  checkDatabase(): Promise<void>;
  /** See `ThreadPool.hurry`. */
  hurry(): void;
  /** Answers pending questions first. */
  close(): Promise<void>;
}

const KIND = THREAD_KINDS.query;
const RETRY_SECONDS = 1;
/** One question may be slow by itself. */
const MANY_LATE = 3;
const LATE_MS = 60_000;
const LATE = "Questions are not answered in time.";
/** Errors of a thread arrive with their name, but without their class. */
const TOLD: ReadonlySet<string> = new Set([
  "ModelUnavailableError",
  "StoreUnavailableError",
  "StuckThreadsError",
]);

/** @throws what the first crew's start throws */
export function startQueryPool(
  startCrew: StartCrew,
  deps: ThreadDeps & {
    readonly onActivity?: (activity: QueryThreadEvent) => void;
    readonly tracer?: Tracer | null;
  },
): QueryPool {
  const { tracer = null } = deps;
  const onLost = (error: ThreadError) => {
    // The watch has logged a thread that hangs.
    if (error.fault === "died") deps.log.error("query_threads_gone", { error: error.cause });
  };
  const onEvent = (event: unknown) => deps.onActivity?.(event as QueryThreadEvent); // What the thread sends.
  const pool = createThreadPool<QueryThreadRequest, QueryThreadReply>(
    KIND,
    { startCrew, onLost, onEvent },
    deps,
  );

  /** Answers that took too long since the last one that did not, and when the last of them was given up. */
  let late = { count: 0, at: 0 };

  function fault(): string | null {
    const state = pool.state();
    // Whoever asks only services that are ready would never see that this one answers again.
    const isLate = late.count >= MANY_LATE && performance.now() - late.at < LATE_MS;
    if (state === "ready") return isLate ? LATE : null;
    return state === "starting" ? "The embedding model is being loaded." : lossText(state);
  }

  async function ask(
    request: QueryThreadRequest,
    by: { readonly account: string; readonly signal: AbortSignal | null },
  ): Promise<QueryThreadReply> {
    const task = "question" in request ? "search" : request.task;
    const named = { name: `query thread ${task}`, kind: "client", attributes: {} } as const;
    const askPool = () => {
      const traced = "question" in request ? { ...request, trace: tracer?.current() ?? null } : request;
      return pool.ask(traced, by);
    };
    try {
      const reply = await (tracer === null ? askPool() : tracer.measure(named, askPool));
      late = { count: 0, at: 0 };
      return reply;
    } catch (error) {
      if (error instanceof ThreadError && error.fault === "late")
        late = { count: late.count + 1, at: performance.now() };
      throw error instanceof ThreadError ? unavailable(error) : error;
    }
  }

  // A thread replies to each kind of request with its own kind of reply.
  return {
    fault,
    answer: async (question, embedded, signal) =>
      (await ask({ question, embedded, trace: null }, { account: question.accountId, signal })) as
        | Answer
        | VectorRequired
        | null,
    passageReader: (signal) => ({
      read: async ({ query, accountId: account }, chunks) =>
        (await ask({ task: "read", query, chunks }, { account, signal })) as readonly PassageRead[] | null,
      compose: async ({ query, projectId, accountId: account }, passages) => {
        const task = { task: "compose" as const, projectId, query, ...passages };
        return (await ask(task, { account, signal })) as ComposedSummary;
      },
      place: async ({ query, projectId, accountId: account }, chunks, quotes) =>
        (await ask(
          { task: "place", projectId, query, chunks, quotes },
          { account, signal },
        )) as readonly QuotedPlace[],
      findNames: async ({ accountId: account }, passages) =>
        (await ask({ task: "findNames", ...passages }, { account, signal })) as readonly BridgeName[],
    }),
    async checkDatabase() {
      try {
        await pool.ask({ task: "checkDatabase" });
      } catch (error) {
        if (!(error instanceof ThreadError)) throw error;
      }
    },
    hurry: pool.hurry,
    close: pool.close,
  };
}

function unavailable(error: ThreadError): Error {
  const message =
    error.fault === "full"
      ? "Too many questions wait for an answer. Try again shortly."
      : error.fault === "late"
        ? "The question was not answered in time. Try again."
        : lossText(error);
  return errors.unavailable(message, { retryAfterSeconds: RETRY_SECONDS, cause: error });
}

function lossText({ fault, cause }: ThreadError): string {
  const reason =
    fault === "hung"
      ? "a query thread hung; the threads are being replaced"
      : cause instanceof Error
        ? (toldReason(cause) ?? "a query thread failed; the service's log has the cause")
        : "a query thread ended";
  return `Questions cannot be answered: ${reason}`;
}

/** What anybody may read: other errors name paths and commands of this machine. */
function toldReason({ name, message }: Error): string | null {
  return TOLD.has(name) ? withoutPaths(message) : null;
}

/**
 * The threads of a pool: `threads` of them over `cacheBytes` of memory for segments, each with its own connection.
 * The crew throws a RangeError where the system does not have the memory.
 */
export function queryCrew(options: {
  readonly threads: number;
  readonly cacheBytes: number;
  readonly modelDir: string;
  readonly localModels?: readonly IdentifiedModel[];
  readonly reranker?: QueryThreadData["reranker"];
  readonly answerFinder?: QueryThreadData["answerFinder"];
  readonly modelIdleMs?: QueryThreadData["modelIdleMs"];
  /** `thread`: its number among them, from 0. */
  readonly connect: (thread: number) => {
    readonly database: ThreadDatabase;
    readonly transfer: readonly Transferable[];
  };
  readonly segmentStore?: QueryThreadData["segmentStore"];
}): StartCrew {
  const { threads, cacheBytes, modelDir, localModels = [] } = options;
  const { reranker = null, answerFinder = null, modelIdleMs = null, segmentStore = null } = options;
  return () => {
    const shared = createSharedIndexMemory({ cacheBytes, threads, scratchBytes: SCRATCH_BYTES });
    return Array.from({ length: threads }, (_, thread) => (gates: readonly SharedArrayBuffer[]) => {
      const { database, transfer } = options.connect(thread);
      const data: QueryThreadData = {
        database,
        segmentStore,
        modelDir,
        localModels,
        reranker,
        answerFinder,
        modelIdleMs,
        cacheBytes,
        shared,
        thread,
        gates,
      };
      return new Worker(new URL("./query-thread.ts", import.meta.url), {
        env: threadEnvironment(),
        workerData: data,
        resourceLimits: KIND.heap,
        transferList: [...transfer],
      });
    });
  };
}
