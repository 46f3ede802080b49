/** How far all jobs of a project are. */
import type { JobQueue } from "@kcs/sdk";

export interface Queue extends JobQueue {
  /** How many had ended when the queue was last seen empty, or first seen. Progress is counted from there. */
  readonly endedBefore: number;
}

/** `before`: the queue as it was seen last. */
export function withStart(queue: JobQueue, before: Queue | undefined): Queue {
  const started = before !== undefined && unfinishedIn(before) > 0;
  const endedBefore = started ? before.endedBefore : endedIn(before ?? queue);
  // Fewer than before have ended where old jobs were removed.
  return { ...queue, endedBefore: Math.min(endedBefore, endedIn(queue)) };
}

export function endedIn({ completed, failed }: Pick<JobQueue, "completed" | "failed">): number {
  return completed + failed;
}

export function unfinishedIn(queue: Pick<JobQueue, "pending" | "running"> | undefined): number {
  return queue === undefined ? 0 : queue.pending + queue.running;
}
