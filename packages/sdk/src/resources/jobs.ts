import { requireList } from "../expected.ts";
import { followEvents, type JobEvent } from "../job-events.ts";
import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import { type WaitAllOptions, type WaitOptions, waitForJob, waitForJobs } from "../wait-for-jobs.ts";
import type { AcceptedJob, CancelledJobs, Job, JobList, JobQueue, RetriedJobs, RetryJobs } from "../wire.ts";

const PAGE = 1000;

export function jobsResource(transport: Transport) {
  /** Newest first; with a `status` only jobs in it. `total` is the number of jobs in the response. */
  const list = (
    projectId: string,
    page: { limit?: number; offset?: number; status?: Job["status"] } = {},
    options?: CallOptions,
  ) =>
    transport.json<JobList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/jobs`,
      query: page,
      options,
    });
  const get = (projectId: string, jobId: string, options?: CallOptions) =>
    transport.json<Job>({ method: "GET", path: pathOf`/projects/${projectId}/jobs/${jobId}`, options });
  /** The events of one job until it ends. A broken connection is resumed after the last event received. */
  const events = (projectId: string, jobId: string, options?: CallOptions): AsyncGenerator<JobEvent, void> =>
    followEvents(transport, {
      path: pathOf`/projects/${projectId}/jobs/${jobId}/events`,
      endsWithJob: true,
      options,
    });
  return {
    list,
    get,
    events,

    /** The events of all jobs of a project, until the loop is left or the signal is aborted. */
    projectEvents: (projectId: string, options?: CallOptions): AsyncGenerator<JobEvent, void> =>
      followEvents(transport, { path: pathOf`/projects/${projectId}/events`, endsWithJob: false, options }),

    ...queueMethods(transport),

    /** Cancels a job that has not ended. Its status becomes `failed` with the message `Cancelled`. */
    cancel: (projectId: string, jobId: string, options?: CallOptions) =>
      transport.json<Job>({
        method: "POST",
        path: pathOf`/projects/${projectId}/jobs/${jobId}/cancel`,
        options,
      }),

    /** Ingests the text of a failed job again; resolves to the new job. */
    retry: (projectId: string, jobId: string, options?: CallOptions) =>
      transport.json<AcceptedJob>({
        method: "POST",
        path: pathOf`/projects/${projectId}/jobs/${jobId}/retry`,
        creates: true,
        options,
      }),

    /**
     * Resolves to the job when it has completed. Follows its events, and polls when the event stream fails.
     * @throws JobFailedError when the job failed; TimeoutError when `timeoutMs` has passed
     */
    wait: (projectId: string, jobId: string, options?: WaitOptions): Promise<Job> =>
      waitForJob(
        { get: (call) => get(projectId, jobId, call), events: (call) => events(projectId, jobId, call) },
        options,
      ),

    /**
     * Resolves to the jobs in the order of the ids when all have ended, failed ones included. Polls, because one request
     * lists a thousand jobs.
     * @throws TimeoutError when `timeoutMs` has passed
     */
    waitAll: (
      projectId: string,
      jobIds: readonly string[],
      options?: WaitAllOptions,
    ): Promise<readonly Job[]> =>
      waitForJobs(
        {
          get: (jobId, call) => get(projectId, jobId, call),
          list: async (page, call) => requireList((await list(projectId, page, call)).jobs, "jobs"),
        },
        jobIds,
        options,
      ),

    /** Yields all jobs, newest first. */
    each: (projectId: string, options?: CallOptions) =>
      eachItem<Job, JobList>({
        pageSize: PAGE,
        page: (limit, offset) => list(projectId, { limit, offset }, options),
        itemsOf: ({ jobs }) => jobs,
      }),
  };
}

/** What is read and done for all jobs of a project together. */
function queueMethods(transport: Transport) {
  return {
    /** All jobs by state, however many they are, with their rate and the reasons of failures. */
    queue: (projectId: string, options?: CallOptions) =>
      transport.json<JobQueue>({ method: "GET", path: pathOf`/projects/${projectId}/queue`, options }),

    /** Retries up to 1,000 failed jobs, with `error_message` only those that failed with it; `left` says how many more there are. */
    retryAll: (projectId: string, body: RetryJobs = {}, options?: CallOptions) =>
      transport.json<RetriedJobs>({
        method: "POST",
        path: pathOf`/projects/${projectId}/queue/retry`,
        tellsChange: true,
        body,
        options,
      }),

    /** Cancels up to 1,000 jobs that have not ended; `left` says how many more there are. */
    cancelAll: (projectId: string, options?: CallOptions) =>
      transport.json<CancelledJobs>({
        method: "POST",
        path: pathOf`/projects/${projectId}/queue/cancel`,
        tellsChange: true,
        options,
      }),
  };
}
