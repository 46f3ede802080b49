/**
 * How many tries run at once, learned from how the provider takes them: additive increase, multiplicative decrease (D. Chiu,
 * R. Jain, "Analysis of the increase and decrease algorithms for congestion avoidance", Computer Networks 17, 1989).
 */
import type { Clock } from "./clock.ts";

export interface Limiter {
  /**
   * Runs the work once there is room, in the order asked.
   * @throws LimiterFullError when too many wait already; the signal's reason when it is aborted while waiting
   */
  run<T>(
    work: () => Promise<T>,
    options: { readonly signal: AbortSignal; readonly judge: Judge },
  ): Promise<T>;
  /** No try begins for so long; what was asked to wait longer stays so. */
  pause(ms: number): void;
  state(): LimiterState;
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
  readonly clock: Clock;
}): Limiter {
  const { max, maxWaiting, clock } = options;
  /** Grows by one over as many successes as it is: fractions count. */
  let limit = Math.min(options.initial, max);
  let running = 0;
  let pausedUntil = 0;
  let timer: AbortController | null = null;
  /** Tries that began before the last decrease say nothing about the present limit. */
  let decreasedAt = 0;
  let begun = 0;
  const waiting: Waiter[] = [];

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
    if (timer !== null || waiting.length === 0) return;
    timer = new AbortController();
    const look = () => {
      timer = null;
      startWaiting();
    };
    void clock.sleep(ms, timer.signal).then(look, look);
  }

  function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (waiting.length >= maxWaiting) throw new LimiterFullError(waiting.length);
    return new Promise((resolve, reject) => {
      const leave = () => {
        const place = waiting.indexOf(waiter);
        if (place >= 0) waiting.splice(place, 1);
        if (waiting.length === 0) timer?.abort();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start() {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(waiter);
      startWaiting();
    });
  }

  return {
    async run(work, { signal, judge }) {
      await enter(signal);
      const number = ++begun;
      try {
        const result = await work();
        limit = Math.min(max, limit + 1 / limit);
        return result;
      } catch (error) {
        if (judge(error) && number > decreasedAt) {
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
    state: () => ({ limit: Math.floor(limit), running, waiting: waiting.length }),
  };
}
