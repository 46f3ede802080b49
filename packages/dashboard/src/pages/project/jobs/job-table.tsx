import { useQuery } from "@tanstack/react-query";
import { useHiddenDocuments } from "../../../api/deletions.ts";
import { latestDocumentsQuery } from "../../../api/documents.ts";
import { Badge } from "../../../components/badge.tsx";
import { Button } from "../../../components/button.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { isCancelled, isWorthRetrying } from "../../../jobs/advice.ts";
import { JobDocument } from "../../../jobs/job-document.tsx";
import { JobAdvice, JobState, stateWords } from "../../../jobs/job-state.tsx";
import { TimeTaken } from "../../../jobs/time-taken.tsx";
import type { LiveJob } from "../../../jobs/use-job-progress.ts";
import { useDocumentDeletion } from "../documents/use-document-deletion.ts";
import { fateOf, type JobFate } from "./job-fate.ts";
import styles from "./job-table.module.css";
import type { JobChange } from "./use-job-change.ts";

/** Jobs with their state, times and what can be done with them. */
export function JobTable({
  projectId,
  rows,
  isBusy,
  hasGraph,
  onChange,
}: {
  readonly projectId: string;
  readonly rows: readonly LiveJob[];
  readonly isBusy: boolean;
  readonly hasGraph: boolean;
  readonly onChange: (change: JobChange) => void;
}) {
  const hasFailed = rows.some(({ status }) => status === "failed");
  const { data: latest } = useQuery({ ...latestDocumentsQuery(projectId), enabled: hasFailed });
  const hidden = useHiddenDocuments(projectId);
  const remove = useDocumentDeletion(projectId);
  const fate = (job: LiveJob): JobFate => {
    if (job.status !== "failed") return null;
    return hidden.has(job.source_doc_id) ? "deleted" : fateOf(job, latest);
  };
  const columns: readonly Column<LiveJob>[] = [
    {
      title: "Document",
      isName: true,
      cell: (job) => <JobDocument job={job} isGone={fate(job) === "deleted"} />,
    },
    { title: "State", cell: (job) => <StateOf job={job} fate={fate(job)} /> },
    { title: "Chunks", isNumber: true, cell: (job) => countOf(job, job.chunks_processed) },
    ...(hasGraph ? graphColumns : []),
    { title: "Ended", cell: ({ completed_at: at }) => (at === null ? "–" : <Time at={at} />) },
    { title: "Took", isNumber: true, cell: (job) => <TimeTaken job={job} /> },
    {
      title: "Actions",
      isAction: true,
      cell: (job) => (
        <JobActions job={job} fate={fate(job)} isBusy={isBusy} onChange={onChange} onRemove={remove} />
      ),
    },
  ];
  // Beside so many columns a reason would have a few letters' room.
  const adviceFor = (job: LiveJob) =>
    job.status === "failed" && needsAdvice(fate(job)) ? <JobAdvice job={job} /> : null;
  return (
    <Table label="Jobs" columns={columns} rows={rows} keyOf={({ job_id: id }) => id} noteOf={adviceFor} />
  );
}

/** Of a document that is read again most are in the graph already: the service counts those that are new in it. */
const graphColumns: readonly Column<LiveJob>[] = [
  { title: "New entities", isNumber: true, cell: (job) => countOf(job, job.nodes_created) },
  { title: "New relationships", isNumber: true, cell: (job) => countOf(job, job.edges_created) },
];

/** A job that waits has no numbers yet: zeros would say that it found nothing. */
function countOf({ status }: LiveJob, count: number): string {
  return status === "pending" ? "–" : count.toLocaleString("en");
}

/** A job whose document was sent again, or is gone, needs no advice. */
function needsAdvice(fate: JobFate): boolean {
  return fate !== "retried" && fate !== "deleted";
}

function StateOf({ job, fate }: { readonly job: LiveJob; readonly fate: JobFate }) {
  if (needsAdvice(fate)) return <JobState job={job} isShort />;
  return (
    <>
      <Badge>{isCancelled(job) ? "Cancelled" : stateWords.failed}</Badge>{" "}
      {fate === "retried" ? "Sent again since." : "The document was deleted."}
    </>
  );
}

function JobActions({
  job: { job_id: jobId, source_doc_id: id, status, error_message: message },
  fate,
  isBusy,
  onChange,
  onRemove,
}: {
  readonly job: LiveJob;
  readonly fate: JobFate;
  readonly isBusy: boolean;
  readonly onChange: (change: JobChange) => void;
  readonly onRemove: (sourceDocIds: readonly string[]) => void;
}) {
  const isOver = status === "completed" || !needsAdvice(fate);
  if (isOver) return null;
  const action = status === "failed" ? "retry" : "cancel";
  return (
    <span className={styles.actions}>
      {(action === "cancel" || isWorthRetrying(message ?? "")) && (
        <Button size="small" isDisabled={isBusy} onPress={() => onChange({ action, jobId })}>
          {action === "retry" ? "Retry" : "Cancel"}
          <span className="visually-hidden"> {id}</span>
        </Button>
      )}
      {fate === "failed" && (
        <Button size="small" variant="quietDanger" onPress={() => onRemove([id])}>
          Remove<span className="visually-hidden"> {id}</span>
        </Button>
      )}
    </span>
  );
}
