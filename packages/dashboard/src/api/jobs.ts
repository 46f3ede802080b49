import { keepPreviousData, queryOptions, skipToken } from "@tanstack/react-query";
import type { JobStatus } from "./job-status.ts";
import { type JobPage, listInTurn } from "./jobs-in-turn.ts";
import { unfinishedIn } from "./queue-state.ts";
import { service } from "./service.ts";

export const jobsPerPage = 50;
const busyPollMs = 2_000;
/** A program may send documents while a page is open. */
const idlePollMs = 20_000;

/** "by_state": all, those that wait behind the others. null: all. */
export type ListedJobs = JobStatus | "by_state" | null;

const waitingLast = ["running", "failed", "completed", "pending"] as const;

/** Newest first. */
export function jobsQuery(
  projectId: string,
  { status, from }: { readonly status: ListedJobs; readonly from: number },
) {
  const list = (state: JobStatus | null, page: JobPage, signal: AbortSignal) =>
    service.jobs.list(projectId, { ...page, ...(state === null ? {} : { status: state }) }, { signal });
  return queryOptions({
    queryKey: ["projects", projectId, "jobs", { status, from }],
    queryFn: ({ signal }) =>
      status === "by_state"
        ? listInTurn(
            waitingLast,
            { limit: jobsPerPage, offset: from },
            {
              count: () => service.jobs.queue(projectId, { signal }),
              list: (state, page) => list(state, page, signal),
            },
          )
        : list(status, { limit: jobsPerPage, offset: from }, signal),
    placeholderData: keepPreviousData,
  });
}

/** All jobs of a project by state. Asked for again while jobs run. */
export function queueQuery(projectId: string) {
  return queryOptions({
    queryKey: ["projects", projectId, "queue"],
    queryFn: ({ signal }) => service.jobs.queue(projectId, { signal }),
    refetchInterval: ({ state }) => (unfinishedIn(state.data) > 0 ? busyPollMs : idlePollMs),
  });
}

/** How many jobs were unfinished when this page began to cancel all of them; null: it does not. Set by `useJobChange`. */
export function cancellingQuery(projectId: string) {
  return queryOptions<number | null>({
    queryKey: ["cancelling", projectId],
    queryFn: skipToken,
    initialData: null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Repeats a request for all jobs, which takes up to a thousand at a time, until none is left or nothing is done any more. */
export async function untilNoneLeft(
  take: () => Promise<{ readonly done: number; readonly left: number }>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const { done, left } = await take();
    total += done;
    if (left === 0 || done === 0) return total;
  }
}
