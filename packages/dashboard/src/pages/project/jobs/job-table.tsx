import { Link } from "@tanstack/react-router";
import { Button } from "../../../components/button.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { isRetryable, JobState } from "../../../jobs/job-state.tsx";
import { TimeTaken } from "../../../jobs/time-taken.tsx";
import type { LiveJob } from "../../../jobs/use-job-progress.ts";
import type { JobChange } from "./use-job-change.ts";

/** Jobs with their state, times and what can be done with them. */
export function JobTable({
  rows,
  isBusy,
  hasGraph,
  onChange,
}: {
  readonly rows: readonly LiveJob[];
  readonly isBusy: boolean;
  readonly hasGraph: boolean;
  readonly onChange: (change: JobChange) => void;
}) {
  const columns: readonly Column<LiveJob>[] = [
    { title: "Document", cell: (job) => <DocumentOf job={job} /> },
    { title: "State", cell: (job) => <JobState job={job} /> },
    { title: "Chunks", isNumber: true, cell: (job) => countOf(job, job.chunks_processed) },
    ...(hasGraph ? graphColumns : []),
    { title: "Ended", cell: ({ completed_at: at }) => (at === null ? "–" : <Time at={at} />) },
    { title: "Took", isNumber: true, cell: (job) => <TimeTaken job={job} /> },
    {
      title: "Actions",
      isAction: true,
      cell: (job) => {
        const action = actionFor(job);
        if (action === null) return null;
        const { job_id: jobId, source_doc_id: id } = job;
        return (
          <Button size="small" isDisabled={isBusy} onPress={() => onChange({ action, jobId })}>
            {action === "retry" ? "Retry" : "Cancel"}
            <span className="visually-hidden"> {id}</span>
          </Button>
        );
      },
    },
  ];
  return <Table label="Jobs" columns={columns} rows={rows} keyOf={({ job_id: id }) => id} />;
}

const graphColumns: readonly Column<LiveJob>[] = [
  { title: "Entities", isNumber: true, cell: (job) => countOf(job, job.nodes_created) },
  { title: "Relationships", isNumber: true, cell: (job) => countOf(job, job.edges_created) },
];

/** A job that waits has no numbers yet: zeros would say that it found nothing. */
function countOf({ status }: LiveJob, count: number): string {
  return status === "pending" ? "–" : count.toLocaleString("en");
}

function DocumentOf({
  job: { source_doc_id: id, project_id: projectId, status },
}: {
  readonly job: LiveJob;
}) {
  if (status !== "completed") return <bdi>{id}</bdi>;
  return (
    <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id }} dir="auto">
      {id}
    </Link>
  );
}

function actionFor(job: LiveJob): "cancel" | "retry" | null {
  if (job.status === "pending" || job.status === "running") return "cancel";
  return isRetryable(job) ? "retry" : null;
}
