import type { Endpoint } from "./endpoint.ts";
import { cancelledJobs, jobQueue, retriedJobs } from "./job-responses.ts";

export const queueEndpoints = {
  getQueue: {
    method: "GET",
    path: "/projects/{project_id}/queue",
    summary: "Count a project's jobs by state, with their rate and the reasons of failures",
    success: 200,
    response: jobQueue,
    documented: false,
  },
  retryJobs: {
    method: "POST",
    path: "/projects/{project_id}/queue/retry",
    summary: "Ingest the texts of up to 1,000 failed jobs again",
    success: 200,
    response: retriedJobs,
    documented: false,
  },
  cancelJobs: {
    method: "POST",
    path: "/projects/{project_id}/queue/cancel",
    summary: "Cancel up to 1,000 jobs that have not ended",
    success: 200,
    response: cancelledJobs,
    documented: false,
  },
} as const satisfies Record<string, Endpoint>;
