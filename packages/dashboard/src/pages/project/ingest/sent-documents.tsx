import { Link } from "@tanstack/react-router";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { JobDocument } from "../../../jobs/job-document.tsx";
import { hasEnded, JobState } from "../../../jobs/job-state.tsx";
import type { LiveJob } from "../../../jobs/use-job-progress.ts";
import styles from "./sent-documents.module.css";

const maxShown = 100;

/** The documents sent from this page, with their progress. */
export function SentDocuments({
  projectId,
  jobs,
  notSent,
}: {
  readonly projectId: string;
  readonly jobs: readonly LiveJob[];
  /** How many of the chosen files were not sent. */
  readonly notSent: number;
}) {
  if (jobs.length === 0) return null;
  const ended = jobs.filter(({ status }) => hasEnded(status)).length;
  const failed = jobs.filter(({ status }) => status === "failed").length;
  return (
    <section aria-labelledby="sent" className={styles.section}>
      <div className={styles.head}>
        <h2 id="sent">Sent now</h2>
        <p role="status" className={jobs.length > 1 && ended < jobs.length ? "visually-hidden" : ""}>
          {ended} of {jobs.length + notSent} done
          {failed > 0 && (
            <>
              ,{" "}
              <Link to="/projects/$projectId/documents" params={{ projectId }} search={{ state: "failed" }}>
                {failed} of them failed
              </Link>
            </>
          )}
          {notSent > 0 && `, ${notSent} not sent`}
        </p>
      </div>
      {jobs.length > 1 && ended < jobs.length && (
        <ProgressBar label="All documents" value={ended} total={jobs.length} unit="document" />
      )}
      {ended === jobs.length && <NextStep projectId={projectId} isReady={jobs.some(isCompleted)} />}
      <Table
        label="Documents sent now"
        isSteady
        columns={columns}
        rows={mostUrgent(jobs)}
        keyOf={({ job_id: id }) => id}
      />
      {jobs.length > maxShown && <p>And {jobs.length - maxShown} more.</p>}
    </section>
  );
}

/** A link to the next step. */
function NextStep({ projectId, isReady }: { readonly projectId: string; readonly isReady: boolean }) {
  const params = { projectId };
  return isReady ? (
    <p>
      Ready.{" "}
      <Link to="/projects/$projectId/ask" params={params}>
        Ask a question
      </Link>
    </p>
  ) : (
    <p>
      None of the documents could be processed.{" "}
      <Link to="/projects/$projectId/jobs" params={params}>
        Show the jobs
      </Link>
    </p>
  );
}

function isCompleted({ status }: LiveJob): boolean {
  return status === "completed";
}

const urgency = { failed: 0, running: 1, pending: 2, completed: 3 } as const;

/** In the order of sending if all jobs are shown; otherwise failed jobs first, then running ones. */
function mostUrgent(jobs: readonly LiveJob[]): readonly LiveJob[] {
  if (jobs.length <= maxShown) return jobs;
  return [...jobs].sort((a, b) => urgency[a.status] - urgency[b.status]).slice(0, maxShown);
}

const columns: readonly Column<LiveJob>[] = [
  { title: "Document", isName: true, cell: (job) => <JobDocument job={job} /> },
  { title: "State", cell: (job) => <JobState job={job} /> },
];
