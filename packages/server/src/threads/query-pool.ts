/** Questions spread over threads that search one memory. */
import type { Worker } from "node:worker_threads";
import { errors } from "../domain/errors.ts";
import type { VectorAnswerer } from "../ports/answerer.ts";
import type { Log } from "../ports/log.ts";
import type { QueryThreadReply, QueryThreadRequest } from "./query-thread.ts";
import { createRpcClient, endThread, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface QueryPool extends VectorAnswerer {
  /** What keeps the threads from answering now, the model's absence above all; null when one is ready. */
  readonly fault: () => string | null;
  /** Questions that were asked are answered first. */
  close(): Promise<void>;
}

/** Starts all threads of a pool, with a fresh memory that they share. */
export type QueryCrewStart = () => readonly Worker[];

interface Lane {
  readonly worker: Worker;
  readonly client: RpcClient<QueryThreadRequest, QueryThreadReply>;
  /** It has its model. */
  isReady: boolean;
}

/** More questions than this at once are refused: each waits for the ones before it. */
const MAX_PENDING = 256;
const ANSWER_LIMIT_MS = 30_000;
/** Threads that have failed are started again after so long, with the next question or look at their readiness. */
const START_AGAIN_MS = 2_000;
const RETRY_SECONDS = 1;

/**
 * Each question goes to the thread with the fewest open ones, of those that are ready if any is. When a thread dies,
 * what it leased of the shared memory is lost, its lock perhaps too: so all are replaced with the next question. Those
 * of a thread that died fail; the other threads finish theirs in the old memory, each within its time.
 */
export function startQueryPool(start: QueryCrewStart, log: Log): QueryPool {
  let crew: readonly Lane[] | null = null;
  let closing: Promise<unknown> | null = null;
  let fault: string | null = "The embedding model is being loaded.";
  let startAgainAt = 0;
  /** The ends of threads that have been replaced. */
  const leaving = new Set<Promise<void>>();

  function startCrew(): readonly Lane[] {
    const lanes = start().map(
      (worker): Lane => ({ worker, client: createRpcClient(worker), isReady: false }),
    );
    for (const lane of lanes) {
      const gone = (error?: unknown) => {
        lane.client.fail(new ThreadGoneError("query", error));
        if (crew === lanes) dismiss(lane, error);
      };
      lane.worker.once("error", gone);
      lane.worker.once("exit", () => gone());
      void watchReadiness(lane);
    }
    return lanes;
  }

  function dismiss(dead: Lane, error: unknown): void {
    if (closing !== null) return;
    const others = crew?.filter((lane) => lane !== dead) ?? [];
    crew = null;
    pause(error);
    for (const { worker } of others) {
      const end = endThread(worker).finally(() => leaving.delete(end));
      leaving.add(end);
    }
  }

  function pause(error: unknown): void {
    fault = `Questions cannot be answered: ${error instanceof Error ? error.message : "a query thread ended"}`;
    startAgainAt = Date.now() + START_AGAIN_MS;
    log.error("query_threads_gone", { error });
  }

  async function watchReadiness(lane: Lane): Promise<void> {
    try {
      await lane.client.call("ready");
      lane.isReady = true;
      if (crew?.includes(lane)) fault = null;
    } catch {
      // The end of the thread has been told already.
    }
  }

  /** Starts the threads again where they are gone, but not more often than once in a while. */
  function revive(): void {
    if (crew !== null || closing !== null || Date.now() < startAgainAt) return;
    try {
      crew = startCrew();
    } catch (error) {
      pause(error); // The system may have no such memory just now.
    }
  }

  function call(request: QueryThreadRequest): Promise<QueryThreadReply> {
    if (closing !== null) return Promise.reject(new ThreadGoneError("query"));
    revive();
    const lane = leastBusy(crew ?? []);
    if (lane !== null) return lane.client.call(request);
    return Promise.reject(unavailable(fault ?? ""));
  }

  crew = startCrew();
  return {
    fault() {
      revive();
      return fault;
    },
    async answer(question, embedded) {
      const pending = (crew ?? []).reduce((sum, { client }) => sum + client.pending, 0);
      if (pending >= MAX_PENDING)
        throw unavailable("Too many questions wait for an answer. Try again shortly.");
      try {
        return await withDeadline(call({ question, embedded }));
      } catch (error) {
        if (!(error instanceof ThreadGoneError)) throw error;
        throw unavailable(fault ?? error.message, error);
      }
    },
    async close() {
      closing ??= Promise.all([...leaving, ...(crew ?? []).map(({ worker }) => endThread(worker))]);
      await closing;
    },
  };
}

function leastBusy(crew: readonly Lane[]): Lane | null {
  const ready = crew.filter(({ isReady }) => isReady);
  return (ready.length > 0 ? ready : crew).reduce<Lane | null>(
    (least, lane) => (least === null || lane.client.pending < least.client.pending ? lane : least),
    null,
  );
}

function unavailable(message: string, cause?: unknown): Error {
  return errors.unavailable(message, { retryAfterSeconds: RETRY_SECONDS, cause });
}

async function withDeadline<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(unavailable("The question was not answered in time. Try again."));
    }, ANSWER_LIMIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
