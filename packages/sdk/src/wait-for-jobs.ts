import { KcsError, TimeoutError } from "./errors.ts";
import type { JobEvent } from "./job-events.ts";
import { sleep } from "./retry.ts";
import type { CallOptions } from "./transport.ts";
import type { Job, JobProgress } from "./wire.ts";

/** A job ended with an error; `job.error_message` has it too. */
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
  /** Of the whole wait; none where it is left out. */
  readonly timeoutMs?: number | undefined;
  /** Between two looks where the job is polled. Default: 2,000, the first ones sooner. */
  readonly pollMs?: number | undefined;
  /** Whether the event stream is tried. Default: true */
  readonly useEvents?: boolean | undefined;
  /** Told of each state that is seen. What the event stream adds is absent where the job is polled. */
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
  /** Chunks of all the jobs so far. */
  readonly chunks: number;
  /** Those that have ended since the last call. */
  readonly ended: readonly Job[];
}

const POLL_MS = 2_000;
const FIRST_POLL_MS = 100;
/** So few open jobs are asked for one by one; more than so many at a time never are. */
const MAX_SINGLE_REQUESTS = 8;
const LIST_PAGE = 1_000;
const MAX_LIST_PAGES = 100;

export async function waitForJob(
  source: {
    readonly get: (options: CallOptions) => Promise<Job>;
    readonly events: (options: CallOptions) => AsyncIterable<JobEvent>;
  },
  options: WaitOptions = {},
): Promise<Job> {
  const { onProgress = () => undefined, useEvents = true } = options;
  return withLimit(options, async (signal) => {
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
    throw new KcsError("Waiting ended without a reason."); // The delays have no end.
  });
}

/** null when the stream does not get through, or ended early: then the job has to be polled. */
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
  source: {
    readonly get: (jobId: string, options: CallOptions) => Promise<Job>;
    readonly list: (page: { limit: number; offset: number }, options: CallOptions) => Promise<readonly Job[]>;
  },
  jobIds: readonly string[],
  options: WaitAllOptions = {},
): Promise<readonly Job[]> {
  const seen = new Map<string, Job>();
  const open = new Set(jobIds);
  return withLimit(options, async (signal) => {
    for (const delayMs of pollDelays(options.pollMs)) {
      const jobs = await lookAt(source, open, signal);
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

/** The present state of the open jobs, by as few requests as it takes. */
async function lookAt(
  source: Parameters<typeof waitForJobs>[0],
  open: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly Job[]> {
  const found = new Map<string, Job>();
  if (open.size > MAX_SINGLE_REQUESTS) {
    for (let page = 0; page < MAX_LIST_PAGES && found.size < open.size; page++) {
      const jobs = await source.list({ limit: LIST_PAGE, offset: page * LIST_PAGE }, { signal });
      for (const job of jobs) if (open.has(job.job_id)) found.set(job.job_id, job);
      if (jobs.length < LIST_PAGE) break;
    }
  }
  // The list moves while it is read: what slipped from one page to another is asked for by itself, or next time.
  const missing = [...open].filter((jobId) => !found.has(jobId)).slice(0, MAX_SINGLE_REQUESTS);
  const single = await Promise.all(missing.map((jobId) => source.get(jobId, { signal })));
  return [...found.values(), ...single];
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

/** Short at first, as small documents take a fraction of a second; then as the service advises. */
function* pollDelays(pollMs = POLL_MS): Generator<number, void> {
  for (let delayMs = Math.min(FIRST_POLL_MS, pollMs); ; delayMs = Math.min(pollMs, delayMs * 2))
    yield delayMs;
}

/** Runs with a signal that is the caller's and, where a limit is given, the limit's. */
async function withLimit<T>(
  {
    signal,
    timeoutMs,
  }: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => limit.abort(new TimeoutError(`Not ended within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await run(signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
}
