import type { ClaimedJob } from "../domain/job.ts";
import { type IngestDeps, ingestJobs, JobsFailedError } from "../engine/ingest/pipeline.ts";
import type { Log } from "../ports/log.ts";
import { type CommittedPart, type Store, StoreUnavailableError } from "../ports/store.ts";
import { createJobFailures } from "./job-failures.ts";

export interface ProcessingService {
  /** Claims jobs and works on them until they are done, a time slice is over, or `stopping()` says so. False when there were none. */
  processNext(stopping: () => boolean): Promise<boolean>;
}

const MAX_JOBS_PER_CLAIM = 64;
const MAX_CLAIMED_TEXT_BYTES = 256 * 1024;
const RENEWALS_PER_LEASE = 4;

interface Held {
  readonly jobs: readonly ClaimedJob[];
  readonly leaseToken: string;
  readonly stopping: () => boolean;
}

export function createProcessingService(deps: {
  readonly store: Store;
  readonly ingest: IngestDeps;
  /** After so long other accounts' waiting jobs get their turn. */
  readonly sliceMs: number;
  readonly newLeaseToken: () => string;
  readonly log: Log;
}): ProcessingService {
  const { store, ingest, log } = deps;
  let isModelMissed = false;
  const failures = createJobFailures({ store, log, now: ingest.now });

  async function work(
    { jobs, leaseToken, stopping }: Held,
    onCommitted: (parts: readonly CommittedPart[]) => void,
  ): Promise<void> {
    const began = ingest.now();
    let sliceEnd: number | null = null;
    const shouldYield = async () => {
      if (stopping()) return true;
      const now = ingest.now();
      // A long document is cut again from its beginning up to where it goes on: at most half of a slice goes into that.
      sliceEnd ??= Math.max(began + deps.sliceMs, now + (now - began));
      return now >= sliceEnd && (await store.nextWork({ now })).readyNow;
    };
    const outcome = await ingestJobs({ leaseToken, jobs, shouldYield, onCommitted }, ingest);
    log.debug("jobs_worked", { outcome, jobIds: jobs.map((job) => job.jobId) });
    // Whatever else was claimed with them need not wait for the lease to lapse.
    if (outcome !== "done") await store.releaseJobs({ leaseToken });
  }

  /** A fault of several jobs together is looked for one by one, so that one bad job fails alone. */
  async function workOrFail(held: Held): Promise<void> {
    const { jobs, leaseToken, stopping } = held;
    let left = jobs;
    try {
      await work(held, (parts) => {
        left = remaining(left, parts);
      });
    } catch (error) {
      // While draining, the embedder may have been closed before the batch was through.
      if (stopping()) return store.releaseJobs({ leaseToken });
      if (error instanceof JobsFailedError) {
        const failed = new Map(error.failures.map((failure) => [failure.jobId, failure.error]));
        for (const job of left) {
          if (failed.has(job.jobId)) await failures.fail(job, { leaseToken, error: failed.get(job.jobId) });
        }
        const others = left.filter(({ jobId }) => !failed.has(jobId));
        if (others.length > 0) await workOrFail({ ...held, jobs: others });
        return;
      }
      if (jobs.length > 1 && !(error instanceof StoreUnavailableError)) {
        for (const job of left) await workOrFail({ ...held, jobs: [job] });
        return;
      }
      for (const job of left) await failures.fail(job, { leaseToken, error });
    }
  }

  /** Once: projects that were made while a model was configured are worked on without one. */
  function noteMissingModel(jobs: readonly ClaimedJob[]): void {
    const misses = ingest.extractor === null && jobs.some(({ config }) => config.extraction === "model");
    if (misses && !isModelMissed) log.warn("extraction_without_model", { projectId: jobs[0]?.projectId });
    isModelMissed ||= misses;
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
      const workable = await failures.giveUpPoisoned(jobs, leaseToken);
      if (workable.length === 0) return true;
      noteMissingModel(workable);
      await withHeartbeat(leaseToken, deps, () => workOrFail({ jobs: workable, leaseToken, stopping }));
      return true;
    },
  };
}

/** Works under a lease that is renewed as long as it takes. */
async function withHeartbeat(
  leaseToken: string,
  { store, ingest, log }: { readonly store: Store; readonly ingest: IngestDeps; readonly log: Log },
  work: () => Promise<void>,
): Promise<void> {
  const heartbeat = setInterval(() => {
    // One that fails is one of several; a lost lease is found out at the next commit.
    store
      .renewLease({ leaseToken, leaseUntil: ingest.now() + ingest.leaseMs })
      .catch((error: unknown) => log.warn("lease_renewal_failed", { error }));
  }, ingest.leaseMs / RENEWALS_PER_LEASE);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
  }
}

/** The jobs that a committed batch leaves to do, each from where it goes on. */
function remaining(jobs: readonly ClaimedJob[], parts: readonly CommittedPart[]): readonly ClaimedJob[] {
  const committed = new Map(parts.map((part) => [part.jobId, part]));
  return jobs.flatMap((job) => {
    const part = committed.get(job.jobId);
    if (part === undefined) return [job];
    return part.finished ? [] : [{ ...job, nextPosition: job.nextPosition + part.chunks.length }];
  });
}
