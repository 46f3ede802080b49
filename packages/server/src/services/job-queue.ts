/** What is read and done for all jobs of a project together. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { AcceptedJob } from "../domain/job.ts";
import { type JobQueueState, type QueuePace, queuePace } from "../domain/job-queue.ts";
import { CANCELLED } from "../domain/progress.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { createAccountQueue } from "./account-queue.ts";
import type { AcceptOptions } from "./ingestion.ts";
import { afterKept } from "./kept-changes.ts";
import { type RetryDeps, retryEach } from "./retry-jobs.ts";

export interface JobQueueService {
  read(caller: Caller, projectId: string): Promise<JobQueueState & { readonly pace: QueuePace }>;
  /**
   * Retries failed jobs, newest first, as one ingest request. `reason` is called only after access is granted; null = whatever the reason.
   * @throws ServiceError of a limit that is reached before the first one is accepted
   */
  retry(
    caller: Caller,
    projectId: string,
    options: { readonly reason: () => string | null; readonly onRate: AcceptOptions<AcceptedJob>["onRate"] },
  ): Promise<{ readonly jobs: readonly AcceptedJob[]; readonly left: number }>;
  /** Cancels jobs that have not ended, and a running reread, which would add others. */
  cancel(caller: Caller, projectId: string): Promise<{ readonly cancelled: number; readonly left: number }>;
}

/** Of one request. */
const MAX_JOBS = 1_000;
/** Cancelled in one transaction, so that others write in between. */
const STEP_JOBS = 50;

/** Counts entries of an index, tenths of a second for a million jobs. */
const READS = { what: "reads of queues", atOnce: 1, maxWaiting: 256 } as const;

export function isRetryable(errorMessage: string): boolean {
  return errorMessage !== CANCELLED;
}

export function createJobQueueService(
  deps: RetryDeps & {
    readonly store: Pick<
      Store,
      | "findProject"
      | "readJobQueue"
      | "listOpenFailures"
      | "cancelJobs"
      | "countUnfinishedJobs"
      | "cancelReread"
    >;
    /** Called after jobs were cancelled; stops the work on them. */
    readonly onCancelled: () => void;
  },
): JobQueueService {
  const { store } = deps;
  const reads = createAccountQueue(READS);
  return {
    async read(caller, projectId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const state = await reads.run(caller.accountId, () => store.readJobQueue({ projectId }));
      if (state === null) throw errors.projectNotFound(projectId);
      return { ...state, pace: queuePace(state, deps.now()) };
    },

    async retry(caller, projectId, { reason, onRate }) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const found = await store.listOpenFailures({ projectId, errorMessage: reason(), limit: MAX_JOBS });
      const jobIds = found.jobs.map(({ jobId }) => jobId);
      const request = { projectId, jobIds, isCounted: false, onRate };
      const { accepted, gone } = await retryEach(deps, caller, request);
      return { jobs: accepted, left: found.total - accepted.length - gone };
    },

    async cancel(caller, projectId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const reread = await store.cancelReread({ projectId, now: deps.now() });
      let cancelled = 0;
      const orSay = <Result>(work: () => Promise<Result>) => {
        const kept = keptOf({ isRereadCancelled: reread === "cancelled", cancelled });
        return kept === null ? work() : afterKept(kept, work);
      };
      const step = () => store.cancelJobs({ projectId, limit: STEP_JOBS, now: deps.now() });
      try {
        for (let ended = -1; ended !== 0 && cancelled < MAX_JOBS; cancelled += ended)
          ended = await orSay(step);
      } finally {
        deps.onCancelled();
      }
      const left = await orSay(() => store.countUnfinishedJobs({ projectId }));
      return { cancelled, left };
    },
  };
}

/** null: nothing. */
function keptOf({ isRereadCancelled, cancelled }: { isRereadCancelled: boolean; cancelled: number }) {
  const parts = [
    ...(isRereadCancelled ? ["the reread"] : []),
    ...(cancelled > 0 ? [cancelled === 1 ? "1 job" : `${cancelled} jobs`] : []),
  ];
  return parts.length === 0 ? null : `Cancelled so far: ${parts.join(" and ")}.`;
}
