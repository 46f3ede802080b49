import { retryJobsBody } from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";

const retried = {
  job_id: "job_7d1f0c52a9e84b36b1f2c3d4e5f60718",
  status: "pending",
  created_at: "2031-05-04T10:00:00.000Z",
  source_doc_id: "lighthouse",
};

export const queueDetails = {
  getQueue: {
    tag: "Jobs",
    description:
      "All jobs of the project by state, however many they are. The rate is that of the jobs that ended in the last five minutes and since the last pause, in which nothing ended for 20 seconds and ten times as long as usual; at most the last 200. While documents are read again it is that since the reading began, as far as it is between half and twice that of late. The account's jobs are begun in the order in which they were sent, whatever their project: `others_unfinished` counts those of its other projects. The states count all jobs that the project ever had, `batch` those that have ended of the jobs that came since none was unfinished; `reread` says how far the reread is that runs, for example after a move to another ontology; `documents_queued` of its documents have a job that has not ended. `failures` has at most 20 reasons, those of the latest 10,000 failed jobs; a job of which the document was sent again since, or deleted, is not among them.",
    example: {
      pending: 1480,
      running: 8,
      completed: 212,
      failed: 3,
      batch: { completed: 20, failed: 1 },
      others_unfinished: 0,
      reread: null,
      jobs_per_minute: 96.5,
      seconds_left: 926,
      failures: [{ error_message: "LLM API timeout after 3 retries", jobs: 3, can_retry: true }],
    },
  },
  retryJobs: {
    tag: "Jobs",
    description:
      "Does for up to 1,000 failed jobs, newest first, what `retry` does for one, and counts as one ingest request. With `error_message`, only those that failed with it. Jobs whose document was sent again since are left out, so the request can be repeated; `left` says how many more there are. Jobs of a reread are retried one by one. When a limit of the account is reached on the way, the jobs until then are accepted.",
    body: {
      name: "RetryJobs",
      schema: retryJobsBody,
      example: { error_message: "LLM API timeout after 3 retries" },
      isOptional: true,
    },
    example: { jobs: [retried], left: 0 },
    answerHeaders: ["RateLimit", "RateLimit-Policy"],
    errors: [
      {
        status: 403,
        detail: "Token usage limit exceeded",
        when: "The account has used up its tokens of this calendar month.",
      },
      {
        status: 429,
        detail: "Rate limit exceeded. Try again in 60 seconds.",
        when: "The account has sent too many ingest requests in the last minute, or has too many pending jobs.",
      },
    ],
  },
  cancelJobs: {
    tag: "Jobs",
    description:
      "Does for up to 1,000 jobs that have not ended what `cancel` does for one, those that wait first. A running reread is cancelled, too. `left` says how many jobs have still not ended; repeat the request until it is 0.",
    example: { cancelled: 1000, left: 488 },
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
