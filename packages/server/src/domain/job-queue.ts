/** All jobs of a project together. */
import type { Reread } from "./reread.ts";

export interface JobFailure {
  readonly errorMessage: string;
  readonly jobs: number;
}

export interface JobQueueState {
  readonly pending: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  /** Of the jobs that were accepted since none was unfinished, those that have ended. */
  readonly batch: { readonly completed: number; readonly failed: number };
  /** Of the account's other projects. */
  readonly othersUnfinished: number;
  /** The reread that runs, in documents; null: none does. */
  readonly reread: QueuedReread | null;
  /** When the last jobs ended that were not cancelled, newest first; epoch milliseconds. */
  readonly lastEnds: readonly number[];
  /** Jobs that failed and whose document was not accepted again since, the most frequent reason first. */
  readonly failures: readonly JobFailure[];
}

export interface QueuedReread
  extends Pick<Reread, "documentsProcessed" | "documentsFailed" | "documentsTotal" | "createdAt"> {
  /** Those with a job that has not ended. */
  readonly documentsQueued: number;
}

export interface QueuePace {
  readonly jobsPerMinute: number | null;
  readonly secondsLeft: number | null;
}

/** Jobs that ended earlier say little of how fast the next ones will. */
const PACE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Between two ends, so long and so many times the usual time, nothing was worked on: the queue was empty, or the service stood still. */
const PAUSE_MS = 20_000;
const PAUSE_TIMES = 10;
/** Documents are read again in bursts, and the service may have stood still since the reread began: its rate since then counts within so many times that of late. */
const MOST_TIMES = 2;

/**
 * null where no job is unfinished, or fewer than two ended of late and since the last pause. No time is left to tell where all unfinished jobs
 * run already: their lengths are unknown, and one long document takes longer than many short ones that ended.
 */
export function queuePace({ pending, running, reread, lastEnds }: JobQueueState, now: number): QueuePace {
  // The clock may have been set back since.
  const recent = sinceLastPause(
    lastEnds.filter((at) => at <= now && now - at <= PACE_MS),
    now,
  );
  const oldest = recent.at(-1);
  // A reread has a job for only some of its documents at a time.
  const unread =
    reread === null ? 0 : reread.documentsTotal - reread.documentsProcessed - reread.documentsQueued;
  const unfinished = pending + running + Math.max(0, unread);
  if (unfinished === 0 || recent.length < 2 || oldest === undefined)
    return { jobsPerMinute: null, secondsLeft: null };
  // The first of them only begins the time in which the others ended.
  const perMs = steadied((recent.length - 1) / Math.max(1, now - oldest), reread, now);
  const secondsLeft = unfinished === running ? null : Math.ceil(unfinished / perMs / 1000);
  return { jobsPerMinute: perMs * MINUTE_MS, secondsLeft };
}

function steadied(ofLate: number, reread: QueuedReread | null, now: number): number {
  if (reread === null || reread.createdAt === null || reread.documentsProcessed === 0) return ofLate;
  const sinceStart = reread.documentsProcessed / Math.max(1, now - reread.createdAt);
  return Math.min(Math.max(sinceStart, ofLate / MOST_TIMES), ofLate * MOST_TIMES);
}

/** The ends after the last pause, none while one lasts; newest first, as they are given. */
function sinceLastPause(ends: readonly number[], now: number): readonly number[] {
  const gaps = ends.map((end, at) => (ends[at - 1] ?? now) - end);
  const usualMs = gaps.slice(1).toSorted((a, b) => a - b)[Math.floor((gaps.length - 2) / 2)] ?? 0;
  const pause = gaps.findIndex((gap) => gap > Math.max(PAUSE_MS, PAUSE_TIMES * usualMs));
  return pause < 0 ? ends : ends.slice(0, pause);
}
