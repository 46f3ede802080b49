/** Starts, reads and cancels rereads: all documents of a project with a graph are read again by the present engine. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { AccountLimits } from "../domain/limits.ts";
import { completedWithoutReread, type Reread } from "../domain/reread.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { monthOf, requireAccepted } from "./ingestion.ts";

export interface RereadingService {
  /**
   * Starts a reread, or returns the one that is running.
   * @throws ServiceError `conflict` for a project without a graph, and while the project is being moved
   */
  start(caller: Caller, projectId: string): Promise<Reread>;
  /** The current reread, or the last one. */
  get(caller: Caller, projectId: string): Promise<Reread>;
  /** @throws ServiceError `conflict` when no reread is running */
  cancel(caller: Caller, projectId: string): Promise<Reread>;
}

export function createRereadingService(deps: {
  readonly store: Pick<Store, "findProject" | "startReread" | "findReread" | "cancelReread">;
  readonly limits: AccountLimits;
  readonly requestsPerMinute: number | null;
  readonly tokenLimit: number | null;
  readonly now: () => number;
  /** Called after jobs were queued; wakes the worker. */
  readonly onAccepted: () => void;
  /** Called after jobs were cancelled; stops the work on them. */
  readonly onCancelled: () => void;
}): RereadingService {
  const { store, limits, requestsPerMinute, tokenLimit } = deps;

  async function read(projectId: string): Promise<Reread> {
    return (await store.findReread({ projectId })) ?? completedWithoutReread(projectId);
  }

  return {
    async start(caller, projectId) {
      const { mode } = await requireProject(store, { projectId, caller });
      if (mode === "vector_only") throw errors.noGraphToReread();
      const now = deps.now();
      const outcome = await store.startReread({
        projectId,
        accountId: caller.accountId,
        now,
        month: monthOf(now),
        requestsPerMinute,
        tokenLimit,
        maxPendingJobs: limits.pendingJobs,
        maxStoredBytes: limits.storedBytes,
      });
      if (outcome.kind === "moving") throw errors.rereadDuringMove();
      requireAccepted(outcome, projectId);
      deps.onAccepted();
      return read(projectId);
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
