/** What becomes of jobs that do not go well: tried again, later, or failed with a text for whoever sent them. */
import { jobFailures } from "../domain/errors.ts";
import type { ClaimedJob } from "../domain/job.ts";
import { EmbedderUnavailableError } from "../ports/embedder.ts";
import type { Log } from "../ports/log.ts";
import { type JobQueue, StoreUnavailableError } from "../ports/store.ts";

export interface JobFailures {
  /** Puts the job off, or fails it when it was tried often enough. */
  fail(job: ClaimedJob, held: { readonly leaseToken: string; readonly error: unknown }): Promise<void>;
  /** Fails the jobs whose worker has ended often enough without a word, and returns the others. */
  giveUpPoisoned(jobs: readonly ClaimedJob[], leaseToken: string): Promise<readonly ClaimedJob[]>;
}

const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 2_000;
const RETRY_MAX_MS = 60_000;
const OUTAGE_PAUSE_MS = 15_000;

export function createJobFailures(deps: {
  readonly store: Pick<JobQueue, "failJobs">;
  readonly log: Log;
  readonly now: () => number;
}): JobFailures {
  const { store, log, now } = deps;
  return {
    async fail(job, { leaseToken, error }) {
      const { jobId, projectId } = job;
      const isOutage = error instanceof StoreUnavailableError || error instanceof EmbedderUnavailableError;
      const attempts = job.attempts + 1;
      const again = isOutage || attempts < MAX_ATTEMPTS;
      log.warn("job_failed", { jobId, projectId, attempts, again, error });
      const pauseMs = isOutage ? OUTAGE_PAUSE_MS : Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** job.attempts);
      await store.failJobs({
        jobIds: [jobId],
        projectId,
        leaseToken,
        now: now(),
        errorMessage: failureText(error),
        retryAt: again ? now() + pauseMs : null,
        // An outage says nothing about the job, which waits as long as that lasts.
        countAttempt: !isOutage,
      });
    },

    async giveUpPoisoned(jobs, leaseToken) {
      for (const { jobId, projectId, attempts } of jobs.filter(isPoisoned)) {
        log.error("job_given_up", { jobId, projectId, attempts });
        await store.failJobs({
          jobIds: [jobId],
          projectId,
          leaseToken,
          now: now(),
          errorMessage: `The worker ended ${attempts} times while it worked on this document`,
          retryAt: null,
        });
      }
      return jobs.filter((job) => !isPoisoned(job));
    },
  };
}

function isPoisoned(job: ClaimedJob): boolean {
  return job.attempts >= MAX_ATTEMPTS;
}

/** For whoever sent the document; what only the operator should read is in the log. */
function failureText(error: unknown): string {
  if (error instanceof StoreUnavailableError) {
    return error.reason === "connection_lost" ? jobFailures.databaseConnectionLost : error.message;
  }
  if (error instanceof EmbedderUnavailableError) return error.message;
  return "Internal error while the document was processed; the service's log has the cause";
}
