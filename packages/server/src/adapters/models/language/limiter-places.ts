import type { QueuePlace } from "../../../domain/fair-queue.ts";

/**
 * Who runs. Calls of one account may hang until their time is over, and then lower the limit: so one piece of work at a time may
 * begin beyond the limit, if its account runs none, and to urgent work accounts that run some leave the last place of the maximum.
 */
export function createPlaces(max: number) {
  /** Accounts that run nothing have no entry, so the map does not grow. */
  const runningOf = new Map<string, number>();
  let running = 0;
  let isBeyondLimit = false;

  function count(accountId: string, change: 1 | -1): void {
    running += change;
    const own = (runningOf.get(accountId) ?? 0) + change;
    if (own === 0) runningOf.delete(accountId);
    else runningOf.set(accountId, own);
  }

  return {
    running: () => running,
    mayTake({ accountId, isUrgent }: QueuePlace, limit: number): boolean {
      if (runningOf.has(accountId)) return running < (isUrgent ? Math.min(limit, max - 1) : limit);
      return running < (isBeyondLimit ? limit : max);
    },
    /** Returns the function that gives the place back. */
    take(accountId: string, limit: number): () => void {
      const isExtra = running >= limit;
      isBeyondLimit ||= isExtra;
      count(accountId, 1);
      return () => {
        if (isExtra) isBeyondLimit = false;
        count(accountId, -1);
      };
    },
  };
}
