import { KcsError, TimeoutError } from "./errors.ts";
import type { JobEvent } from "./job-events.ts";
import { createJobPoll, type JobSource } from "./poll-jobs.ts";
import { requireTime, sleep, startTimeLimit } from "./time-limit.ts";
import type { CallOptions } from "./transport.ts";
import type { Job, JobProgress } from "./wire.ts";

/** A job has failed. `job.error_message` says why. */
export class JobFailedError extends KcsError {
  override readonly name = "JobFailedError";
  readonly job: Job;

  constructor(job: Job) {
    super(
      `${job.job_id} of ${JSON.stringify(job.source_doc_id)} failed: ${job.error_message ?? "no reason given"}`,
    );
    this.job = job;
  }
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole wait. Default: none, as Infinity */
  readonly timeoutMs?: number | undefined;
  /** Interval between polls. Default: 2,000; the first intervals are shorter. */
  readonly pollMs?: number | undefined;
  /** Whether to try the event stream before polling. Default: true */
  readonly useEvents?: boolean | undefined;
  /** Called with each state of the job. Polled states lack the members that only the event stream has. */
  readonly onProgress?: ((job: Job & Partial<JobProgress>) => void) | undefined;
}

export interface WaitAllOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly pollMs?: number | undefined;
  readonly onProgress?: ((progress: JobsProgress) => void) | undefined;
}

export interface JobsProgress {
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  /** Chunks processed so far, of all jobs together. */
  readonly chunks: number;
  /** Jobs that have ended since the last call. */
  readonly ended: readonly Job[];
}

const POLL_MS = 2_000;
const FIRST_POLL_MS = 100;

export async function waitForJob(
  source: {
    readonly get: (options: CallOptions) => Promise<Job>;
    readonly events: (options: CallOptions) => AsyncIterable<JobEvent>;
  },
  options: WaitOptions = {},
): Promise<Job> {
  const { onProgress = () => undefined, useEvents = true } = options;
  return withTimeout(options, async (signal) => {
    if (useEvents) {
      const ended = await endByEvents(source.events({ signal }), onProgress, signal);
      if (ended !== null) return completedOrThrow(ended);
    }
    for (const delayMs of pollDelays(options.pollMs)) {
      const job = await source.get({ signal });
      onProgress(job);
      if (hasEnded(job)) return completedOrThrow(job);
      await sleep(delayMs, signal);
    }
    throw new KcsError("Waiting ended without a reason."); // Unreachable: `pollDelays` is endless.
  });
}

/** null when the stream fails or ends early; then the job has to be polled. */
async function endByEvents(
  events: AsyncIterable<JobEvent>,
  onProgress: (job: JobProgress) => void,
  signal: AbortSignal,
): Promise<Job | null> {
  try {
    for await (const { type, job } of events) {
      onProgress(job);
      if (type !== "progress") return job;
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
  }
  return null;
}

export async function waitForJobs(
  source: JobSource,
  jobIds: readonly string[],
  options: WaitAllOptions = {},
): Promise<readonly Job[]> {
  const seen = new Map<string, Job>();
  const open = new Set(jobIds);
  return withTimeout(options, async (signal) => {
    const poll = createJobPoll(source, open, signal);
    for (const delayMs of pollDelays(options.pollMs)) {
      const jobs = await poll();
      const ended = jobs.filter(hasEnded);
      for (const job of jobs) seen.set(job.job_id, job);
      for (const job of ended) open.delete(job.job_id);
      options.onProgress?.(progressOf(seen, new Set(jobIds).size, ended));
      if (open.size === 0) break;
      await sleep(delayMs, signal);
    }
    return jobIds.flatMap((jobId) => seen.get(jobId) ?? []);
  });
}

function progressOf(seen: ReadonlyMap<string, Job>, total: number, ended: readonly Job[]): JobsProgress {
  const jobs = [...seen.values()];
  return {
    total,
    completed: jobs.filter((job) => job.status === "completed").length,
    failed: jobs.filter((job) => job.status === "failed").length,
    chunks: jobs.reduce((sum, job) => sum + job.chunks_processed, 0),
    ended,
  };
}

export function hasEnded(job: Pick<Job, "status">): boolean {
  return job.status === "completed" || job.status === "failed";
}

function completedOrThrow(job: Job): Job {
  if (job.status === "failed") throw new JobFailedError(job);
  return job;
}

/** The first intervals are short, because small documents take a fraction of a second. */
function* pollDelays(pollMs = POLL_MS): Generator<number, void> {
  for (let delayMs = Math.min(FIRST_POLL_MS, pollMs); ; delayMs = Math.min(pollMs, delayMs * 2))
    yield delayMs;
}

/** Passes `run` a signal that the caller's signal and the timeout abort. */
async function withTimeout<T>(
  { signal, timeoutMs = Number.POSITIVE_INFINITY, pollMs }: Omit<WaitAllOptions, "onProgress">,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  requireTime("timeoutMs", timeoutMs);
  requireTime("pollMs", pollMs);
  const timeout = new AbortController();
  const stop = startTimeLimit(timeoutMs, () =>
    timeout.abort(new TimeoutError(`Not ended within ${timeoutMs} ms.`)),
  );
  try {
    return await run(signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]));
  } finally {
    stop();
  }
}
