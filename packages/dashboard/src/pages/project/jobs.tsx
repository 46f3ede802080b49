import type { Job } from "@kcs/sdk";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { jobsPerPage, jobsQuery, queueQuery } from "../../api/jobs.ts";
import { projectQuery } from "../../api/projects.ts";
import { unfinishedIn } from "../../api/queue-state.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Pager } from "../../components/pager.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { type LiveJob, useJobProgress, withoutProgress } from "../../jobs/use-job-progress.ts";
import { Failures, useAreNamesPending } from "./jobs/failures.tsx";
import { JobTable } from "./jobs/job-table.tsx";
import { QueueHead } from "./jobs/queue-head.tsx";
import { RunningJobs } from "./jobs/running-jobs.tsx";
import { StateFilter } from "./jobs/state-filter.tsx";
import { type JobChange, useJobChange } from "./jobs/use-job-change.ts";
import styles from "./jobs.module.css";

const pollMs = 3_000;

const route = "/signed-in/projects/$projectId/jobs";

/** The queue of a project: how far it is, what runs now, why jobs failed, and all jobs by state, newest first, those that wait last. */
export function JobsPage() {
  const { projectId } = useParams({ from: route });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { from = 0, state: status = null } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/projects/$projectId/jobs" });
  const { data: queue, error: queueError } = useQuery({ ...queueQuery(projectId), refetchOnMount: "always" });
  const isBusy = unfinishedIn(queue) > 0;
  // Else the list of a long queue would begin with the jobs that are begun last.
  const listed = status ?? (queue !== undefined && queue.pending > 0 ? "by_state" : null);
  const { data, error, isPlaceholderData } = useQuery({
    ...jobsQuery(projectId, { status: listed, from }),
    enabled: queue !== undefined || status !== null,
    // The cached list can be older than a new job, and a job can end before this page subscribes to its events.
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (isBusy || state.data?.jobs.some(isActive) ? pollMs : false),
  });
  // What failures name comes with them, so that nothing moves down.
  const areNamesPending = useAreNamesPending(projectId, queue);
  const live = useJobProgress(projectId);
  const { change, changing } = useJobChange(projectId);
  const [cancelling, setCancelling] = useState<JobChange | null>(null);
  // A cancelled job cannot be retried, because the service does not keep its text.
  const changeOrAsk = (next: JobChange) => (next.action === "cancel" ? setCancelling(next) : change(next));
  const failed = error ?? queueError;
  if (failed !== null) return <PageFault error={failed} />;
  if (data === undefined || queue === undefined || areNamesPending) return <PageSkeleton />;
  const total = { ...queue, all: queue.pending + queue.running + queue.completed + queue.failed };
  if (total.all === 0) return <NoJobs projectId={projectId} />;
  const rows = data.jobs.map((job) => (isActive(job) ? live.get(job.job_id) : null) ?? withoutProgress(job));
  const hasGraph = project.mode === "kg_vector";
  return (
    <div className={styles.page}>
      <FaultNotice error={changing.error} />
      <QueueHead projectId={projectId} queue={queue} />
      {isBusy && (
        <RunningJobs
          projectId={projectId}
          live={live}
          total={queue.running}
          left={unfinishedIn(queue)}
          onChange={changeOrAsk}
        />
      )}
      <Failures projectId={projectId} queue={queue} />
      <section aria-label="All jobs" className={styles.list}>
        <StateFilter
          counts={total}
          chosen={status}
          onChange={(next) => void navigate({ search: next === null ? {} : { state: next } })}
        />
        {rows.length === 0 ? (
          <p className={styles.none}>No job in this state.</p>
        ) : (
          <JobTable
            projectId={projectId}
            rows={rows}
            isBusy={changing.isPending}
            hasGraph={hasGraph}
            onChange={changeOrAsk}
          />
        )}
        <Pager
          from={from}
          shown={rows.length}
          pageSize={jobsPerPage}
          isLoading={isPlaceholderData}
          total={status === null ? total.all : queue[status]}
          onChange={(next) =>
            void navigate({
              search: (before) => ({ ...withoutPlace(before), ...(next > 0 && { from: next }) }),
            })
          }
        />
      </section>
      {cancelling !== null && (
        <ConfirmDialog
          title="Cancel this job"
          action="Cancel the job"
          keep="Keep it running"
          onConfirm={() => changing.mutateAsync(cancelling)}
          onClose={() => setCancelling(null)}
        >
          It cannot be retried: its text is not kept. Send it again if you still want to add it. What
          questions see of an earlier version stays.
        </ConfirmDialog>
      )}
    </div>
  );
}

function withoutPlace({ state }: { readonly state?: Job["status"] }) {
  return state === undefined ? {} : { state };
}

function isActive({ status }: LiveJob | Job): boolean {
  return status === "pending" || status === "running";
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
