/** How fast jobs get on, as seen by somebody who looks at them every now and then. */
import type { JobProgress } from "../domain/progress.ts";

export interface Pace {
  /** null until the first chunks are in, and at the end. */
  readonly chunksPerSecond: number | null;
  /** 0 at the end; null while nobody can tell. */
  readonly secondsLeft: number | null;
}

export interface ProgressRate {
  /** What is known after this look. */
  pace(progress: JobProgress, now: number): Pace;
  /** Forgets all jobs that were not looked at since the last call. */
  forgetOthers(): void;
}

/** Batches come in bursts: over fewer seconds the rate would jump with each of them. */
const WINDOW_MS = 20_000;
const MAX_SAMPLES = 40;

interface Sample {
  readonly at: number;
  readonly chunks: number;
}

export function createProgressRate(): ProgressRate {
  let seen = new Map<string, Sample[]>();
  let before = new Map<string, Sample[]>();
  return {
    pace(progress, now) {
      const { jobId, status, completedAt } = progress.job;
      if (completedAt !== null) return { chunksPerSecond: null, secondsLeft: 0 };
      if (status === "pending") return { chunksPerSecond: null, secondsLeft: null };
      const samples = seen.get(jobId) ?? before.get(jobId) ?? [];
      seen.set(jobId, addSample(samples, { at: now, chunks: progress.chunksIndexed }));
      return paceOf(progress, rateOf(progress, samples, now));
    },
    forgetOthers() {
      before = seen;
      seen = new Map();
    },
  };
}

/** Only changes are kept, and the last one before the window. */
function addSample(samples: Sample[], sample: Sample): Sample[] {
  if (samples.at(-1)?.chunks !== sample.chunks) samples.push(sample);
  while (
    samples.length > 2 &&
    ((samples[1]?.at ?? 0) <= sample.at - WINDOW_MS || samples.length > MAX_SAMPLES)
  )
    samples.shift();
  return samples;
}

/** Over the window; before two changes were seen, over the time since the job began. */
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
