import type { Job } from "@kcs/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { connection } from "../api/connection.ts";
import { statusOf } from "../api/fault.ts";
import { service } from "../api/service.ts";

export interface LiveJob extends Job {
  readonly chunks_total: number | null;
  readonly chunks_per_second: number | null;
  readonly seconds_left: number | null;
}

/** As many as the page can send at once. When there are more, the oldest are forgotten. */
const maxJobs = 10_000;
/** Throttles refreshes: a thousand jobs that end one after the other must not cause a thousand requests. */
const refreshMs = 1_000;
/** Before a stream that broke is opened again, where the service can be reached. */
const reopenMs = 20_000;

/** The state of a project's jobs by job id, from its event stream. Also refreshes the project's data when jobs change it. */
export function useJobProgress(projectId: string): ReadonlyMap<string, LiveJob> {
  const [jobs, setJobs] = useState<ReadonlyMap<string, LiveJob>>(new Map());
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const refresh = () => {
      timer = null;
      void queryClient.invalidateQueries({ queryKey: ["projects", projectId] });
    };
    const seenJobs = new Set<string>();
    const follow = async () => {
      for await (const { type, job } of service.jobs.projectEvents(projectId, { signal: stop.signal })) {
        setJobs((known) => withJob(known, job));
        // Lists may not contain a job yet that is seen for the first time.
        if (type !== "progress" || !seenJobs.has(job.job_id)) timer ??= setTimeout(refresh, refreshMs);
        if (seenJobs.size >= maxJobs) seenJobs.clear();
        seenJobs.add(job.job_id);
      }
    };
    const keepFollowing = async () => {
      for (;;) {
        const error: unknown = await follow().catch((cause: unknown) => cause);
        if (stop.signal.aborted || isRefused(error)) return;
        if (connection.isLost()) await connection.whenBack();
        else await new Promise((resolve) => setTimeout(resolve, reopenMs));
        if (stop.signal.aborted) return;
        // No event tells what the others did meanwhile; lists do.
        setJobs((known) => new Map([...known].filter(([, { completed_at: end }]) => end !== null)));
        refresh();
      }
    };
    void keepFollowing();
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [projectId, queryClient]);
  return jobs;
}

/** Without events the lists are still correct after their next refresh. */
function isRefused(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && status >= 400 && status < 500 && status !== 429;
}

function withJob(known: ReadonlyMap<string, LiveJob>, job: LiveJob): ReadonlyMap<string, LiveJob> {
  const next = new Map(known);
  next.delete(job.job_id);
  next.set(job.job_id, job);
  const [oldest] = next.keys();
  if (next.size > maxJobs && oldest !== undefined) next.delete(oldest);
  return next;
}

/** A job without the members that only the event stream has. */
export function withoutProgress(job: Job): LiveJob {
  return { ...job, chunks_total: null, chunks_per_second: null, seconds_left: null };
}
