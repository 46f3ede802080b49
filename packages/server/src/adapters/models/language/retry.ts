/** Retries failures that may be temporary. This is the only layer that retries provider calls. */
import type { Clock } from "./clock.ts";
import { ProviderFault } from "./provider-fault.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Limit of the wait that a provider can ask for. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

export interface RetryResult<T> {
  readonly result: T;
  readonly retries: number;
}

/** All tries have failed, or another try would not help. */
export class RetriesExhaustedError extends Error {
  readonly fault: ProviderFault;
  readonly retries: number;

  constructor(fault: ProviderFault, retries: number) {
    super(fault.message, { cause: fault });
    this.name = "RetriesExhaustedError";
    this.fault = fault;
    this.retries = retries;
  }
}

/**
 * Repeats an attempt that fails with a ProviderFault other than a refusal. Any other error is thrown at once.
 * @throws RetriesExhaustedError; the signal's reason when it is aborted during a pause
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: {
    readonly maxRetries: number;
    /** False when a try has had an effect that another one would repeat. */
    readonly mayRetry?: () => boolean;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    /** Epoch milliseconds; Infinity = no deadline. A pause that would end after it is not started. */
    readonly deadlineAt: number;
  },
): Promise<RetryResult<T>> {
  const { clock, signal, deadlineAt } = options;
  for (let retries = 0; ; retries++) {
    try {
      return { result: await attempt(), retries };
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      const waitMs = pauseMs(error, retries, clock.random());
      const isFinal = error.kind === "refused" || options.mayRetry?.() === false;
      const isLast = isFinal || retries >= options.maxRetries;
      if (isLast || clock.now() + waitMs >= deadlineAt) throw new RetriesExhaustedError(error, retries);
      await clock.sleep(waitMs, signal);
    }
  }
}

/**
 * Exponential back-off, half of it random ("equal jitter": M. Brooker, "Exponential backoff and jitter", AWS
 * Architecture Blog, 2015). If the provider asks for a longer wait, uses that plus a random part, so that
 * clients do not retry all at once.
 */
export function pauseMs(fault: Pick<ProviderFault, "retryAfterMs">, retries: number, random: number): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
  const backOff = full / 2 + (full / 2) * random;
  if (fault.retryAfterMs === null) return backOff;
  const requestedMs = Math.min(fault.retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return Math.max(backOff, requestedMs + (FIRST_PAUSE_MS / 2) * random);
}
