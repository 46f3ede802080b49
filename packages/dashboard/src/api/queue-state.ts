/** How far all jobs of a project are. */
import type { JobQueue } from "@kcs/sdk";

/** Failures are read of so many of the latest failed jobs. */
export const maxFailuresRead = 10_000;

/** Of the jobs that came since none was unfinished; while documents are read again, of these. What was done before says nothing of how far that is. `left`: of all. */
export function progressOf(queue: AnyQueue): {
  readonly done: number;
  readonly failed: number;
  readonly left: number;
  readonly total: number;
} {
  const { batch, reread } = queue;
  const unfinished = unfinishedIn(queue);
  if (reread === null) {
    const { completed: done, failed } = batch ?? queue;
    return { done, failed, left: unfinished, total: done + failed + unfinished };
  }
  const { documents_processed: ended, documents_failed: lost, documents_total: all } = reread;
  return { done: ended - lost, failed: lost, left: unfinished, total: all };
}

/** Jobs, and documents to be read again that have no job yet. */
export function unfinishedIn(queue: Unfinished | undefined): number {
  if (queue === undefined) return 0;
  const { pending, running, reread } = queue;
  const { documents_processed: ended, documents_queued: queued, documents_total: all } = reread ?? noReread;
  return pending + running + Math.max(0, all - ended - queued);
}

/** Jobs of documents that are not read again. */
export function othersIn({ pending, running, reread }: Unfinished): number {
  return Math.max(0, pending + running - (reread ?? noReread).documents_queued);
}

/** Whether work has ended since: also work that began and ended between two looks. */
export function hasEnded(before: Worked, now: Worked): boolean {
  if (unfinishedIn(now) > 0) return false;
  return unfinishedIn(before) > 0 || now.completed !== before.completed;
}

/** A process of the release before knows of no batches. */
type AnyQueue = Omit<JobQueue, "batch"> & Partial<Pick<JobQueue, "batch">>;
type Worked = Unfinished & Pick<JobQueue, "completed">;
type Unfinished = Pick<JobQueue, "pending" | "running" | "reread">;
const noReread = { documents_processed: 0, documents_queued: 0, documents_total: 0 };
