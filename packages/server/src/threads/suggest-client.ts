/** The main thread's side of the thread that suggests ontologies. */
import { Worker } from "node:worker_threads";
import { errors } from "../domain/errors.ts";
import type { Suggester, SuggesterOutcome } from "../ports/suggester.ts";
import { SMALL_HEAP } from "./heap-limits.ts";
import { createHelperThread } from "./helper-thread.ts";
import { ThreadGoneError } from "./rpc.ts";

export interface SuggestThread extends Suggester {
  /** Ends the thread at once; what was asked fails. May be called twice. */
  close(): Promise<void>;
}

const IDLE_MS = 30_000;
/** Each takes milliseconds, and waits for those before it. */
const MAX_PENDING = 64;
const RETRY_SECONDS = 1;

/** Starts a thread with the first use case (some 0.3 s) and ends it when there was none for `idleMs`; one that dies is replaced with the next. */
export function createSuggestThread(
  options: { readonly idleMs?: number; readonly startWorker?: () => Worker } = {},
): SuggestThread {
  const { idleMs = IDLE_MS, startWorker = startSuggestWorker } = options;
  const thread = createHelperThread<string, SuggesterOutcome>({ name: "suggestion", idleMs, startWorker });
  return {
    async suggest(useCase) {
      if (thread.pending >= MAX_PENDING) throw notNow();
      return thread.ask(useCase).catch((error: unknown) => {
        throw error instanceof ThreadGoneError ? notNow(error) : error;
      });
    },
    close: thread.close,
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
