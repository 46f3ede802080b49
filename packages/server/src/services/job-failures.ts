/** What becomes of jobs that do not go well: tried again, later, or failed with a text for whoever sent them. */
import { jobFailures } from "../domain/errors.ts";
import type { ClaimedJob } from "../domain/job.ts";
import { InvalidExtractionError } from "../engine/ingest/extract/model/create-model-extractor.ts";
import { EmbedderUnavailableError, EmbeddingError } from "../ports/embedder.ts";
import { ModelError } from "../ports/language-model.ts";
import type { Log } from "../ports/log.ts";
import { type JobQueue, StoreUnavailableError } from "../ports/store.ts";

export interface JobFailures {
  /** Puts the job off, or fails it when it was tried often enough. */
  fail(job: ClaimedJob, held: { readonly leaseToken: string; readonly error: unknown }): Promise<void>;
  /** Fails the jobs whose worker has ended often enough without a word, and returns the others. */
  giveUpPoisoned(jobs: readonly ClaimedJob[], leaseToken: string): Promise<readonly ClaimedJob[]>;
}

export const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 2_000;
const RETRY_MAX_MS = 60_000;
const OUTAGE_PAUSE_MS = 15_000;
/** From the start of a job: so long it waits for a language model whose circuit breaker is open. */
const MODEL_DEADLINE_MS = 60 * 60_000;
/** The queue takes a longer wait for a mistake of the clock. */
const MODEL_PAUSE_MAX_MS = 5 * 60_000;

export function createJobFailures(deps: {
  readonly store: Pick<JobQueue, "failJobs">;
  readonly log: Log;
  readonly now: () => number;
}): JobFailures {
  const { store, log, now } = deps;
  return {
    async fail(job, { leaseToken, error }) {
      const { jobId, projectId } = job;
      const attempts = job.attempts + 1;
      const { pauseMs, countAttempt } = nextTry(job, { error, now: now() });
      log.warn("job_failed", { jobId, projectId, attempts, again: pauseMs !== null, error });
      await store.failJobs({
        jobIds: [jobId],
        projectId,
        leaseToken,
        now: now(),
        errorMessage: failureText(error),
        retryAt: pauseMs === null ? null : now() + pauseMs,
        countAttempt,
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

/** How often something was tried, and since when it waits. */
type Tried = Pick<ClaimedJob, "attempts" | "startedAt">;

/** `pauseMs` is null where it is not tried again. */
export function nextTry(
  job: Tried,
  { error, now }: { readonly error: unknown; readonly now: number },
): { readonly pauseMs: number | null; readonly countAttempt: boolean } {
  // An outage says nothing about the job, which waits as long as that lasts.
  if (error instanceof StoreUnavailableError || error instanceof EmbedderUnavailableError)
    return { pauseMs: OUTAGE_PAUSE_MS, countAttempt: false };
  if (error instanceof ModelError || error instanceof InvalidExtractionError)
    return { pauseMs: modelPause(job, { error, now }), countAttempt: false };
  if (error instanceof EmbeddingError)
    return { pauseMs: embeddingPause(job, { error, now }), countAttempt: false };
  const again = job.attempts + 1 < MAX_ATTEMPTS;
  return {
    pauseMs: again ? Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** job.attempts) : null,
    countAttempt: true,
  };
}

/** Calls are tried again where they are made, and nowhere else; a job only waits until calls are made at all. */
function modelPause(
  job: Tried,
  { error, now }: { readonly error: ModelError | InvalidExtractionError; readonly now: number },
): number | null {
  if (error instanceof InvalidExtractionError || error.retryAt === null) return null;
  if (now >= job.startedAt + MODEL_DEADLINE_MS) return null;
  return Math.min(MODEL_PAUSE_MAX_MS, Math.max(RETRY_BASE_MS, error.retryAt - now));
}

/** A provider that does not answer is waited for; what it refuses, or who is not configured, would be no other later. */
function embeddingPause(
  job: Tried,
  { error, now }: { readonly error: EmbeddingError; readonly now: number },
): number | null {
  if (error.failure !== "unavailable" || now >= job.startedAt + MODEL_DEADLINE_MS) return null;
  return Math.min(MODEL_PAUSE_MAX_MS, Math.max(OUTAGE_PAUSE_MS, (error.retryAt ?? now) - now));
}

function isPoisoned(job: ClaimedJob): boolean {
  return job.attempts >= MAX_ATTEMPTS;
}

/** For whoever sent the document; what only the operator should read is in the log. */
export function failureText(error: unknown, meanwhile = "the document was processed"): string {
  if (error instanceof StoreUnavailableError) {
    return error.reason === "connection_lost" ? jobFailures.databaseConnectionLost : error.message;
  }
  if (error instanceof EmbedderUnavailableError || error instanceof EmbeddingError) return error.message;
  if (error instanceof InvalidExtractionError) return jobFailures.invalidExtraction;
  if (error instanceof ModelError) return modelFailureText(error);
  return `Internal error while ${meanwhile}; the service's log has the cause`;
}

function modelFailureText({ failure }: ModelError): string {
  if (failure === "token_limit") return jobFailures.tokenLimit;
  if (failure === "refused")
    return "The language model refused to work on this document; the service's log has the cause";
  return jobFailures.modelTimeout;
}
