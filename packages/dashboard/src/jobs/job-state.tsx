import { useIsLost } from "../api/use-is-lost.ts";
import { Badge, type BadgeKind } from "../components/badge.tsx";
import { ProgressBar } from "../components/progress-bar.tsx";
import { adviceOf, isCancelled } from "./advice.ts";
import styles from "./job-state.module.css";
import { durationOf } from "./queue-words.ts";
import type { LiveJob } from "./use-job-progress.ts";

/** The words for states of documents and of their jobs, on all pages. */
export const stateWords = {
  pending: "Waiting",
  running: "Processing",
  completed: "Indexed",
  failed: "Failed",
} as const satisfies Record<LiveJob["status"], string>;

const kinds = {
  pending: "plain",
  running: "accent",
  completed: "good",
  failed: "bad",
} as const satisfies Record<LiveJob["status"], BadgeKind>;

/** The status and progress of a job. For a failed job it says what to do, unless that stands elsewhere. */
export function JobState({ job, isShort = false }: { readonly job: LiveJob; readonly isShort?: boolean }) {
  const isLost = useIsLost();
  return (
    <div className={styles.state}>
      <JobBadge job={job} />
      {job.status === "running" && (
        <ProgressBar
          label={`Chunks of ${job.source_doc_id}`}
          value={job.chunks_processed}
          total={job.chunks_total}
          unit="chunk"
          note={isLost ? "" : paceOf(job)}
        />
      )}
      {!isShort && <JobAdvice job={job} />}
    </div>
  );
}

/** Why a job failed, and what to do. */
export function JobAdvice({ job }: { readonly job: LiveJob }) {
  if (job.status !== "failed") return null;
  return (
    <span className={isCancelled(job) ? styles.note : styles.fault}>{adviceOf(job.error_message ?? "")}</span>
  );
}

/** A job that somebody cancelled has not failed. */
export function JobBadge({ job }: { readonly job: Pick<LiveJob, "status" | "error_message"> }) {
  if (isCancelled(job)) return <Badge>Cancelled</Badge>;
  return <Badge kind={kinds[job.status]}>{stateWords[job.status]}</Badge>;
}

export function paceOf({ chunks_per_second: rate, seconds_left: left }: LiveJob): string {
  const pace = rate === null ? "" : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} chunks/s`;
  return left === null ? pace : `${pace}${pace === "" ? "" : ", "}${durationOf(left)} left`;
}

/** undefined: no event of the job has come yet. */
export function hasEnded(status: LiveJob["status"] | undefined): boolean {
  return status === "completed" || status === "failed";
}
