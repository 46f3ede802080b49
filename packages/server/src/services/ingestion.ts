/** Accepts documents as jobs, and lets their owner list, cancel and retry the jobs. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { isId, newId } from "../domain/ids.ts";
import type { AcceptedJob, Job, JobStatus } from "../domain/job.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { Once } from "../domain/once.ts";
import type { AcceptOutcome, NewDocument, Page, Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { fitting, storageFull } from "./caps.ts";
import { createOnce } from "./once.ts";

export interface IngestedText {
  readonly text: NewDocument["text"];
  readonly sourceDocId: string;
  /** `{}` = none. */
  readonly metadata: Metadata;
}

/** The state of the account's rate limit after a request. */
export interface IngestRate {
  readonly perMinute: number;
  /** Requests that are allowed now. */
  readonly left: number;
  /** Until the oldest counted request no longer counts. */
  readonly resetSeconds: number;
}

export interface AcceptOptions<Made> {
  readonly once?: Once<Made> | undefined;
  /** Called where the rate is limited, also when the limit refuses the request. */
  readonly onRate?: (rate: IngestRate) => void;
}

export interface IngestionService {
  /**
   * Accepts all documents as pending jobs, or none. One call is one request for the rate limit.
   * `documents` is called only after access is granted, so that other callers learn nothing from errors in the body.
   */
  accept(
    caller: Caller,
    projectId: string,
    documents: () => readonly IngestedText[],
    options?: AcceptOptions<readonly AcceptedJob[]>,
  ): Promise<readonly AcceptedJob[]>;
  /**
   * Accepts the text of a failed job again, as a new job. Counts as an ingest request, unless `isCounted` is false.
   * @throws ServiceError `conflict` where the job has not failed, or its text is no longer kept
   */
  retry(
    caller: Caller,
    target: { projectId: string; jobId: string },
    options?: AcceptOptions<AcceptedJob> & { readonly isCounted?: boolean },
  ): Promise<AcceptedJob>;
  /** Ends a job that has not ended. A job that is already cancelled is returned unchanged. */
  cancel(caller: Caller, target: { projectId: string; jobId: string }): Promise<Job>;
  listJobs(
    caller: Caller,
    projectId: string,
    which: () => { readonly status: JobStatus | null; readonly page: Page },
  ): Promise<readonly Job[]>;
  getJob(caller: Caller, projectId: string, jobId: string): Promise<Job>;
}

const BUSY_RETRY_SECONDS = 30;

