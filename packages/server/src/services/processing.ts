import type { ClaimedJob } from "../domain/job.ts";
import { LeaseLostError } from "../engine/ingest/lease-lost.ts";
import { type IngestDeps, ingestJobs, JobsFailedError } from "../engine/ingest/pipeline.ts";
import type { Log } from "../ports/log.ts";
import { type CommittedPart, type Store, StoreUnavailableError } from "../ports/store.ts";
import { createJobLeases, type SignalOf } from "./held-jobs.ts";
import { createJobFailures } from "./job-failures.ts";

export interface ProcessingService {
  /** Claims jobs and works on them until they are done, a time slice is over, or `stopping()` says so. False when there were none. */
  processNext(stopping: () => boolean): Promise<boolean>;
  /** Jobs may have been cancelled or deleted: ends at once what is under way for those that were. */
  checkLeases(): Promise<void>;
}

const MAX_JOBS_PER_CLAIM = 64;
const MAX_CLAIMED_TEXT_BYTES = 256 * 1024;

interface Work {
  readonly jobs: readonly ClaimedJob[];
  readonly leaseToken: string;
  readonly stopping: () => boolean;
  readonly signalOf: SignalOf;
}

export function createProcessingService(deps: {
  readonly store: Store;
  readonly ingest: IngestDeps;
  /** After so long other accounts' waiting jobs get their turn. */
  readonly sliceMs: number;
  readonly newLeaseToken: () => string;
  /** Aborted when calls of models are to end at once. */
  readonly ending: AbortSignal;
  readonly log: Log;
}): ProcessingService {
  const { store, ingest, log } = deps;
  const leases = createJobLeases({ ...deps, leaseMs: ingest.leaseMs, now: ingest.now });
  const noteMissingModel = createMissingModelNote(deps);
  const failures = createJobFailures({ store, log, now: ingest.now });

  async function ingestHeld(
    { jobs, leaseToken, stopping, signalOf }: Work,
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
    const outcome = await ingestJobs({ leaseToken, jobs, shouldYield, onCommitted, signalOf }, ingest);
    log.debug("jobs_worked", { outcome, jobIds: jobs.map((job) => job.jobId) });
    // Whatever else was claimed with them need not wait for the lease to lapse.
    if (outcome !== "done") await store.releaseJobs({ leaseToken });
  }

  /** A fault of several jobs together is looked for one by one, so that one bad job fails alone. */
  async function workOrFail(work: Work): Promise<void> {
    const { jobs, leaseToken, stopping } = work;
    let left = jobs;
    try {
      await ingestHeld(work, (parts) => {
        left = remaining(left, parts);
      });
    } catch (error) {
      // While draining, the embedder may have been closed before the batch was through.
      if (stopping()) return store.releaseJobs({ leaseToken });
      if (error instanceof JobsFailedError) {
        const failed = new Map(error.failedJobs.map((failure) => [failure.jobId, failure.error]));
        for (const job of left) {
          const reason = failed.get(job.jobId);
          // Whoever took a job away has said what becomes of it.
          if (reason === undefined || reason instanceof LeaseLostError) continue;
          await failures.fail(job, { leaseToken, error: reason });
        }
        const others = left.filter(({ jobId }) => !failed.has(jobId));
        if (others.length > 0) await workOrFail({ ...work, jobs: others });
        return;
      }
      const isOneByOne = jobs.length > 1 && !(error instanceof StoreUnavailableError);
      for (const job of left) {
        if (isOneByOne) await workOrFail({ ...work, jobs: [job] });
        else await failures.fail(job, { leaseToken, error });
      }
    }
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
      const jobIds = workable.map(({ jobId }) => jobId);
      await leases.whileHeld({ leaseToken, jobIds }, (signalOf) =>
        workOrFail({ jobs: workable, leaseToken, stopping, signalOf }),
      );
      return true;
    },
    checkLeases: leases.check,
  };
}

/** Once: projects that were made while a model was configured are worked on without one. */
function createMissingModelNote({ ingest, log }: { readonly ingest: IngestDeps; readonly log: Log }) {
  let isNoted = false;
  return (jobs: readonly ClaimedJob[]): void => {
    const misses = ingest.extractor === null && jobs.some(({ config }) => config.extraction === "model");
    if (misses && !isNoted) log.warn("extraction_without_model", { projectId: jobs[0]?.projectId });
    isNoted ||= misses;
  };
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
