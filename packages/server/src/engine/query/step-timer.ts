/** Measures the steps of one query. */
import type { Explanation, QueryStep } from "../../domain/explanation.ts";

export interface StepTimer {
  /** Runs the work and adds its duration to the step. */
  measure<T>(step: QueryStep, work: () => T | Promise<T>): Promise<T>;
  /** In milliseconds, to two decimals; `total` is the time since the timer was created. */
  readTimings(): Explanation["timingsMs"];
}

export function createStepTimer(now: () => number = () => performance.now()): StepTimer {
  const startedAt = now();
  const durations: Record<QueryStep, number> = {
    embed: 0,
    index: 0,
    search: 0,
    graph: 0,
    chunks: 0,
    reading: 0,
    answerGraph: 0,
    summary: 0,
  };
  return {
    async measure(step, work) {
      const stepStartedAt = now();
      try {
        return await work();
      } finally {
        durations[step] += now() - stepStartedAt;
      }
    },
    readTimings() {
      const timings = Object.entries({ ...durations, total: now() - startedAt });
      // The keys are those of the object above.
      return Object.fromEntries(
        timings.map(([step, ms]) => [step, Math.round(ms * 100) / 100]),
      ) as Explanation["timingsMs"];
    },
  };
}
