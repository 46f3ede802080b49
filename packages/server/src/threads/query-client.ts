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
      if (!closed) log.error("query_thread_gone", { error });
    };
    worker.on("error", gone);
    worker.on("exit", () => gone());
    void watchReadiness(started.client);
    return started;
  }

  async function watchReadiness(client: Client): Promise<void> {
    try {
      await client.call("ready");
      fault = null;
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
      if (!closed) log.error("query_thread_not_ready", { error });
    }
  }

  function call(request: Question): Promise<Answer | null> {
    if (closed) return Promise.reject(new ThreadGoneError("query"));
    current ??= start();
    return current.client.call(request);
  }

  current = start();
  return {
    fault: () => fault,
    async answer(question) {
      if ((current?.client.pending ?? 0) >= MAX_PENDING) {
        throw errors.unavailable("Too many questions wait for an answer. Try again shortly.", {
          retryAfterSeconds: RETRY_SECONDS,
        });
      }
      return withDeadline(call(question));
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
