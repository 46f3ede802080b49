/** Says how far all jobs of a project are. */
import type { JobQueue } from "@kcs/sdk";
import type { Queue } from "../api/queue-state.ts";

/** "96 documents a minute, 15 min left"; less, or "", where the service cannot tell. */
export function queuePace({ jobs_per_minute: rate, seconds_left: left }: JobQueue): string {
  if (rate === null) return "";
  const pace = rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en");
  return `${pace} documents a minute${left === null ? "" : `, ${durationOf(left)} left`}`;
}

/** What explains the numbers of the queue: its pace, or why there is none, and what is not counted. */
export function queueNotes(queue: Queue): string {
  const pace = queuePace(queue);
  const isWaiting = queue.pending > 0 && queue.running === 0;
  const before = queue.endedBefore;
  return [
    ...(pace === "" ? [] : [pace]),
    ...(isWaiting ? ["waiting for its turn behind other work"] : []),
    ...(before === 0 || queue.pending + queue.running === 0
      ? []
      : [`${before.toLocaleString("en")} ${before === 1 ? "job" : "jobs"} ended before these`]),
  ].join(" · ");
}

export function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60).toLocaleString("en")} h ${minutes % 60} min`;
}
