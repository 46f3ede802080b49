/** Tries again what may go better a second time: at the call, and nowhere above it. */
import type { Clock } from "./clock.ts";
import { ProviderFault } from "./provider-fault.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** What a provider may ask for at most. */
export const LONGEST_RETRY_AFTER_MS = 60_000;

export interface Tried<T> {
  readonly result: T;
  readonly retries: number;
}

/** The tries are spent, or another would not help. */
export class TriesSpentError extends Error {
  readonly fault: ProviderFault;
  readonly retries: number;

  constructor(fault: ProviderFault, retries: number) {
    super(fault.message, { cause: fault });
    this.name = "TriesSpentError";
    this.fault = fault;
    this.retries = retries;
  }
}

/**
 * Repeats an attempt that ends with a ProviderFault, other than a refusal; any other error ends it at once.
 * @throws TriesSpentError; the signal's reason when it is aborted during a pause
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  options: {
    readonly maxRetries: number;
    readonly clock: Clock;
    readonly signal: AbortSignal;
    /** Epoch milliseconds; Infinity = none. A pause that would end after it is not begun. */
    readonly deadlineAt: number;
  },
): Promise<Tried<T>> {
  const { clock, signal, deadlineAt } = options;
  for (let retries = 0; ; retries++) {
    try {
      return { result: await attempt(), retries };
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      const waitMs = pauseMs(error, retries, clock.random());
      const isLast = error.kind === "refused" || retries >= options.maxRetries;
      if (isLast || clock.now() + waitMs >= deadlineAt) throw new TriesSpentError(error, retries);
      await clock.sleep(waitMs, signal);
    }
  }
}

/**
 * Exponential back-off of which half is chance ("equal jitter": M. Brooker, "Exponential backoff and jitter", AWS
 * Architecture Blog, 2015); where the provider asks for longer, that, and chance on top so that not all come back at once.
 */
export function pauseMs(fault: Pick<ProviderFault, "retryAfterMs">, retries: number, random: number): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
  const backOff = full / 2 + (full / 2) * random;
  if (fault.retryAfterMs === null) return backOff;
  const asked = Math.min(fault.retryAfterMs, LONGEST_RETRY_AFTER_MS);
  return Math.max(backOff, asked + (FIRST_PAUSE_MS / 2) * random);
}
