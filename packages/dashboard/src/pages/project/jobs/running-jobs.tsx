import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useRef } from "react";
import { jobsQuery } from "../../../api/jobs.ts";
import { useIsLost } from "../../../api/use-is-lost.ts";
import { Button } from "../../../components/button.tsx";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { Section } from "../../../components/section.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { JobDocument } from "../../../jobs/job-document.tsx";
import { paceOf } from "../../../jobs/job-state.tsx";
import { type LiveJob, withoutProgress } from "../../../jobs/use-job-progress.ts";
import styles from "./running-jobs.module.css";
import type { JobChange } from "./use-job-change.ts";

/** Number of running jobs shown. */
const maxShown = 5;
const pollMs = 2_000;

/** What runs now, with its progress. */
export function RunningJobs({
  projectId,
  live,
  total,
  left,
  onChange,
}: {
  readonly projectId: string;
  /** How many run. */
  readonly total: number;
  /** How many run or wait. */
  readonly left: number;
  readonly live: ReadonlyMap<string, LiveJob>;
  readonly onChange: (change: JobChange) => void;
}) {
  const isLost = useIsLost();
  const { data } = useQuery({
    ...jobsQuery(projectId, { status: "running", from: 0 }),
    refetchInterval: pollMs,
  });
  const listed = (data?.jobs ?? []).map((job) => [job.job_id, withoutProgress(job)] as const);
  // Events are newer than the list, and tell of jobs that began since.
  const running = [...new Map([...listed, ...live]).values()]
    .filter(({ status }) => status === "running")
    .sort((a, b) => b.chunks_processed - a.chunks_processed);
  const most = useMost(Math.min(maxShown, running.length));
  if (running.length === 0 && (left === 0 || isLost)) return null;
  // While many wait, others follow those that end: their room stays, so that what is below does not jump.
  const isSteady = left > maxShown;
  const rows = { "--rows": isSteady ? Math.max(1, most) : 0 } as CSSProperties;
  return (
    <Section title="Processing now">
      {running.length === 0 ? (
        data === undefined ? (
          <Skeleton />
        ) : (
          <p className={`${styles.more} ${styles.room}`} style={rows}>
            None at this moment: the next one is starting.
          </p>
        )
      ) : (
        <ul className={`${styles.list} ${styles.room}`} style={rows}>
          {running.slice(0, maxShown).map((job) => (
            <li key={job.job_id} className={styles.job}>
              <span className={styles.name} dir="auto">
                <JobDocument job={job} />
              </span>
              <ProgressBar
                label={`Chunks of ${job.source_doc_id}`}
                value={job.chunks_processed}
                total={job.chunks_total}
                unit="chunk"
                note={isLost ? "" : paceOf(job)}
              />
              <Button
                size="small"
                variant="quiet"
                onPress={() => onChange({ action: "cancel", jobId: job.job_id })}
              >
                Cancel<span className="visually-hidden"> {job.source_doc_id}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {(total > maxShown || (isSteady && most === maxShown)) && (
        <p className={styles.more}>
          {total > maxShown ? `and ${(total - maxShown).toLocaleString("en")} more` : "\u00a0"}
        </p>
      )}
    </Section>
  );
}

/** The largest value since the page was opened. */
function useMost(value: number): number {
  const most = useRef(value);
  most.current = Math.max(most.current, value);
  return most.current;
}
