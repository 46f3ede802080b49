/**
 * How many tries run at once, learned from how the provider takes them: additive increase, multiplicative decrease (D. Chiu,
 * R. Jain, "Analysis of the increase and decrease algorithms for congestion avoidance", Computer Networks 17, 1989), with a slow
 * start before the first decrease (V. Jacobson, "Congestion avoidance and control", SIGCOMM 1988).
 */
import { createFairQueue, type QueuePlace } from "../../../domain/fair-queue.ts";
import type { Clock } from "./clock.ts";

export interface Limiter {
  /**
   * Runs the work once there is room: what is urgent first, accounts in turn, the work of one in the order asked.
   * @throws LimiterFullError when too many wait already, of all or of the account; the signal's reason when it is aborted while waiting
   */
  run<T>(work: () => Promise<T>, options: LimitedRun): Promise<T>;
  /** No try begins for so long; what was asked to wait longer stays so. */
  pause(ms: number): void;
  state(): LimiterState;
}

export interface LimitedRun extends QueuePlace {
  readonly signal: AbortSignal;
  readonly judge: Judge;
}

/** Whether an error of the work says that the provider has too much to do. */
export type Judge = (error: unknown) => boolean;

export interface LimiterState {
  readonly limit: number;
  readonly running: number;
  readonly waiting: number;
}

export class LimiterFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} calls of the language model wait already`);
    this.name = "LimiterFullError";
  }
}

interface Waiter {
  readonly start: () => void;
}

export function createLimiter(options: {
  readonly initial: number;
  readonly max: number;
  readonly maxWaiting: number;
  /** The others leave room for an account that comes later. */
  readonly maxWaitingPerAccount: number;
  readonly clock: Clock;
}): Limiter {
  const { max, maxWaiting, maxWaitingPerAccount, clock } = options;
  /** Grows by one with each success, after a decrease by one over as many successes as it is: fractions count. */
  let limit = Math.min(options.initial, max);
  let running = 0;
  let pausedUntil = 0;
  let timer: AbortController | null = null;
  /** Tries that began before the last decrease say nothing about the present limit. */
  let decreasedAt = 0;
  let begun = 0;
  const waiting = createFairQueue<Waiter>();

  function startWaiting(): void {
    const pauseMs = pausedUntil - clock.now();
    if (pauseMs > 0) {
      lookAgainAfter(pauseMs);
      return;
    }
    while (running < Math.floor(limit)) {
      const next = waiting.shift();
      if (next === undefined) return;
      running += 1;
      next.start();
    }
  }

  function lookAgainAfter(ms: number): void {
    if (timer !== null || waiting.size === 0) return;
    timer = new AbortController();
    const look = () => {
      timer = null;
      startWaiting();
    };
    void clock.sleep(ms, timer.signal).then(look, look);
  }

  function enter({ signal, accountId, isUrgent }: LimitedRun): Promise<void> {
    signal.throwIfAborted();
    const ofAccount = waiting.sizeOf(accountId);
    if (waiting.size >= maxWaiting || ofAccount >= maxWaitingPerAccount)
      throw new LimiterFullError(waiting.size);
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.remove(waiter);
        if (waiting.size === 0) timer?.abort();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(waiter, { accountId, isUrgent });
      startWaiting();
    });
  }

  return {
    async run(work, options) {
      await enter(options);
      const number = ++begun;
      try {
        const result = await work();
        limit = Math.min(max, limit + (decreasedAt === 0 ? 1 : 1 / limit));
        return result;
      } catch (error) {
        if (options.judge(error) && number > decreasedAt) {
          limit = Math.max(1, limit / 2);
          decreasedAt = begun;
        }
        throw error;
      } finally {
        running -= 1;
        startWaiting();
      }
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, clock.now() + ms);
    },
    state: () => ({ limit: Math.floor(limit), running, waiting: waiting.size }),
  };
}
