/** Says how far all jobs of a project are. */
import { endedIn, type Queue, unfinishedIn } from "../api/queue-state.ts";

/**
 * "96 documents a minute, 15 min left". Before the first of them has ended there is no pace of their own, and while none runs
 * they are only starting: what holds them up is not known.
 */
export function queuePace(queue: Queue): string {
  const { jobs_per_minute: rate, seconds_left: left } = queue;
  const hasPace = rate !== null && endedIn(queue) > queue.endedBefore;
  if (!hasPace) return queue.pending > 0 && queue.running === 0 ? "starting" : "";
  const pace = rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString("en");
  return `${pace} documents a minute${left === null ? "" : `, ${durationOf(left)} left`}`;
}

/** What explains the numbers of the queue: its pace, and what is not counted. */
export function queueNotes(queue: Queue): string {
  const pace = queuePace(queue);
  const before = queue.endedBefore;
  if (unfinishedIn(queue) === 0) return "";
  return [
    ...(pace === "" ? [] : [pace]),
    ...(before === 0
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