export function createIngestionService(deps: {
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly requestsPerMinute: number | null;
  readonly tokenLimit: number | null;
  readonly now: () => number;
  /** Called after jobs were accepted; wakes the worker. */
  readonly onAccepted: () => void;
  /** Called after a job was cancelled; stops the work on it. */
  readonly onCancelled: () => void;
}): IngestionService {
  const { store, limits } = deps;

  function limitsAt(now: number) {
    return {
      now,
      month: monthOf(now),
      tokenLimit: deps.tokenLimit,
      requestsPerMinute: deps.requestsPerMinute,
      maxPendingJobs: limits.pendingJobs,
      maxStoredBytes: limits.storedBytes,
    };
  }

  async function requireJob(projectId: string, jobId: string): Promise<Job> {
    const job = isId("job", jobId) ? await store.findJob({ projectId, jobId }) : null;
    if (job === null) throw errors.jobNotFound();
    return job;
  }

  return {
    async accept(caller, projectId, documents, options = {}) {
      await requireProject(store, { projectId, caller });
      const { accountId } = caller;
      const withIds = fitting(documents()).map((document) => ({ jobId: newId("job"), ...document }));
      const now = deps.now();
      const jobs = withIds.map(({ jobId, sourceDocId }) => acceptedJob({ jobId, sourceDocId, now }));
      const outcome = await createOnce<"acceptDocuments">(
        store,
        { name: "acceptDocuments", input: { ...limitsAt(now), projectId, accountId, documents: withIds } },
        onceOf(options.once, { accountId, now, made: jobs }),
      );
      reportRate(outcome, deps.requestsPerMinute, options.onRate);
      requireAccepted(outcome, projectId);
      deps.onAccepted();
      return jobs;
    },

    async retry(caller, { projectId, jobId: failedJobId }, options = {}) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const failed = await requireJob(projectId, failedJobId);
      const { accountId } = caller;
      const now = deps.now();
      const job = acceptedJob({ jobId: newId("job"), sourceDocId: failed.sourceDocId, now });
      const limitsNow = limitsAt(now);
      const requestsPerMinute = options.isCounted === false ? null : limitsNow.requestsPerMinute;
      const input = { ...limitsNow, requestsPerMinute, projectId, accountId, failedJobId, jobId: job.jobId };
      const outcome = await createOnce<"retryJob">(
        store,
        { name: "retryJob", input },
        onceOf(options.once, { accountId, now, made: job }),
      );
      if (outcome.kind === "not_found") throw errors.jobNotFound();
      if (outcome.kind === "not_failed") throw errors.jobNotFailed(failedJobId, outcome.status);
      if (outcome.kind === "sent_again") throw errors.jobSentAgain(failedJobId, outcome.jobId);
      if (outcome.kind === "text_gone") throw errors.jobTextGone(failedJobId);
      reportRate(outcome, deps.requestsPerMinute, options.onRate);
      requireAccepted(outcome, projectId);
      deps.onAccepted();
      return job;
    },

    async cancel(caller, { projectId, jobId }) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      await requireJob(projectId, jobId);
      const outcome = await store.cancelJob({ projectId, jobId, now: deps.now() });
      if (outcome === "not_found") throw errors.jobNotFound();
      if (outcome !== "cancelled") throw errors.jobEnded(jobId, outcome);
      deps.onCancelled();
      return requireJob(projectId, jobId);
    },

    async listJobs(caller, projectId, which) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      return store.listJobs({ projectId, ...which() });
    },

    async getJob(caller, projectId, jobId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      return requireJob(projectId, jobId);
    },
  };
}

export function acceptedJob(job: { jobId: string; sourceDocId: string; now: number }): AcceptedJob {
  return { jobId: job.jobId, sourceDocId: job.sourceDocId, status: "pending", createdAt: job.now };
}

export function onceOf<Made>(
  once: Once<Made> | undefined,
  request: { readonly accountId: string; readonly now: number; readonly made: Made },
) {
  if (once === undefined) return null;
  const { accountId, now, made } = request;
  return { accountId, now, key: once, answer: once.answerOf(made) };
}

export function reportRate(
  outcome: AcceptOutcome,
  perMinute: number | null,
  onRate: ((rate: IngestRate) => void) | undefined,
): void {
  if (perMinute === null || onRate === undefined) return;
  if (outcome.kind === "accepted" && outcome.rate !== undefined) {
    const { requests, resetMs } = outcome.rate;
    onRate({ perMinute, left: requests, resetSeconds: Math.max(1, Math.ceil(resetMs / 1000)) });
  }
  if (outcome.kind === "rate_limited") {
    onRate({ perMinute, left: 0, resetSeconds: Math.max(1, Math.ceil(outcome.retryAfterMs / 1000)) });
  }
}

/** The UTC month in which tokens are counted, as "2031-04". */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

/** @throws ServiceError where the request was refused */
export function requireAccepted<Outcome extends AcceptOutcome>(
  given: Outcome,
  projectId: string,
): asserts given is Extract<Outcome, { readonly kind: "accepted" }> {
  const outcome: AcceptOutcome = given;
  switch (outcome.kind) {
    case "accepted":
      return;
    case "project_gone":
      throw errors.projectNotFound(projectId);
    case "rate_limited":
      throw errors.ingestRateLimit(Math.max(1, Math.ceil(outcome.retryAfterMs / 1000)));
    case "token_limit":
      throw errors.tokenLimit();
    case "too_many_pending":
      throw errors.busy(
        "The account has too many pending jobs. Wait until some of them are done.",
        BUSY_RETRY_SECONDS,
      );
    case "too_many_bytes":
      throw storageFull();
  }
}
