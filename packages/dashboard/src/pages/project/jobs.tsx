import type { Job } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { jobsPerPage, jobsQuery } from "../../api/jobs.ts";
import { projectQuery } from "../../api/projects.ts";
import { service } from "../../api/service.ts";
import { Button } from "../../components/button.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Pager } from "../../components/pager.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { isRetryable, JobState } from "../../jobs/job-state.tsx";
import { TimeTaken } from "../../jobs/time-taken.tsx";
import { type LiveJob, useJobProgress, withoutProgress } from "../../jobs/use-job-progress.ts";
import styles from "./jobs.module.css";

const pollMs = 3_000;

const route = "/signed-in/projects/$projectId/jobs";

/** The jobs of a project, newest first. */
export function JobsPage() {
  const { projectId } = useParams({ from: route });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { from = 0 } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/projects/$projectId/jobs" });
  const { data, error } = useQuery({
    ...jobsQuery(projectId, from),
    // The cached list can be older than a new job, and a job can end before this page subscribes to its events.
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.jobs.some(isActive) ? pollMs : false),
  });
  const live = useJobProgress(projectId);
  const { change, changing } = useChange(projectId);
  if (error !== null) return <PageFault error={error} />;
  if (data === undefined) return <PageSkeleton />;
  if (data.jobs.length === 0 && from === 0) return <NoJobs projectId={projectId} />;
  const rows = data.jobs.map((job) => (isActive(job) ? live.get(job.job_id) : null) ?? withoutProgress(job));
  return (
    <div className={styles.page}>
      <FaultNotice error={changing.error} />
      <Table
        label="Jobs"
        columns={columnsOf({ hasGraph: project.mode === "kg_vector", isBusy: changing.isPending }, change)}
        rows={rows}
        keyOf={({ job_id: id }) => id}
      />
      <Pager
        from={from}
        shown={rows.length}
        pageSize={jobsPerPage}
        total={null}
        onChange={(next) => void navigate({ search: next === 0 ? {} : { from: next } })}
      />
    </div>
  );
}

interface Change {
  readonly action: "cancel" | "retry";
  readonly jobId: string;
}

function useChange(projectId: string) {
  const queryClient = useQueryClient();
  const changing = useMutation({
    mutationFn: ({ action, jobId }: Change): Promise<unknown> => service.jobs[action](projectId, jobId),
    // Also after a refusal, because the state of the job has changed meanwhile.
    onSettled: () => queryClient.invalidateQueries(projectQuery(projectId)),
  });
  return { changing, change: (change: Change) => changing.mutate(change) };
}

function columnsOf(
  { hasGraph, isBusy }: { readonly hasGraph: boolean; readonly isBusy: boolean },
  onChange: (change: Change) => void,
): readonly Column<LiveJob>[] {
  return [
    {
      title: "Document",
      cell: ({ source_doc_id: id, project_id: projectId, status }) =>
        status === "completed" ? (
          <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id }}>
            {id}
          </Link>
        ) : (
          id
        ),
    },
    { title: "State", cell: (job) => <JobState job={job} /> },
    { title: "Chunks", isNumber: true, cell: (job) => job.chunks_processed.toLocaleString("en") },
    ...(hasGraph ? graphColumns : []),
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
}

const graphColumns: readonly Column<LiveJob>[] = [
  { title: "Entities", isNumber: true, cell: (job) => job.nodes_created.toLocaleString("en") },
  { title: "Relationships", isNumber: true, cell: (job) => job.edges_created.toLocaleString("en") },
];

function isActive({ status }: Job): boolean {
  return status === "pending" || status === "running";
}

function actionFor(job: LiveJob): Change["action"] | null {
  if (isActive(job)) return "cancel";
  return isRetryable(job) ? "retry" : null;
}

function NoJobs({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      title="No job yet"
      action={
        <ButtonLink to="/projects/$projectId/ingest" params={{ projectId }} variant="primary">
          Add texts
        </ButtonLink>
      }
    >
      Every text that you send becomes a job. This page shows the progress of jobs, and lets you cancel them
      or retry failed ones.
    </EmptyState>
  );
}
