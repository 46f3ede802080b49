/** Shares the time of one thread between accounts whose requests overlap in it. */
import { setImmediate } from "node:timers/promises";
import { createTurns } from "../domain/turns.ts";

export interface SharedTime {
  /** The requests of one account run one after the other, those of several accounts overlap. */
  run<Output>(accountId: string, work: () => Promise<Output>): Promise<Output>;
  /**
   * Wraps each call of a model, in which the event loop turns and other requests go on. A request that has computed for
   * long since its last call first lets the others compute for as long.
   */
  call<Output>(call: () => Promise<Output>): Promise<Output>;
}

/** Shorter steps alternate with the calls of other requests as they come. */
const LONG_STEP_MS = 10;
/** No step takes as long; what is counted beyond it was spent elsewhere. */
const LONGEST_PAUSE_MS = 2_000;

/** `now`: in milliseconds, never decreasing. */
export function createSharedTime(now: () => number): SharedTime {
  const turns = createTurns({ ofAccount: 1 });
  let running = 0;
  /** When a call last began or returned: since then one request has computed, without a turn of the event loop. */
  let resumedAt = now();

  /** Two requests may wait for the same vector, so the pause ends by itself: whom it is for may wait for this request. */
  async function pauseFor(stepMs: number): Promise<void> {
    const end = now() + Math.min(stepMs, LONGEST_PAUSE_MS);
    while (running > 1 && now() < end) await setImmediate();
  }

  return {
    run(accountId, work) {
      return turns.run(
        async () => {
          if (running === 0) resumedAt = now();
          running++;
          try {
            return await work();
          } finally {
            running--;
          }
        },
        // "" is not bound by turns.
        { accountId: accountId === "" ? "service" : accountId, signal: null },
      );
    },
    async call(call) {
      const calledAt = now();
      const stepMs = calledAt - resumedAt;
      resumedAt = calledAt;
      if (running > 1 && stepMs >= LONG_STEP_MS) await pauseFor(stepMs);
      try {
        return await call();
      } finally {
        resumedAt = now();
      }
    },
  };
}
