/** Reads all documents of a project again, from their stored texts. */
import type { AcceptedJob } from "../domain/job.ts";
import type { Reread } from "../domain/reread.ts";
import type { AcceptOutcome, IngestLimits } from "./content-store.ts";

/**
 * "accepted" also when a reread is already running, which then goes on. "moving": the project is being moved to
 * another embedding space.
 */
export type StartRereadOutcome = AcceptOutcome | { readonly kind: "moving" };

export type RereadDocumentsOutcome =
  | (Extract<AcceptOutcome, { kind: "accepted" }> & {
      /** The last unfinished job of each document that has one, and the new ones, `queued` in number. */
      readonly jobs: readonly AcceptedJob[];
      readonly queued: number;
      /** Of the other documents: the last job, which may have a text to be retried with. */
      readonly unread: readonly { readonly jobId: string }[];
    })
  | Exclude<StartRereadOutcome, { kind: "accepted" }>
  /** Nothing is queued. */
  | { readonly kind: "not_found"; readonly sourceDocIds: readonly string[] };

export type CancelRereadOutcome = "cancelled" | "completed" | "failed" | "none";

/**
 * A reread is a sequence of jobs, one for each document that has a live version at its start. Only a bounded number
 * of them exists at a time: the transaction that ends one adds the next. So each transaction is short, nothing is lost
 * when the process ends, and other jobs of the account do not wait behind all of them. A document that is deleted or
 * replaced before its turn is not read again.
 */
export interface RereadStore {
  /** Counts as one ingest request. At most one reread runs per project. */
  startReread(input: IngestLimits & { readonly projectId: string }): Promise<StartRereadOutcome>;
  /**
   * Queues a job for each of the documents whose complete text queries see and that no job works on, or for none. Counts as one
   * ingest request if it queues any. A running reread of the project goes on, and does not read these documents a second time.
   */
  rereadDocuments(
    input: IngestLimits & { readonly projectId: string; readonly sourceDocIds: readonly string[] },
  ): Promise<RereadDocumentsOutcome>;
  /** The last unfinished job of each of the documents that has one. */
  listUnfinishedJobs(input: {
    projectId: string;
    sourceDocIds: readonly string[];
  }): Promise<readonly AcceptedJob[]>;
  /** The running reread, or the last one; null if there was none. */
  findReread(input: { projectId: string }): Promise<Reread | null>;
  /**
   * Cancels its unfinished jobs, too. Documents that were read again stay as they are now. "cancelled" also when it was
   * cancelled before.
   */
  cancelReread(input: { projectId: string; now: number }): Promise<CancelRereadOutcome>;
}
