/**
 * An adaptive limit of concurrent tries, adjusted to the provider's responses: additive increase,
 * multiplicative decrease (D. Chiu, R. Jain, "Analysis of the increase and decrease algorithms for congestion
 * avoidance", Computer Networks 17, 1989), with a slow start before the first decrease (V. Jacobson,
 * "Congestion avoidance and control", SIGCOMM 1988).
 */
import { createFairQueue, type QueuePlace } from "../../../domain/fair-queue.ts";
import { isPaused } from "../../../domain/pause.ts";
import type { Clock } from "./clock.ts";

export interface Limiter {
  /**
   * Runs the work as soon as the limit allows: urgent work first, then accounts in turn, the work of one
   * account in order. Urgent work of an account that runs none may exceed the limit by one.
   * @throws LimiterFullError when too many calls are waiting, in total or of the account; the signal's reason
   * when it is aborted while waiting
   */
  run<T>(work: () => Promise<T>, options: LimitedRun): Promise<T>;
  /** Starts no try for this time. Does not shorten an earlier, longer pause. */
  pause(ms: number): void;
  state(): LimiterState;
}

export interface LimitedRun extends QueuePlace {
  readonly signal: AbortSignal;
  readonly isOverload: IsOverload;
}

/** Whether an error of the work means that the provider is overloaded. */
export type IsOverload = (error: unknown) => boolean;

export interface LimiterState {
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

export class LimiterFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} calls to the provider are already waiting`);
    this.name = "LimiterFullError";
  }
}

interface Waiter {
  readonly accountId: string;
  /** Gets the function that gives the place back. */
  readonly start: (leave: () => void) => void;
}

export function createLimiter(options: {
  readonly initial: number;
  readonly max: number;
  readonly maxWaiting: number;
  /** Leaves room in the queue for other accounts. */
  readonly maxWaitingPerAccount: number;
  readonly clock: Clock;
}): Limiter {
  const { max, maxWaiting, maxWaitingPerAccount, clock } = options;
  /**
   * Grows by 1 per success at first, and by 1/limit per success after the first decrease; therefore not an
   * integer.
   */
  let limit = Math.min(options.initial, max);
  let pause = { until: 0, lengthMs: 0 };
  let timer: AbortController | null = null;
  /**
   * Number of the last try that began before the last decrease; overloads of such tries do not decrease the
   * limit again.
   */
  let decreasedAt = 0;
  let begun = 0;
  const waiting = createFairQueue<Waiter>();
  const places = createPlaces(max);

  function startWaiting(): void {
    const now = clock.now();
    if (isPaused(now, pause)) {
      resumeAfter(pause.until - now);
      return;
    }
    for (;;) {
      const next = waiting.shift((accountId, isUrgent) =>
        places.mayTake({ accountId, isUrgent }, Math.floor(limit)),
      );
      if (next === undefined) return;
      next.start(places.take(next.accountId, Math.floor(limit)));
    }
  }

  function resumeAfter(ms: number): void {
    if (timer !== null || waiting.size === 0) return;
    timer = new AbortController();
    const resume = () => {
      timer = null;
      startWaiting();
    };
    void clock.sleep(ms, timer.signal).then(resume, resume);
  }

  function enter({ signal, accountId, isUrgent }: LimitedRun): Promise<() => void> {
    signal.throwIfAborted();
    const ofAccount = waiting.sizeOf(accountId);
    if (waiting.size >= maxWaiting || ofAccount >= maxWaitingPerAccount)
      throw new LimiterFullError(waiting.size);
    return new Promise((resolve, reject) => {
      const leave = () => {
        remove();
        if (waiting.size === 0) timer?.abort();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        accountId,
        start(leavePlace) {
          signal.removeEventListener("abort", leave);
          resolve(leavePlace);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      const remove = waiting.push(waiter, { accountId, isUrgent });
      startWaiting();
    });
  }

  return {
    async run(work, options) {
      const leave = await enter(options);
      const number = ++begun;
      try {
        const result = await work();
        limit = Math.min(max, limit + (decreasedAt === 0 ? 1 : 1 / limit));
        return result;
      } catch (error) {
        if (options.isOverload(error) && number > decreasedAt) {
          limit = Math.max(1, limit / 2);
          decreasedAt = begun;
        }
        throw error;
      } finally {
        leave();
        startWaiting();
      }
    },
    pause(ms) {
      const now = clock.now();
      if (!isPaused(now, pause) || now + ms > pause.until) pause = { until: now + ms, lengthMs: ms };
    },
    state: () => ({ limit: Math.floor(limit), running: places.running(), waiting: waiting.size }),
  };
}

/**
 * Who runs. Calls of one account may hang until their time is over, and then lower the limit: so one piece of urgent work at a time
 * may begin beyond the limit, if its account runs none, and accounts that run some leave it the last place of the maximum.
 */
function createPlaces(max: number) {
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
      if (!isUrgent) return running < limit;
      if (runningOf.has(accountId)) return running < Math.min(limit, max - 1);
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
