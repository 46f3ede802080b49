/** How far all jobs of a project are. */
import type { JobQueue } from "@kcs/sdk";

/** Failures are read of so many of the latest failed jobs. */
export const maxFailuresRead = 10_000;

/** Of all jobs; while documents are read again, of these: the jobs before say nothing of how far that is. */
export function progressOf(queue: JobQueue): {
  readonly done: number;
  readonly failed: number;
  readonly left: number;
  readonly total: number;
} {
  const { completed, failed, reread } = queue;
  const unfinished = unfinishedIn(queue);
  if (reread === null)
    return { done: completed, failed, left: unfinished, total: completed + failed + unfinished };
  const { documents_processed: ended, documents_failed: lost, documents_total: all } = reread;
  const left = Math.max(unfinished, all - ended);
  return { done: ended - lost, failed: lost, left, total: ended + left };
}

export function unfinishedIn(queue: Pick<JobQueue, "pending" | "running"> | undefined): number {
  return queue === undefined ? 0 : queue.pending + queue.running;
}
