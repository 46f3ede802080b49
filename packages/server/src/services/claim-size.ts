/** How much a worker claims at once: what it does in a few seconds, so that other processes find work, too. */
import type { ClaimJobs, CommittedPart } from "../ports/store.ts";

type ClaimLimits = Pick<ClaimJobs, "maxJobs" | "maxTextBytes">;

export interface ClaimSize {
  limits(): ClaimLimits;
  /** Measures the work on one claim, of which every committed batch is told. */
  measure(): ClaimMeasure;
}

interface ClaimMeasure {
  add(parts: readonly CommittedPart[]): void;
  end(): void;
}

/** Of one lane. Shorter claims make small batches, each with its commit; of longer ones, the last of several processes keeps the others waiting. */
const TARGET_MS = { alone: 4_000, shared: 2_500 };
const MOST: ClaimLimits = { maxJobs: 64, maxTextBytes: 256 * 1024 };
const LEAST: ClaimLimits = { maxJobs: 1, maxTextBytes: 4 * 1024 };
/** Of the first claim. The bundled model needs about a second for so much text in each thread. */
const FIRST: ClaimLimits = { maxJobs: 16, maxTextBytes: 32 * 1024 };
/** One claim says little of the next: the size changes by this factor at most. */
const MOST_CHANGE = 4;

/** `queue`: whether other processes can claim from it, too. `now`: milliseconds of any clock that is not set back. */
export function createClaimSize(
  queue: keyof typeof TARGET_MS,
  now: () => number = () => performance.now(),
): ClaimSize {
  let limits = FIRST;

  function adjust(done: {
    readonly jobs: number;
    readonly textLength: number;
    readonly tookMs: number;
  }): void {
    const factor = Math.min(
      MOST_CHANGE,
      Math.max(1 / MOST_CHANGE, TARGET_MS[queue] / Math.max(1, done.tookMs)),
    );
    // A claim of few or short documents is no reason for smaller ones unless it took too long.
    const next = (limit: number, amount: number) =>
      factor > 1 ? Math.max(limit, amount * factor) : amount * factor;
    limits = {
      maxJobs: within(next(limits.maxJobs, done.jobs), "maxJobs"),
      maxTextBytes: within(next(limits.maxTextBytes, done.textLength), "maxTextBytes"),
    };
  }

  return {
    limits: () => limits,
    measure() {
      const began = now();
      let jobs = 0;
      let textLength = 0;
      return {
        add(parts) {
          for (const { chunks, finished } of parts) {
            if (finished) jobs++;
            for (const { start, end } of chunks) textLength += end - start;
          }
        },
        end() {
          if (textLength > 0) adjust({ jobs, textLength, tookMs: now() - began });
        },
      };
    },
  };
}

function within(value: number, name: keyof ClaimLimits): number {
  return Math.round(Math.min(MOST[name], Math.max(LEAST[name], value)));
}
