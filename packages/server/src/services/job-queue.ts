/** What is read and done for all jobs of a project together. */
import type { Caller } from "../domain/account.ts";
import { errors, ServiceError } from "../domain/errors.ts";
import type { AcceptedJob } from "../domain/job.ts";
import { type JobQueueState, type QueuePace, queuePace } from "../domain/job-queue.ts";
import { CANCELLED } from "../domain/progress.ts";
import type { Log } from "../ports/log.ts";
import { type Store, StoreUnavailableError } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import type { AcceptOptions, IngestionService } from "./ingestion.ts";
import { afterKept } from "./kept-changes.ts";

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
/** After so long a request leaves the other failed jobs to the next one: each is a transaction with the text of its document. */
const RETRY_MS = 10_000;

export function isRetryable(errorMessage: string): boolean {
  return errorMessage !== CANCELLED;
}

export function createJobQueueService(deps: {
  readonly store: Pick<
    Store,
    | "findProject"
    | "readJobQueue"
    | "listOpenFailures"
    | "cancelJobs"
    | "countUnfinishedJobs"
    | "cancelReread"
  >;
  readonly ingestion: Pick<IngestionService, "retry">;
  readonly now: () => number;
  /** Called after jobs were cancelled; stops the work on them. */
  readonly onCancelled: () => void;
  readonly log: Pick<Log, "warn">;
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
      const until = deps.now() + RETRY_MS;
      let gone = 0;
      for (const { jobId } of found.jobs) {
        const isFirst = accepted.length === 0;
        if (!isFirst && deps.now() >= until) break;
        const options = { isCounted: isFirst, ...(isFirst && onRate !== undefined ? { onRate } : {}) };
        try {
          accepted.push(await ingestion.retry(caller, { projectId, jobId }, options));
        } catch (error) {
          if (isGone(error)) gone++;
          else if (isFirst || !isTold(error)) throw error;
          else {
            if (error instanceof StoreUnavailableError) deps.log.warn("retry_ended", { projectId, error });
            break;
          }
        }
      }
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

/** Also a database that fails: what was accepted until then stays so. */
function isTold(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof StoreUnavailableError;
}

/** The job was retried or deleted by another request meanwhile. */
function isGone(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === "conflict" || error.kind === "not_found");
}
