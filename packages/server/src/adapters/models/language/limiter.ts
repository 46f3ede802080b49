/**
 * An adaptive limit of concurrent tries, adjusted to the provider's responses: additive increase,
 * multiplicative decrease (D. Chiu, R. Jain, "Analysis of the increase and decrease algorithms for congestion
 * avoidance", Computer Networks 17, 1989), with a slow start before the first decrease (V. Jacobson,
 * "Congestion avoidance and control", SIGCOMM 1988).
 */
import { createFairQueue, type QueuePlace } from "../../../domain/fair-queue.ts";
import { isPaused } from "../../../domain/pause.ts";
import type { Clock } from "./clock.ts";
import { createPlaces } from "./limiter-places.ts";

export interface Limiter {
  /**
   * Runs the work as soon as the limit allows: urgent work first, then accounts in turn, the work of one
   * account in order. Work of an account that runs none may exceed the limit by one.
   * @throws LimiterFullError when too many calls are waiting, in total or of the account; LimiterPausedError when a pause is known not
   * to end before the deadline, also while waiting; the signal's reason when it is aborted while waiting
   */
  run<T>(work: () => Promise<T>, options: LimitedRun): Promise<T>;
  /** Starts no try for this time. Does not shorten an earlier, longer pause. */
  pause(ms: number): void;
  state(): LimiterState;
}

export interface LimitedRun extends QueuePlace {
  readonly signal: AbortSignal;
  /** Epoch milliseconds; Infinity = no deadline. */
  readonly deadlineAt: number;
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

export class LimiterPausedError extends Error {
  /** Epoch milliseconds. */
  readonly until: number;

  constructor(until: number) {
    super("no call to the provider is made before the deadline");
    this.name = "LimiterPausedError";
    this.until = until;
  }
}

interface Waiter {
  readonly accountId: string;
  readonly deadlineAt: number;
  /** Gets the function that gives the place back. */
  readonly start: (leave: () => void) => void;
  readonly giveUp: (reason: unknown) => void;
}

interface LimiterOptions {
  readonly initial: number;
  readonly max: number;
  readonly maxWaiting: number;
  /** Leaves room in the queue for other accounts. */
  readonly maxWaitingPerAccount: number;
  readonly clock: Clock;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { max, maxWaiting, maxWaitingPerAccount, clock } = options;
  const limit = createAdaptiveLimit(options.initial, max);
  const pause = createPause(clock);
  const waiting = createFairQueue<Waiter>();
  const waiters = new Set<Waiter>();
  const places = createPlaces(max);

  function startWaiting(): void {
    if (pause.endsAt() !== null) {
      if (waiting.size > 0) pause.callAfter(startWaiting);
      return;
    }
    for (;;) {
      const next = waiting.shift((accountId, isUrgent) =>
        places.mayTake({ accountId, isUrgent }, limit.current()),
      );
      if (next === undefined) return;
      next.start(places.take(next.accountId, limit.current()));
    }
  }

  function enter({ signal, accountId, isUrgent, deadlineAt }: LimitedRun): Promise<() => void> {
    signal.throwIfAborted();
    const pausedUntil = pause.endsAt();
    if (pausedUntil !== null && pausedUntil >= deadlineAt) throw new LimiterPausedError(pausedUntil);
    const ofAccount = waiting.sizeOf(accountId);
    if (waiting.size >= maxWaiting || ofAccount >= maxWaitingPerAccount)
      throw new LimiterFullError(waiting.size);
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        signal.removeEventListener("abort", onAbort);
        waiters.delete(waiter);
      };
      const waiter: Waiter = {
        accountId,
        deadlineAt,
        start(leave) {
          stopWaiting();
          resolve(leave);
        },
        giveUp(reason) {
          stopWaiting();
          remove();
          if (waiting.size === 0) pause.cancelCall();
          reject(reason);
        },
      };
      const onAbort = () => waiter.giveUp(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      waiters.add(waiter);
      const remove = waiting.push(waiter, { accountId, isUrgent });
      startWaiting();
    });
  }

  return {
    async run(work, options) {
      const leave = await enter(options);
      const number = limit.begin();
      try {
        const result = await work();
        limit.increase();
        return result;
      } catch (error) {
        if (options.isOverload(error)) limit.decrease(number);
        throw error;
      } finally {
        leave();
        startWaiting();
      }
    },
    pause(ms) {
      const until = pause.extend(ms);
      for (const waiter of waiters)
        if (waiter.deadlineAt <= until) waiter.giveUp(new LimiterPausedError(until));
    },
    state: () => ({ limit: limit.current(), running: places.running(), waiting: waiting.size }),
  };
}

function createAdaptiveLimit(initial: number, max: number) {
  /**
   * Grows by 1 per success at first, and by 1/limit per success after the first decrease; therefore not an
   * integer.
   */
  let limit = Math.min(initial, max);
  /**
   * Number of the last try that began before the last decrease; overloads of such tries do not decrease the
   * limit again.
   */
  let decreasedAt = 0;
  let begun = 0;
  return {
    current: () => Math.floor(limit),
    /** Returns the number of the try. */
    begin: () => ++begun,
    increase(): void {
      limit = Math.min(max, limit + (decreasedAt === 0 ? 1 : 1 / limit));
    },
    decrease(number: number): void {
      if (number <= decreasedAt) return;
      limit = Math.max(1, limit / 2);
      decreasedAt = begun;
    },
  };
}

function createPause(clock: Clock) {
  let pause = { until: 0, lengthMs: 0 };
  let timer: AbortController | null = null;
  return {
    /** null when nothing is paused. */
    endsAt: () => (isPaused(clock.now(), pause) ? pause.until : null),
    /** Returns its end. */
    extend(ms: number): number {
      const now = clock.now();
      if (!isPaused(now, pause) || now + ms > pause.until) pause = { until: now + ms, lengthMs: ms };
      return pause.until;
    },
    /** Calls once at its end, or when this is cancelled. */
    callAfter(resume: () => void): void {
      if (timer !== null) return;
      timer = new AbortController();
      const wake = () => {
        timer = null;
        resume();
      };
      void clock.sleep(pause.until - clock.now(), timer.signal).then(wake, wake);
    },
    cancelCall: () => timer?.abort(),
  };
}
