import { ApiError } from "@kcs/sdk";
import type { SentJob } from "./ingest-input.ts";

/** How often a request waits for the rate limit, which allows some each minute. */
const maxWaits = 10;

export interface Sending {
  /** `sent`: of how many of the items these are the jobs; an archive has several. */
  readonly onSent: (jobs: readonly SentJob[], sent: number) => void;
  /** Seconds until a request goes on that the rate limit has refused. */
  readonly onWait?: (seconds: number) => void;
}

/**
 * Calls `onSent` after each request, so that accepted documents are shown even when a later request is refused. Only the first one fails
 * at the rate limit; those after it wait.
 */
export async function sendEach<Batch extends { readonly length: number }>(
  batches: readonly Batch[],
  { onSent, onWait = () => undefined }: Sending,
  send: (batch: Batch) => Promise<{ readonly jobs: readonly SentJob[] }>,
): Promise<void> {
  for (const [at, batch] of batches.entries())
    for (let waits = 0; ; waits++) {
      try {
        onSent((await send(batch)).jobs, batch.length);
        break;
      } catch (error) {
        const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null;
        if (at === 0 || seconds === null || waits === maxWaits) throw error;
        onWait(Math.ceil(seconds));
        await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
      }
    }
}
