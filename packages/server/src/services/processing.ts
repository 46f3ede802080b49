/** Claims ingest jobs, works on them under a lease, and postpones or fails those that go wrong. */
import type { ClaimedJob } from "../domain/job.ts";
import { LeaseLostError } from "../engine/ingest/lease-lost.ts";
import { type IngestDeps, ingestJobs, JobsFailedError } from "../engine/ingest/pipeline.ts";
import type { Log } from "../ports/log.ts";
import { type Claim, type CommittedPart, type Store, StoreUnavailableError } from "../ports/store.ts";
import { createAccountLanes, type TakenLane } from "./account-lanes.ts";
import { type ClaimSize, createClaimSize } from "./claim-size.ts";
import { createJobFailureHandler, type OnJobEnded } from "./job-failures.ts";
import { createJobLeases, type SignalOf } from "./job-leases.ts";
import type { FindLeftWork } from "./processes.ts";

export interface ProcessingService {
  /**
   * Claims jobs and works on them until they are done, the time slice is over, or `stopping()` returns true. False when there
   * was no job to claim.
   */
  processNext(stopping: () => boolean): Promise<boolean>;
  /** To be called after jobs may have been cancelled or deleted: aborts the work on those that were. */
  checkLeases(): Promise<void>;
}

interface HeldJobs {
  readonly jobs: readonly ClaimedJob[];
  readonly leaseToken: string;
  readonly stopping: () => boolean;
  readonly signalOf: SignalOf;
  readonly onCommitted: (parts: readonly CommittedPart[]) => void;
}

interface ProcessingDeps {
  readonly store: Store;
  readonly ingest: IngestDeps;
  /** Calls of `processNext` at the same time. */
  readonly lanes: number;
  /** Whether other processes can work on the same jobs. */
  readonly isQueueShared: boolean;
  /** After this time the waiting jobs of other accounts get their turn. */
  readonly sliceMs: number;
  readonly newLeaseToken: () => string;
  /** The store has taken a batch: it can write. */
  readonly onCommit?: () => void;
  /** A job was completed, failed or postponed. */
  readonly onJobEnded?: OnJobEnded;
  readonly findLeftWork: FindLeftWork;
  /** Aborted when calls to models must end at once. */
  readonly ending: AbortSignal;
  readonly log: Log;
}

export function createProcessingService(deps: ProcessingDeps): ProcessingService {
  const { store, ingest, log, findLeftWork } = deps;
  const leases = createJobLeases({ ...deps, leaseMs: ingest.leaseMs, now: ingest.now });
  const warnOfMissingModel = createMissingModelWarning(deps);
  const size = createClaimSize(deps.isQueueShared ? "shared" : "alone");
  const claim = createClaims(deps, size);
  const failures = createJobFailureHandler({ ...deps, now: ingest.now });

  /** True when all jobs are done. */
  async function ingestHeld(
    { jobs, leaseToken, stopping, signalOf }: HeldJobs,
    onCommitted: (parts: readonly CommittedPart[]) => void,
  ): Promise<boolean> {
    const startedAt = ingest.now();
    let sliceEnd: number | null = null;
    const shouldYield = async () => {
      if (stopping()) return true;
      const now = ingest.now();
      // A resumed document is chunked again from its beginning. The time for that is added, so it takes at most half of a slice.
      sliceEnd ??= Math.max(startedAt + deps.sliceMs, now + (now - startedAt));
      return now >= sliceEnd && (await store.nextWork({ now, left: await findLeftWork() })).readyNow;
    };
    const outcome = await ingestJobs({ leaseToken, jobs, shouldYield, onCommitted, signalOf }, ingest);
    log.debug("jobs_worked", { outcome, jobIds: jobs.map((job) => job.jobId) });
    return outcome === "done";
  }

  /**
   * An error that may be of any of several jobs is located by working on them one by one, so that one bad job fails alone.
   * False when the work ended early: the caller then works on no other job of the claim, and releases them all.
   */
  async function workOrFail(held: HeldJobs): Promise<boolean> {
    const { leaseToken, stopping } = held;
    let left = held.jobs;
    try {
      return await ingestHeld(held, (parts) => {
        deps.onCommit?.();
        tellCompleted(deps, left, parts);
        held.onCommitted(parts);
        left = withoutCommitted(left, parts);
      });
    } catch (error) {
      // At shutdown the embedder may have been closed before the batch was embedded.
      if (stopping()) return false;
      if (error instanceof JobsFailedError) return continueWithout(error, { ...held, jobs: left });
      const isOneByOne = held.jobs.length > 1 && !(error instanceof StoreUnavailableError);
      for (const job of left) {
        if (!isOneByOne) await failures.postponeOrFail(job, { leaseToken, error });
        else if (!(await workOrFail({ ...held, jobs: [job] }))) return false;
      }
      return true;
    }
  }

  async function continueWithout({ failedJobs }: JobsFailedError, held: HeldJobs): Promise<boolean> {
    const errors = new Map(failedJobs.map(({ jobId, error }) => [jobId, error]));
    for (const job of held.jobs) {
      const error = errors.get(job.jobId);
      // A job whose lease is lost has been ended, or claimed, elsewhere.
      if (error === undefined || error instanceof LeaseLostError) continue;
      await failures.postponeOrFail(job, { leaseToken: held.leaseToken, error });
    }
    const others = held.jobs.filter(({ jobId }) => !errors.has(jobId));
    return others.length === 0 || workOrFail({ ...held, jobs: others });
  }

  async function work(claimed: readonly ClaimedJob[], leaseToken: string, stopping: () => boolean) {
    const jobs = await failures.failPoisoned(claimed, leaseToken);
    if (jobs.length === 0) return;
    warnOfMissingModel(jobs);
    const jobIds = jobs.map(({ jobId }) => jobId);
    await leases.whileHeld({ leaseToken, jobIds }, async (signalOf) => {
      const measure = size.measure();
      const isDone = await workOrFail({ jobs, leaseToken, stopping, signalOf, onCommitted: measure.add });
      measure.end();
      // Otherwise the unfinished jobs of the claim would wait until the lease expires.
      if (!isDone) await store.releaseJobs({ leaseToken });
    });
  }

  return {
    async processNext(stopping) {
      const leaseToken = deps.newLeaseToken();
      return inLane(await claim(leaseToken), (jobs) => work(jobs, leaseToken, stopping));
    },
    checkLeases: leases.check,
  };
}

