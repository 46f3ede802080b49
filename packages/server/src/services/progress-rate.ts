/** Estimates the speed of jobs and the time they still need, from samples of their progress. */
import type { JobProgress } from "../domain/progress.ts";

export interface Pace {
  /** null before the first chunks and after the end. */
  readonly chunksPerSecond: number | null;
  /** 0 after the end; null while unknown. */
  readonly secondsLeft: number | null;
}

export interface ProgressRate {
  /** Adds a sample and returns the estimate. */
  pace(progress: JobProgress, now: number): Pace;
  /** Forgets the jobs without a sample since the last call. */
  forgetOthers(): void;
}

/** Batches are committed in bursts: over a shorter window the rate would jump with each burst. */
const WINDOW_MS = 20_000;
const MAX_SAMPLES = 40;

interface Sample {
  readonly at: number;
  readonly chunks: number;
}

export function createProgressRate(): ProgressRate {
  let current = new Map<string, Sample[]>();
  let previous = new Map<string, Sample[]>();
  return {
    pace(progress, now) {
      const { jobId, status, completedAt } = progress.job;
      if (completedAt !== null) return { chunksPerSecond: null, secondsLeft: 0 };
      if (status === "pending") return { chunksPerSecond: null, secondsLeft: null };
      const samples = current.get(jobId) ?? previous.get(jobId) ?? [];
      current.set(jobId, addSample(samples, { at: now, chunks: progress.chunksIndexed }));
      return paceOf(progress, rateOf(progress, samples, now));
    },
    forgetOthers() {
      previous = current;
      current = new Map();
    },
  };
}

/** Keeps the samples in which the count changed: those in the window and the last one before it. */
function addSample(samples: Sample[], sample: Sample): Sample[] {
  if (samples.at(-1)?.chunks !== sample.chunks) samples.push(sample);
  while (
    samples.length > 2 &&
    ((samples[1]?.at ?? 0) <= sample.at - WINDOW_MS || samples.length > MAX_SAMPLES)
  )
    samples.shift();
  return samples;
}

/** Chunks per second over the window; until two changes are known, since the start of the job. */
function rateOf({ job }: JobProgress, samples: readonly Sample[], now: number): number | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first !== undefined && last !== undefined && last.chunks > first.chunks) {
    return (last.chunks - first.chunks) / (Math.max(now - first.at, 1) / 1000);
  }
  if (job.chunksProcessed === 0 || job.startedAt === null) return null;
  return job.chunksProcessed / (Math.max(now - job.startedAt, 1) / 1000);
}

function paceOf({ chunksTotal, chunksIndexed }: JobProgress, rate: number | null): Pace {
  if (rate === null || rate <= 0) return { chunksPerSecond: rate, secondsLeft: null };
  const left = chunksTotal === null ? null : Math.max(0, chunksTotal - chunksIndexed);
  return {
    chunksPerSecond: Math.round(rate * 100) / 100,
    secondsLeft: left === null ? null : Math.ceil(left / rate),
  };
}
