/** Decides for each failure of a job, or of a project's move, whether it is tried again, and which text its owner reads. */
import { jobErrorMessages } from "../domain/errors.ts";
import type { ClaimedJob } from "../domain/job.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import { InvalidExtractionError } from "../engine/ingest/extract/model/create-model-extractor.ts";
import { EmbedderUnavailableError, EmbeddingError } from "../ports/embedder.ts";
import { ReaderUnavailableError } from "../ports/entity-reader.ts";
import { NO_ROOM } from "../ports/file-converter.ts";
import { ModelError } from "../ports/language-model.ts";
import type { Log } from "../ports/log.ts";
import { type JobQueue, StoreUnavailableError } from "../ports/store.ts";
import type { EndedJob } from "../ports/work-activity.ts";

/** `message` is written for the owner; only the log has what the operator alone should read. */
export type JobFailure =
  /** The database or the bundled model cannot be used. That says nothing about the job, which waits until it is over. */
  | { readonly kind: "outage"; readonly message: string }
  /** A provider may answer later, at `retryAt` where that is known. The job waits for up to an hour. */
  | {
      readonly kind: "provider_unavailable";
      readonly message: string;
      readonly retryAt: number | null;
      readonly minPauseMs: number;
    }
  /** Another attempt would have the same result. */
  | { readonly kind: "permanent"; readonly message: string }
  /** Any other error, and a file that the disk has no room for: tried again up to `MAX_ATTEMPTS` times, with growing pauses. */
  | { readonly kind: "internal"; readonly message: string };

export interface RetryDecision {
  /** null where there is no other attempt. */
  readonly pauseMs: number | null;
  readonly countAttempt: boolean;
}

/** How often the work was tried, and since when it has made no progress. */
type AttemptHistory = Pick<ClaimedJob, "attempts" | "startedAt">;

export type OnJobEnded = (ended: EndedJob) => void;

export interface JobFailureHandler {
  /** Postpones the job, or fails it when another attempt is useless or was made often enough. */
  postponeOrFail(
    job: ClaimedJob,
    held: { readonly leaseToken: string; readonly error: unknown },
  ): Promise<void>;
  /** Fails the jobs whose worker died in each of `MAX_ATTEMPTS` attempts, and returns the others. */
  failPoisoned(jobs: readonly ClaimedJob[], leaseToken: string): Promise<readonly ClaimedJob[]>;
}

export const MAX_ATTEMPTS = 5;
const RETRY_BASE_MS = 2_000;
const RETRY_MAX_MS = 60_000;
const OUTAGE_PAUSE_MS = 15_000;
/** How long a job waits for a provider, from the start of the job. */
const PROVIDER_DEADLINE_MS = 60 * 60_000;
/** The queue takes a wait of more than ten minutes for an error of the clock (`strayAfter`). */
const PROVIDER_PAUSE_MAX_MS = 5 * 60_000;

export function createJobFailureHandler(deps: {
  readonly store: Pick<JobQueue, "failJobs">;
  readonly log: Log;
  readonly now: () => number;
  readonly onJobEnded?: OnJobEnded;
}): JobFailureHandler {
  const { store, log, now } = deps;
  return {
    async postponeOrFail(job, { leaseToken, error }) {
      const { jobId, projectId } = job;
      const failure = classifyFailure(error, "the document was processed");
      const { pauseMs, countAttempt } = decideRetry(failure, job, now());
      log.warn("job_failed", {
        jobId,
        projectId,
        attempts: job.attempts + 1,
        again: pauseMs !== null,
        error,
      });
      await store.failJobs({
        jobIds: [jobId],
        projectId,
        leaseToken,
        now: now(),
        errorMessage: failure.message,
        retryAt: pauseMs === null ? null : now() + pauseMs,
        countAttempt,
      });
      const result = pauseMs === null ? "failed" : "postponed";
      deps.onJobEnded?.({ jobId, result, startedAt: job.startedAt, endedAt: now() });
    },

    async failPoisoned(jobs, leaseToken) {
      const poisoned = jobs.filter(({ attempts }) => attempts >= MAX_ATTEMPTS);
      for (const { jobId, projectId, attempts, startedAt } of poisoned) {
        log.error("job_given_up", { jobId, projectId, attempts });
        await store.failJobs({
          jobIds: [jobId],
          projectId,
          leaseToken,
          now: now(),
          errorMessage: jobErrorMessages.workerDied(attempts, "worked on this document"),
          retryAt: null,
        });
        deps.onJobEnded?.({ jobId, result: "failed", startedAt, endedAt: now() });
      }
      return jobs.filter(({ attempts }) => attempts < MAX_ATTEMPTS);
    },
  };
}

