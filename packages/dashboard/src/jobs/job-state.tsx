import { Badge, type BadgeKind } from "../components/badge.tsx";
import { ProgressBar } from "../components/progress-bar.tsx";
import styles from "./job-state.module.css";
import { durationOf } from "./queue-words.ts";
import type { LiveJob } from "./use-job-progress.ts";

const cancelled = "Cancelled";

const kinds = {
  pending: "plain",
  running: "accent",
  completed: "good",
  failed: "bad",
} as const satisfies Record<LiveJob["status"], BadgeKind>;

/** The status and progress of a job. For a failed job it says what to do. */
export function JobState({ job }: { readonly job: LiveJob }) {
  return (
    <div className={styles.state}>
      <Badge kind={kinds[job.status]}>{job.status === "pending" ? "waiting" : job.status}</Badge>
      {job.status === "running" && (
        <ProgressBar
          label={`Chunks of ${job.source_doc_id}`}
          value={job.chunks_processed}
          total={job.chunks_total}
          note={paceOf(job)}
        />
      )}
      {job.status === "failed" && <span className={styles.fault}>{adviceOf(job.error_message ?? "")}</span>}
    </div>
  );
}

export function paceOf({ chunks_per_second: rate, seconds_left: left }: LiveJob): string {
  const pace = rate === null ? "" : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} chunks/s`;
  return left === null ? pace : `${pace}${pace === "" ? "" : ", "}${durationOf(left)} left`;
}

/** Whether the service can retry the job. It does not keep the text of a cancelled job. */
export function isRetryable({ status, error_message: message }: LiveJob): boolean {
  return status === "failed" && message !== cancelled;
}

/** The service's message and what the user can do. */
export function adviceOf(message: string): string {
  if (message === "Token usage limit exceeded")
    return `${message}. Wait until the next month, or ask for a higher limit.`;
  if (message === cancelled)
    return "Cancelled. Its text is not kept: send it again if you still want to add it.";
  if (message.startsWith("LLM API timeout"))
    return `${message}. The language model did not answer; retry later.`;
  if (message.startsWith("Database connection lost")) return `${message}. It is safe to retry.`;
  return `${message}${message.endsWith(".") ? "" : "."} Retry it, or send the text again.`;
}
