import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import { isRetryable, type JobQueueService } from "../../services/job-queue.ts";
import { check, jsonBody } from "../body.ts";
import { presentAcceptedBatch } from "../present.ts";
import { rateLimitWriter } from "../rate-limit.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";

export function addJobQueueRoutes(app: FastifyInstance, queue: JobQueueService): void {
  addEndpoint(app, "getQueue", {
    async handler(request) {
      const state = await queue.read(requireCaller(request), pathParameter(request, "project_id"));
      const { pending, running, completed, failed, batch, othersUnfinished, pace, failures, reread } = state;
      return {
        ...{ pending, running, completed, failed, batch },
        others_unfinished: othersUnfinished,
        reread:
          reread === null
            ? null
            : {
                documents_processed: reread.documentsProcessed,
                documents_failed: reread.documentsFailed,
                documents_queued: reread.documentsQueued,
                documents_total: reread.documentsTotal,
              },
        jobs_per_minute: pace.jobsPerMinute,
        seconds_left: pace.secondsLeft,
        failures: failures.map(({ errorMessage, jobs }) => ({
          error_message: errorMessage,
          jobs,
          can_retry: isRetryable(errorMessage),
        })),
      };
    },
  });

  addEndpoint(app, "retryJobs", {
    async handler(request, reply) {
      const { value = {} } = jsonBody(request);
      const { jobs, left } = await queue.retry(requireCaller(request), pathParameter(request, "project_id"), {
        reason: () => check(bodies.retryJobsBody, value).error_message ?? null,
        onRate: rateLimitWriter(reply),
      });
      return { ...presentAcceptedBatch(jobs), left };
    },
  });

  addEndpoint(app, "cancelJobs", {
    handler: (request) => queue.cancel(requireCaller(request), pathParameter(request, "project_id")),
  });
}
