/** Starts, reads and cancels rereads: documents of a project with a graph are read again by the present engine. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { AcceptedJob } from "../domain/job.ts";
import type { AccountLimits } from "../domain/limits.ts";
import { completedWithoutReread, type Reread } from "../domain/reread.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { type AcceptOptions, monthOf, reportRate, requireAccepted } from "./ingestion.ts";
import { type RetryDeps, retryEach } from "./retry-jobs.ts";

export interface RereadingService {
  /**
   * Starts a reread, or returns the one that is running.
   * @throws ServiceError `conflict` for a project without a graph, and while the project is being moved
   */
  start(caller: Caller, projectId: string): Promise<Reread>;
  /**
   * Reads some documents again, and retries those that failed and of which queries see nothing whole. Returns the jobs of these
   * documents in their order, also those that an earlier request has brought; none of a document without a text.
   * `sourceDocIds` is called only after access is granted.
   * @throws ServiceError as `start`, and `not_found` where a document is unknown; nothing is read then
   */
  startSome(
    caller: Caller,
    projectId: string,
    sourceDocIds: () => readonly string[],
    onRate: AcceptOptions<AcceptedJob>["onRate"],
  ): Promise<readonly AcceptedJob[]>;
  /** The current reread, or the last one. */
  get(caller: Caller, projectId: string): Promise<Reread>;
  /** @throws ServiceError `conflict` when no reread is running */
  cancel(caller: Caller, projectId: string): Promise<Reread>;
}

export function createRereadingService(
  deps: RetryDeps & {
    readonly store: Pick<
      Store,
      "findProject" | "startReread" | "rereadDocuments" | "listUnfinishedJobs" | "findReread" | "cancelReread"
    >;
    readonly limits: AccountLimits;
    readonly requestsPerMinute: number | null;
    readonly tokenLimit: number | null;
    /** Called after jobs were queued; wakes the worker. */
    readonly onAccepted: () => void;
    /** Called after jobs were cancelled; stops the work on them. */
    readonly onCancelled: () => void;
  },
): RereadingService {
  const { store, limits, requestsPerMinute, tokenLimit } = deps;

  function limitsAt(now: number) {
    const { pendingJobs: maxPendingJobs, storedBytes: maxStoredBytes } = limits;
    return { now, month: monthOf(now), requestsPerMinute, tokenLimit, maxPendingJobs, maxStoredBytes };
  }

  async function requireGraph(caller: Caller, projectId: string): Promise<void> {
    const { mode } = await requireProject(store, { projectId, caller });
    if (mode === "vector_only") throw errors.noGraphToReread();
  }

  async function read(projectId: string): Promise<Reread> {
    return (await store.findReread({ projectId })) ?? completedWithoutReread(projectId);
  }

  return {
    async start(caller, projectId) {
      await requireGraph(caller, projectId);
      const { accountId } = caller;
      const outcome = await store.startReread({ projectId, accountId, ...limitsAt(deps.now()) });
      if (outcome.kind === "moving") throw errors.rereadDuringMove();
      requireAccepted(outcome, projectId);
      deps.onAccepted();
      return read(projectId);
    },

    async startSome(caller, projectId, sourceDocIds, onRate) {
      await requireGraph(caller, projectId);
      const ids = sourceDocIds();
      const { accountId } = caller;
      const outcome = await store.rereadDocuments({
        ...{ projectId, accountId, sourceDocIds: ids },
        ...limitsAt(deps.now()),
      });
      if (outcome.kind === "moving") throw errors.rereadDuringMove();
      if (outcome.kind === "not_found") throw errors.documentsNotFound(outcome.sourceDocIds);
      reportRate(outcome, requestsPerMinute, onRate);
      requireAccepted(outcome, projectId);
      if (outcome.queued > 0) deps.onAccepted();
      const jobIds = outcome.unread.map(({ jobId }) => jobId);
      const isCounted = outcome.queued > 0;
      const { accepted, gone } = await retryEach(deps, caller, { projectId, jobIds, isCounted, onRate });
      const taken = gone === 0 ? [] : await store.listUnfinishedJobs({ projectId, sourceDocIds: ids });
      const jobs = new Map([...taken, ...outcome.jobs, ...accepted].map((job) => [job.sourceDocId, job]));
      return [...new Set(ids)].flatMap((id) => jobs.get(id) ?? []);
    },

    async get(caller, projectId) {
      await requireProject(store, { projectId, caller });
      return read(projectId);
    },

    async cancel(caller, projectId) {
      await requireProject(store, { projectId, caller });
      const outcome = await store.cancelReread({ projectId, now: deps.now() });
      if (outcome !== "cancelled") throw errors.noRereadToCancel();
      deps.onCancelled();
      return read(projectId);
    },
  };
}
