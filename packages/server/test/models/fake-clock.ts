import type { Clock } from "../../src/adapters/models/language/clock.ts";

export interface FakeClock extends Clock {
  /** Every pause that was asked for, in milliseconds. */
  readonly pauses: readonly number[];
  advance(ms: number): void;
}

/** Time that passes at once where somebody sleeps. */
export function createFakeClock(options: { random?: () => number } = {}): FakeClock {
  let at = Date.UTC(2031, 3, 21, 12);
  const pauses: number[] = [];
  return {
    pauses,
    advance(ms) {
      at += ms;
    },
    now: () => at,
    random: options.random ?? (() => 0.5),
    async sleep(ms, signal) {
      signal.throwIfAborted();
      pauses.push(ms);
      at += ms;
    },
  };
}
