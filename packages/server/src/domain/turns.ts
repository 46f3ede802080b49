/** Lets a bounded number of pieces of work run at a time; of the others that wait, accounts take turns. */
import { createFairQueue } from "./fair-queue.ts";

export interface Turns {
  /** Pieces of work that wait. Their callers bound their number. */
  readonly waiting: number;
  waitingOf(accountId: string): number;
  /** @throws what the work throws; the signal's reason when it is aborted before the work has begun */
  run<Result>(work: () => Promise<Result>, place: TurnPlace): Promise<Result>;
}

export interface TurnPlace {
  /** "" for work of the service itself. */
  readonly accountId: string;
  /** null = the work is wanted in any case. */
  readonly signal: AbortSignal | null;
}

/** `ofAccount`: how many of one account run at a time; it does not bind the service's own work. */
export function createTurns(limits: { readonly atOnce?: number; readonly ofAccount?: number }): Turns {
  const { atOnce = Number.POSITIVE_INFINITY, ofAccount = atOnce } = limits;
  let running = 0;
  /** Accounts without running work have no entry, so the map does not grow. */
  const runningOf = new Map<string, number>();
  const queue = createFairQueue<() => void>();

  const mayBegin = (accountId: string) => accountId === "" || (runningOf.get(accountId) ?? 0) < ofAccount;

  function count(accountId: string, change: 1 | -1): void {
    running += change;
    const own = (runningOf.get(accountId) ?? 0) + change;
    if (own === 0) runningOf.delete(accountId);
    else runningOf.set(accountId, own);
  }

  function wait({ accountId, signal }: TurnPlace): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener("abort", giveUp);
        count(accountId, 1);
        resolve();
      };
      const leave = queue.push(begin, { accountId, isUrgent: false });
      const giveUp = () => {
        leave();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** A place passes to the next one without being free in between. */
  function beginNext(): void {
    while (running < atOnce) {
      const begin = queue.shift(mayBegin);
      if (begin === undefined) return;
      begin();
    }
  }

  return {
    get waiting() {
      return queue.size;
    },
    waitingOf: queue.sizeOf,
    async run(work, place) {
      const { accountId, signal } = place;
      signal?.throwIfAborted();
      if (running < atOnce && mayBegin(accountId)) count(accountId, 1);
      else await wait(place);
      try {
        return await work();
      } finally {
        count(accountId, -1);
        beginNext();
      }
    },
  };
}