function tellCompleted(
  { onJobEnded, ingest }: Pick<ProcessingDeps, "onJobEnded" | "ingest">,
  jobs: readonly ClaimedJob[],
  parts: readonly CommittedPart[],
): void {
  const done = new Set(parts.flatMap(({ jobId, finished }) => (finished ? [jobId] : [])));
  for (const { jobId, startedAt } of jobs)
    if (done.has(jobId)) onJobEnded?.({ jobId, result: "completed", startedAt, endedAt: ingest.now() });
}

/** Works on the jobs that the lane has claimed, if there are any, and leaves it. False when there was no job to claim. */
async function inLane(
  { claim: { jobs, hasEnded }, leave }: TakenLane<Claim>,
  work: (jobs: readonly ClaimedJob[]) => Promise<void>,
): Promise<boolean> {
  try {
    if (jobs.length === 0) return hasEnded;
    await work(jobs);
    return true;
  } finally {
    leave();
  }
}

/** Claims jobs for a lane, which is held until it is left. */
function createClaims({ store, ingest, lanes, findLeftWork }: ProcessingDeps, size: ClaimSize) {
  const places = createAccountLanes<Claim>({ lanes, accountOf: ({ jobs }) => jobs[0]?.accountId ?? null });
  return (leaseToken: string) =>
    places.take(async (exceptAccounts) => {
      const left = await findLeftWork();
      const now = ingest.now();
      return store.claimJobs({
        leaseToken,
        now,
        leaseUntil: now + ingest.leaseMs,
        ...size.limits(),
        exceptAccounts,
        left,
      });
    });
}

/** Logs once that projects which were created with a language model are now ingested without one. */
function createMissingModelWarning({ ingest, log }: { readonly ingest: IngestDeps; readonly log: Log }) {
  let isLogged = false;
  return (jobs: readonly ClaimedJob[]): void => {
    const isMissing = ingest.extractor === null && jobs.some(({ config }) => config.extraction === "model");
    if (isMissing && !isLogged) log.warn("extraction_without_model", { projectId: jobs[0]?.projectId });
    isLogged ||= isMissing;
  };
}

/** The unfinished jobs after a commit, each with its next position and, where chunks were committed, no attempts. */
function withoutCommitted(
  jobs: readonly ClaimedJob[],
  parts: readonly CommittedPart[],
): readonly ClaimedJob[] {
  const committed = new Map(parts.map((part) => [part.jobId, part]));
  return jobs.flatMap((job) => {
    const part = committed.get(job.jobId);
    if (part === undefined) return [job];
    if (part.finished) return [];
    const attempts = part.chunks.length > 0 ? 0 : job.attempts;
    return [{ ...job, attempts, nextPosition: job.nextPosition + part.chunks.length }];
  });
}
