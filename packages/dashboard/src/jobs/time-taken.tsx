import type { Job } from "@kcs/sdk";

/** The processing time of a job that has ended. */
export function TimeTaken({ job: { started_at: start, completed_at: end } }: { readonly job: Job }) {
  if (start === null || end === null) return "–";
  const seconds = Math.max(0, Date.parse(end) - Date.parse(start)) / 1000;
  return (
    <time dateTime={`PT${seconds.toFixed(1)}S`} title={new Date(end).toLocaleString()}>
      {seconds < 60
        ? `${seconds.toFixed(1)} s`
        : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`}
    </time>
  );
}