/** `activity` completes "Internal error while …". */
export function classifyFailure(error: unknown, activity: string): JobFailure {
  if (error instanceof StoreUnavailableError) {
    const isLost = error.reason === "connection_lost";
    return { kind: "outage", message: isLost ? jobErrorMessages.databaseConnectionLost : error.message };
  }
  const code = codeOf(error);
  if (DISK_FAULTS.has(code)) return { kind: "outage", message: jobErrorMessages.diskFault };
  if (code === NO_ROOM) return { kind: "internal", message: jobErrorMessages.noRoom };
  if (error instanceof EmbedderUnavailableError) return { kind: "outage", message: error.message };
  if (error instanceof UnreadableFile) return { kind: "permanent", message: error.reason };
  if (error instanceof InvalidExtractionError)
    return { kind: "permanent", message: jobErrorMessages.invalidExtraction };
  if (error instanceof EmbeddingError) {
    const { failure, message, retryAt } = error;
    if (failure !== "unavailable") return { kind: "permanent", message };
    return { kind: "provider_unavailable", message, retryAt, minPauseMs: OUTAGE_PAUSE_MS };
  }
  if (error instanceof ReaderUnavailableError) {
    const { message } = error;
    return { kind: "provider_unavailable", message, retryAt: null, minPauseMs: OUTAGE_PAUSE_MS };
  }
  if (error instanceof ModelError) {
    const { retryAt } = error;
    const message = modelMessage(error);
    // Without a time, the call has used up its retries: calls are retried where they are made, and nowhere else.
    if (retryAt === null) return { kind: "permanent", message };
    return { kind: "provider_unavailable", message, retryAt, minPauseMs: RETRY_BASE_MS };
  }
  return { kind: "internal", message: jobErrorMessages.internal(activity) };
}

/** Of temporary files: that a disk is full says nothing about the file. The database tells its own faults. */
const DISK_FAULTS: ReadonlySet<string> = new Set(["EDQUOT", "EIO", "EMFILE", "ENFILE", "ENOSPC", "EROFS"]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function modelMessage({ failure }: ModelError): string {
  if (failure === "token_limit") return jobErrorMessages.tokenLimit;
  return failure === "refused" ? jobErrorMessages.modelRefused : jobErrorMessages.modelTimeout;
}

export function decideRetry(
  failure: JobFailure,
  { attempts, startedAt }: AttemptHistory,
  now: number,
): RetryDecision {
  switch (failure.kind) {
    case "outage":
      return { pauseMs: OUTAGE_PAUSE_MS, countAttempt: false };
    case "provider_unavailable": {
      if (now >= startedAt + PROVIDER_DEADLINE_MS) return { pauseMs: null, countAttempt: false };
      const untilRetry = (failure.retryAt ?? now) - now;
      const pauseMs = Math.min(PROVIDER_PAUSE_MAX_MS, Math.max(failure.minPauseMs, untilRetry));
      return { pauseMs, countAttempt: false };
    }
    case "permanent":
      return { pauseMs: null, countAttempt: false };
    case "internal": {
      const isLast = attempts + 1 >= MAX_ATTEMPTS;
      const pauseMs = Math.min(RETRY_MAX_MS, RETRY_BASE_MS * 2 ** attempts);
      return { pauseMs: isLast ? null : pauseMs, countAttempt: true };
    }
  }
}
