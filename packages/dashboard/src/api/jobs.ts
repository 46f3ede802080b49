import type { Job } from "@kcs/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Queue, unfinishedIn, withStart } from "./queue-state.ts";
import { service } from "./service.ts";

export const jobsPerPage = 50;
const busyPollMs = 2_000;
/** A program may send documents while a page is open. */
const idlePollMs = 20_000;

export type JobStatus = Job["status"];
export const jobStatuses: readonly JobStatus[] = ["pending", "running", "completed", "failed"];

/** Newest first. `status` null: all. */
export function jobsQuery(
  projectId: string,
  { status, from }: { readonly status: JobStatus | null; readonly from: number },
) {
  return queryOptions({
    queryKey: ["projects", projectId, "jobs", { status, from }],
    queryFn: ({ signal }) =>
      service.jobs.list(
        projectId,
        { limit: jobsPerPage, offset: from, ...(status === null ? {} : { status }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

/** All jobs of a project by state. Asked for again while jobs run. */
export function queueQuery(projectId: string) {
  const queryKey = ["projects", projectId, "queue"];
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) =>
      withStart(await service.jobs.queue(projectId, { signal }), client.getQueryData<Queue>(queryKey)),
    refetchInterval: ({ state }) => (unfinishedIn(state.data) > 0 ? busyPollMs : idlePollMs),
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
