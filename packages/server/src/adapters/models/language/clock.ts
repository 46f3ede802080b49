/** Time and random numbers, injected so that tests do not have to wait. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Clock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Rejects with the signal's reason if it is aborted first. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In the range [0, 1). */
  readonly random: () => number;
}

export const systemClock: Clock = {
  now: Date.now,
  random: Math.random,
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, { signal });
    } catch {
      // The timer's own error hides the abort reason, which callers check.
      signal.throwIfAborted();
    }
  },
};
