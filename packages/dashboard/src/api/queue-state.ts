/** How far all jobs of a project are. */
import type { JobQueue } from "@kcs/sdk";

/** Failures are read of so many of the latest failed jobs. */
export const maxFailuresRead = 10_000;

export function totalOf({ pending, running, completed, failed }: JobQueue): number {
  return pending + running + completed + failed;
}

export function unfinishedIn(queue: Pick<JobQueue, "pending" | "running"> | undefined): number {
  return queue === undefined ? 0 : queue.pending + queue.running;
}
