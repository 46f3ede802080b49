import { jobFailures } from "../domain/errors.ts";
import type { ClaimedJob } from "../domain/job.ts";
import { type IngestDeps, type IngestOutcome, ingestJobs } from "../engine/ingest/pipeline.ts";
import type { Log } from "../ports/log.ts";
import { type Store, StoreUnavailableError } from "../ports/store.ts";

export interface ProcessingService {
  /** Claims jobs and works on them until they are done, a time slice is over, or `stopping()` says so. False when there were none. */
  processNext(stopping: () => boolean): Promise<boolean>;
}

const MAX_JOBS_PER_CLAIM = 64;
const MAX_CLAIMED_TEXT_BYTES = 256 * 1024;
const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 2_000;
const RETRY_MAX_MS = 60_000;

export function createProcessingService(deps: {
  readonly store: Store;
  readonly ingest: IngestDeps;
  /** After so long other accounts' waiting jobs get their turn. */
  readonly sliceMs: number;
  readonly newLeaseToken: () => string;
  readonly log: Log;
}): ProcessingService {
  const { store, ingest, log } = deps;

  async function work(
    jobs: readonly ClaimedJob[],
    leaseToken: string,
    stopping: () => boolean,
  ): Promise<void> {
    const sliceEnd = ingest.now() + deps.sliceMs;
    const shouldYield = async () => {
      if (stopping()) return true;
      return ingest.now() >= sliceEnd && (await store.nextWork({ now: ingest.now() })).readyNow;
    };
    const outcome: IngestOutcome = await ingestJobs({ leaseToken, jobs, shouldYield }, ingest);
    log.debug("jobs_worked", { outcome, jobIds: jobs.map((job) => job.jobId) });
    if (outcome === "yielded") await store.releaseJobs({ leaseToken });
  }

  /** A fault of several jobs together is looked for one by one, so that one bad job fails alone. */
  async function workOrFail(
    jobs: readonly ClaimedJob[],
    leaseToken: string,
    stopping: () => boolean,
  ): Promise<void> {
    try {
      await work(jobs, leaseToken, stopping);
    } catch (error) {
      if (jobs.length > 1 && !(error instanceof StoreUnavailableError)) {
        for (const job of jobs) await workOrFail([job], leaseToken, stopping);
        return;
      }
      for (const job of jobs) await fail(job, leaseToken, error);
    }
  }

  async function fail(job: ClaimedJob, leaseToken: string, error: unknown): Promise<void> {
    const now = ingest.now();
    const again = job.attempts + 1 < MAX_ATTEMPTS;
    const errorMessage = failureText(error);
    log.warn("job_failed", {
      jobId: job.jobId,
      projectId: job.projectId,
      attempts: job.attempts + 1,
      again,
      error,
    });
    await store.failJobs({
      jobIds: [job.jobId],
      projectId: job.projectId,
      leaseToken,
      now,
      errorMessage,
      retryAt: again ? now + backOffMs(job.attempts) : null,
    });
  }

  return {
    async processNext(stopping) {
      const leaseToken = deps.newLeaseToken();
      const now = ingest.now();
      const jobs = await store.claimJobs({
        leaseToken,
        now,
        leaseUntil: now + ingest.leaseMs,
        maxJobs: MAX_JOBS_PER_CLAIM,
        maxTextBytes: MAX_CLAIMED_TEXT_BYTES,
      });
      if (jobs.length === 0) return false;
      await workOrFail(jobs, leaseToken, stopping);
      return true;
    },
  };
}

function backOffMs(attempts: number): number {
  return Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** attempts);
}

function failureText(error: unknown): string {
  if (error instanceof StoreUnavailableError && error.reason === "connection_lost") {
    return jobFailures.databaseConnectionLost;
  }
  return error instanceof Error ? error.message : String(error);
}
