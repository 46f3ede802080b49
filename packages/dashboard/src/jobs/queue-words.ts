/** Says how far all jobs of a project are. */
import type { JobQueue } from "@kcs/sdk";
import { maxFailuresRead, othersIn, progressOf, unfinishedIn } from "../api/queue-state.ts";

/** In place of the pace while the service cannot be reached. */
export const stillWords = "when last read";

/** "96 documents a minute, 15 min left". Before anything runs: what it waits for. */
export function queuePace(queue: JobQueue): string {
  const { jobs_per_minute: rate, seconds_left: left, others_unfinished: others } = queue;
  const isWaiting = queue.running === 0 && unfinishedIn(queue) > 0;
  if (isWaiting && others > 0)
    return `waiting behind ${counted(others)} ${others === 1 ? "job" : "jobs"} of other projects`;
  if (rate === null) return isWaiting ? "starting" : "";
  const pace = rate < 10 ? rate.toFixed(1) : counted(Math.round(rate));
  return `${pace} documents a minute${left === null ? "" : `, ${durationOf(left)} left`}`;
}

/** "60,561 of 100,000 jobs are done", of those at hand. What failed or was cancelled is not. */
export function queueTitle(queue: JobQueue, cancelling: number | null): string {
  const unfinished = unfinishedIn(queue);
  if (cancelling !== null) {
    const total = Math.max(cancelling, unfinished);
    return `Cancelling: ${counted(total - unfinished)} of ${counted(total)} have ended`;
  }
  if (unfinished === 0) return "Nothing is waiting";
  const { done, total } = progressOf(queue);
  const what = queue.reread === null ? "jobs are done" : "documents are read again";
  return `${counted(done)} of ${counted(total)} ${what}`;
}

/** What explains the numbers of the queue: its pace, and what is neither done nor waits. */
export function queueNotes(queue: JobQueue, cancelling: number | null): string {
  if (cancelling !== null) return "Keep this page open until all of them have.";
  if (unfinishedIn(queue) === 0) return "";
  const [pace, { failed }] = [queuePace(queue), progressOf(queue)];
  const others = queue.reread === null ? 0 : othersIn(queue);
  return [
    ...(pace === "" ? [] : [pace]),
    ...(others === 0 ? [] : [`${counted(others)} other ${others === 1 ? "job" : "jobs"}`]),
    ...(failed === 0 ? [] : [`${counted(failed)} failed or cancelled`]),
  ].join(" · ");
}

/** Why fewer failures are `shown` than jobs have `failed`. */
export function failureScope(shown: number, failed: number): string {
  if (shown === failed) return "Their documents were not sent again since.";
  if (failed > maxFailuresRead)
    return `Of the latest ${counted(maxFailuresRead)} of ${counted(failed)} failed or cancelled jobs, those whose documents were not sent again since.`;
  return `Of ${counted(failed)} failed or cancelled jobs the ${counted(shown)} whose documents were not sent again since.`;
}

export function durationOf(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60).toLocaleString("en")} h ${minutes % 60} min`;
}

function counted(count: number): string {
  return count.toLocaleString("en");
}
