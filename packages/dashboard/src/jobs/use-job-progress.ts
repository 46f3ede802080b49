import type { Job } from "@kcs/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { service } from "../api/service.ts";

export interface LiveJob extends Job {
  readonly chunks_total: number | null;
  readonly chunks_per_second: number | null;
  readonly seconds_left: number | null;
}

/** As many as can be sent at once. */
const maxJobs = 10_000;
/** A thousand jobs that end one after the other must not make a thousand requests. */
const readAgainMs = 1_000;

/** What the service tells of a project's jobs while the page is open, by job id; whatever they change is read again. */
export function useJobProgress(projectId: string): ReadonlyMap<string, LiveJob> {
  const [jobs, setJobs] = useState<ReadonlyMap<string, LiveJob>>(new Map());
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | null = null;
    const readAgain = () => {
      timer = null;
      void queryClient.invalidateQueries({ queryKey: ["projects", projectId] });
    };
    const told = new Set<string>();
    const follow = async () => {
      for await (const { type, job } of service.jobs.projectEvents(projectId, { signal: stop.signal })) {
        setJobs((known) => withJob(known, job));
        // Lists may not have a job yet that nothing was told of before.
        if (type !== "progress" || !told.has(job.job_id)) timer ??= setTimeout(readAgain, readAgainMs);
        if (told.size >= maxJobs) told.clear();
        told.add(job.job_id);
      }
    };
    // Without events the lists are still right once they are read again.
    follow().catch(() => undefined);
    return () => {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [projectId, queryClient]);
  return jobs;
}

function withJob(known: ReadonlyMap<string, LiveJob>, job: LiveJob): ReadonlyMap<string, LiveJob> {
  const next = new Map(known);
  next.delete(job.job_id);
  next.set(job.job_id, job);
  const [oldest] = next.keys();
  if (next.size > maxJobs && oldest !== undefined) next.delete(oldest);
  return next;
}

/** A job of which nothing was told yet. */
export function stillJob(job: Job): LiveJob {
  return { ...job, chunks_total: null, chunks_per_second: null, seconds_left: null };
}
