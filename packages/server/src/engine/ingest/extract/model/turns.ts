/** Lets a bounded number of calls run at a time; of the others that wait, accounts take turns. */
import { createFairQueue } from "../../../../domain/fair-queue.ts";

export interface Turns {
  /** @throws what the work throws; the signal's reason when it is aborted before the work's turn has come */
  run<T>(work: () => Promise<T>, place: { accountId: string; signal: AbortSignal }): Promise<T>;
}

/** Nobody waits without a promise that its caller holds: the queue is as long as its callers make it. */
export function createTurns(atATime: number): Turns {
  let running = 0;
  const waiting = createFairQueue<() => void>();

  function wait({ accountId, signal }: { accountId: string; signal: AbortSignal }): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.remove(begin);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(begin, { accountId, isUrgent: false });
    });
  }

  return {
    async run(work, place) {
      place.signal.throwIfAborted();
      if (running >= atATime) await wait(place);
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
