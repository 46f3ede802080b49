/** What is read and done for all jobs of a project together. */
import type { Caller } from "../domain/account.ts";
import { errors, ServiceError } from "../domain/errors.ts";
import type { AcceptedJob } from "../domain/job.ts";
import { type JobQueueState, type QueuePace, queuePace } from "../domain/job-queue.ts";
import { CANCELLED } from "../domain/progress.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import type { AcceptOptions, IngestionService } from "./ingestion.ts";

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

/** Of one request. Each job is a transaction of its own, so that others write in between. */
const MAX_JOBS = 1_000;

export function isRetryable(errorMessage: string): boolean {
  return errorMessage !== CANCELLED;
}

export function createJobQueueService(deps: {
  readonly store: Pick<
    Store,
    "findProject" | "readJobQueue" | "listOpenFailures" | "listUnfinishedJobs" | "cancelJob" | "cancelReread"
  >;
  readonly ingestion: Pick<IngestionService, "retry">;
  readonly now: () => number;
  /** Called after jobs were cancelled; stops the work on them. */
  readonly onCancelled: () => void;
}): JobQueueService {
  const { store, ingestion } = deps;
  return {
    async read(caller, projectId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const state = await store.readJobQueue({ projectId });
      if (state === null) throw errors.projectNotFound(projectId);
      return { ...state, pace: queuePace(state, deps.now()) };
    },

    async retry(caller, projectId, { reason, onRate }) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const found = await store.listOpenFailures({ projectId, errorMessage: reason(), limit: MAX_JOBS });
      const accepted: AcceptedJob[] = [];
      for (const { jobId } of found.jobs) {
        const isFirst = accepted.length === 0;
        const options = { isCounted: isFirst, ...(isFirst && onRate !== undefined ? { onRate } : {}) };
        try {
          accepted.push(await ingestion.retry(caller, { projectId, jobId }, options));
        } catch (error) {
          // Retried or deleted by another request meanwhile.
          if (error instanceof ServiceError && (error.kind === "conflict" || error.kind === "not_found"))
            continue;
          if (accepted.length === 0 || !(error instanceof ServiceError)) throw error;
          break;
        }
      }
      return { jobs: accepted, left: Math.max(0, found.total - accepted.length) };
    },

    async cancel(caller, projectId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      await store.cancelReread({ projectId, now: deps.now() });
      const found = await store.listUnfinishedJobs({ projectId, limit: MAX_JOBS });
      let cancelled = 0;
      for (const jobId of found.jobIds) {
        const outcome = await store.cancelJob({ projectId, jobId, now: deps.now() });
        if (outcome === "cancelled") cancelled++;
      }
      deps.onCancelled();
      return { cancelled, left: Math.max(0, found.total - found.jobIds.length) };
    },
  };
}
