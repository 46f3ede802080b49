import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { isId, newId } from "../domain/ids.ts";
import type { AcceptedJob, Job } from "../domain/job.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { AcceptOutcome, NewDocument, Page, Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";

export interface IngestedText {
  readonly text: NewDocument["text"];
  readonly sourceDocId: string;
  /** Empty = none. */
  readonly metadata: Metadata;
}

export interface IngestionService {
  /**
   * Accepts all documents as pending jobs, or none. One call is one request for the rate limit.
   * `documents` is asked for once access is granted, so that a stranger learns nothing from a body's faults.
   */
  accept(
    caller: Caller,
    projectId: string,
    documents: () => readonly IngestedText[],
  ): Promise<readonly AcceptedJob[]>;
  listJobs(caller: Caller, projectId: string, page: () => Page): Promise<readonly Job[]>;
  getJob(caller: Caller, projectId: string, jobId: string): Promise<Job>;
}

const BUSY_RETRY_SECONDS = 30;

export function createIngestionService(deps: {
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly requestsPerMinute: number | null;
  readonly tokenLimit: number | null;
  readonly now: () => number;
  /** Told after jobs were accepted, so that a worker looks for them. */
  readonly onAccepted: () => void;
}): IngestionService {
  const { store, limits } = deps;
  return {
    async accept(caller, projectId, documents) {
      await requireProject(store, { projectId, caller });
      const jobs = documents().map((document) => ({ jobId: newId("job"), ...document }));
      const now = deps.now();
      const outcome = await store.acceptDocuments({
        projectId,
        accountId: caller.accountId,
        now,
        documents: jobs,
        requestsPerMinute: deps.requestsPerMinute,
        tokenLimit: deps.tokenLimit,
        month: monthOf(now),
        maxPendingJobs: limits.pendingJobs,
        maxStoredBytes: limits.storedBytes,
      });
      requireAccepted(outcome, projectId);
      deps.onAccepted();
      return jobs.map(({ jobId, sourceDocId }) => ({
        jobId,
        sourceDocId,
        status: "pending",
        createdAt: now,
      }));
    },

    async listJobs(caller, projectId, page) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      return store.listJobs({ projectId, page: page() });
    },

    async getJob(caller, projectId, jobId) {
      await requireProject(store, { projectId, caller }, errors.projectJobsForbidden);
      const job = isId("job", jobId) ? await store.findJob({ projectId, jobId }) : null;
      if (job === null) throw errors.jobNotFound();
      return job;
    },
  };
}

/** The meter's month, in UTC: "2031-04". */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

function requireAccepted(outcome: AcceptOutcome, projectId: string): void {
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
      throw errors.busy(
        "The account's storage is full. Delete projects that are no longer needed.",
        BUSY_RETRY_SECONDS,
      );
  }
}
