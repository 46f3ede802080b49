/** Time and chance, given from outside so that tests need not wait. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Rejects with the signal's reason when that is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal });
    } catch {
      // The timer's own error hides the reason that callers look for.
      signal.throwIfAborted();
    }
  },
};
