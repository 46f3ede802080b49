/** The main thread's side of the thread that suggests ontologies. */
import { Worker } from "node:worker_threads";
import { errors } from "../domain/errors.ts";
import type { Suggester, SuggesterOutcome } from "../ports/suggester.ts";
import { SMALL_HEAP } from "./heap-limits.ts";
import { createRpcClient, type RpcClient, ThreadGoneError } from "./rpc.ts";

export interface SuggestThread extends Suggester {
  /** Ends the thread at once; what was asked fails. May be called twice. */
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
/** Each takes milliseconds, and waits for those before it. */
const MAX_PENDING = 64;
const RETRY_SECONDS = 1;

interface Running {
  readonly worker: Worker;
  readonly client: RpcClient<string, SuggesterOutcome>;
}

/** Starts a thread with the first use case (some 0.3 s) and ends it when there was none for `idleMs`; one that dies is replaced with the next. */
export function createSuggestThread(
  options: { readonly idleMs?: number; readonly startWorker?: () => Worker } = {},
): SuggestThread {
  const { idleMs = IDLE_MS, startWorker = startSuggestWorker } = options;
  let current: Running | null = null;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): Running {
    const worker = startWorker();
    const running: Running = { worker, client: createRpcClient(worker) };
    const gone = (cause?: unknown) => {
      if (current === running) current = null;
      running.client.fail(new ThreadGoneError("suggestion", cause));
    };
    worker.once("error", gone);
    worker.once("exit", () => gone());
    return running;
  }

  /** It runs nothing but JavaScript, which may be ended anywhere. */
  async function end(): Promise<void> {
    clearTimeout(idle);
    const running = current;
    current = null;
    await running?.worker.terminate();
  }

  return {
    async suggest(useCase) {
      if (closed || (current?.client.pending ?? 0) >= MAX_PENDING) throw notNow();
      clearTimeout(idle);
      current ??= start();
      const running = current;
      try {
        return await running.client.call(useCase);
      } catch (error) {
        throw error instanceof ThreadGoneError ? notNow(error) : error;
      } finally {
        if (current === running && running.client.pending === 0)
          idle = setTimeout(() => void end(), idleMs).unref();
      }
    },
    async close() {
      closed = true;
      await end();
    },
  };
}

function startSuggestWorker(): Worker {
  return new Worker(new URL("./suggest-thread.ts", import.meta.url), { resourceLimits: SMALL_HEAP });
}

function notNow(cause?: unknown): Error {
  return errors.unavailable("Too much is asked at once, or the service is stopping. Try again shortly.", {
    retryAfterSeconds: RETRY_SECONDS,
    cause,
  });
}
