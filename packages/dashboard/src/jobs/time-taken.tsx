import type { Job } from "@kcs/sdk";
import { momentWords } from "../components/time-words.ts";

/** The processing time of a job that has ended. */
export function TimeTaken({ job: { started_at: start, completed_at: end } }: { readonly job: Job }) {
  if (start === null || end === null) return "–";
  const seconds = (Date.parse(end) - Date.parse(start)) / 1000;
  // A job that was cancelled before anything was done.
  if (seconds <= 0) return "–";
  return (
    <time dateTime={`PT${seconds.toFixed(1)}S`} title={momentWords(new Date(end))}>
      {seconds < 60
        ? `${Math.max(0.1, seconds).toFixed(1)} s`
        : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`}
    </time>
  );
}
