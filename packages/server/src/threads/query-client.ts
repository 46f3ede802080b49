/** The main thread's side of the query thread. */
import { type Transferable, Worker } from "node:worker_threads";
import { errors } from "../domain/errors.ts";
import type { Answer, Question } from "../domain/query.ts";
import type { Answerer } from "../ports/answerer.ts";
import type { Log } from "../ports/log.ts";
import type { QueryThreadData } from "./query-thread.ts";
import { createRpcClient, endThread, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface QueryThread extends Answerer {
  /** What keeps the thread from answering now, the model's absence above all; null when it is ready. */
  readonly fault: () => string | null;
  close(): Promise<void>;
}

/** More questions than this at once are refused: each waits for the ones before it. */
const MAX_PENDING = 256;
const ANSWER_LIMIT_MS = 30_000;
/** A thread that has failed is started again after so long, with the next question or look at its readiness. */
const START_AGAIN_MS = 2_000;
const RETRY_SECONDS = 1;

type Client = RpcClient<Question | "ready", Answer | null>;

/** What a thread is started with; a fresh connection to the database for each one. */
export type QueryThreadStart = () => {
  readonly data: QueryThreadData;
  readonly transfer: readonly Transferable[];
};

/** Starts the thread; one that dies fails its questions and is replaced with the next one. */
export function startQueryThread(prepare: QueryThreadStart, log: Log): QueryThread {
  let current: { worker: Worker; client: Client } | null = null;
  let closed = false;
  let fault: string | null = "The embedding model is being loaded.";
  let startAgainAt = 0;

  function start(): { worker: Worker; client: Client } {
    const { data, transfer } = prepare();
    const worker = new Worker(new URL("./query-thread.ts", import.meta.url), {
      workerData: data,
      transferList: [...transfer],
    });
    const started = { worker, client: createRpcClient<Question | "ready", Answer | null>(worker) };
    const gone = (error?: unknown) => {
      if (current === started) current = null;
      started.client.fail(new ThreadGoneError("query", error));
      if (closed) return;
      fault = `Questions cannot be answered: ${error instanceof Error ? error.message : "the query thread ended"}`;
      startAgainAt = Date.now() + START_AGAIN_MS;
      log.error("query_thread_gone", { error });
    };
    worker.once("error", gone);
    worker.once("exit", () => {
      if (current === started) gone();
    });
    void watchReadiness(started.client);
    return started;
  }

  async function watchReadiness(client: Client): Promise<void> {
    try {
      await client.call("ready");
      fault = null;
    } catch {
      // The end of the thread has been told already.
    }
  }

  /** Starts the thread again where it is gone, but not more often than once in a while. */
  function revive(): void {
    if (current === null && !closed && Date.now() >= startAgainAt) current = start();
  }

  function call(request: Question): Promise<Answer | null> {
    if (closed) return Promise.reject(new ThreadGoneError("query"));
    revive();
    if (current !== null) return current.client.call(request);
    return Promise.reject(errors.unavailable(fault ?? "", { retryAfterSeconds: RETRY_SECONDS }));
  }

  current = start();
  return {
    fault() {
      revive();
      return fault;
    },
    async answer(question) {
      if ((current?.client.pending ?? 0) >= MAX_PENDING) {
        throw errors.unavailable("Too many questions wait for an answer. Try again shortly.", {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      try {
        return await withDeadline(call(question));
      } catch (error) {
        if (!(error instanceof ThreadGoneError)) throw error;
        throw errors.unavailable(fault ?? error.message, { retryAfterSeconds: RETRY_SECONDS, cause: error });
      }
    },
    async close() {
      closed = true;
      if (current !== null) await endThread(current.worker);
    },
  };
}

async function withDeadline<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        errors.unavailable("The question was not answered in time. Try again.", {
          retryAfterSeconds: RETRY_SECONDS,
        }),
      );
    }, ANSWER_LIMIT_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
