/** The main thread's side of the thread that suggests ontologies. */
import { Worker } from "node:worker_threads";
import { errors } from "../domain/errors.ts";
import type { Suggester, SuggesterOutcome } from "../ports/suggester.ts";
import { threadEnvironment } from "../process-environment.ts";
import { THREAD_KINDS, type ThreadKind } from "./kinds.ts";
import { createThreadPool } from "./pool.ts";
import { type StartWorker, type ThreadDeps, ThreadError } from "./thread.ts";

export interface SuggestThread extends Suggester {
  /** Ends the thread at once; pending requests fail. May be called twice. */
  close(): Promise<void>;
}

const RETRY_SECONDS = 1;

/** The first use case starts the thread, which takes about 0.3 s. */
export function createSuggestThread(
  deps: ThreadDeps,
  {
    kind = THREAD_KINDS.suggest,
    start = startSuggestWorker,
  }: { readonly kind?: ThreadKind; readonly start?: StartWorker } = {},
): SuggestThread {
  const pool = createThreadPool<string, SuggesterOutcome>(kind, { startCrew: () => [start] }, deps);
  return {
    async suggest(useCase, place) {
      try {
        return await pool.ask(useCase, place);
      } catch (error) {
        throw error instanceof ThreadError ? unavailable(error) : error;
      }
    },
    close: pool.close,
  };
}

function startSuggestWorker(): Worker {
  return new Worker(new URL("./suggest-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    resourceLimits: THREAD_KINDS.suggest.heap,
  });
}

function unavailable(cause: ThreadError): Error {
  const message =
    cause.fault === "full"
      ? "Too many suggestions are requested at once. Try again shortly."
      : cause.fault === "late"
        ? "The suggestion was not made in time. Try again."
        : "The suggestion could not be made now. Try again shortly.";
  return errors.unavailable(message, { retryAfterSeconds: RETRY_SECONDS, cause });
}
