import type { Feedback, FeedbackRating, NewFeedback } from "../domain/feedback.ts";
import type { Page } from "./content-store.ts";

export interface RecordFeedback {
  readonly projectId: string;
  readonly accountId: string;
  readonly feedbackId: string;
  readonly given: NewFeedback;
  readonly serviceVersion: string;
  readonly now: number;
  /** Beyond as many, the oldest is removed. */
  readonly maxPerProject: number;
  /** Of the account; null = no limit. */
  readonly maxStoredBytes: number | null;
}

export type RecordFeedbackOutcome =
  | { readonly kind: "recorded"; readonly feedback: Feedback }
  | { readonly kind: "project_gone" }
  | { readonly kind: "too_many_bytes" };

export interface FeedbackStore {
  /**
   * Replaces the feedback on the same answer to the same question in the same mode, which keeps its id. Its bytes count as stored bytes of
   * the account.
   */
  recordFeedback(input: RecordFeedback): Promise<RecordFeedbackOutcome>;
  /** Keys of a page of it, newest first. `rating` null: all. */
  listFeedback(input: {
    projectId: string;
    rating: FeedbackRating | null;
    page: Page;
  }): Promise<{ readonly keys: readonly string[]; readonly total: number }>;
  /** In the order of the keys, without what no longer exists. One can have 300 KB: the caller bounds their number. */
  readFeedback(input: { projectId: string; keys: readonly string[] }): Promise<readonly Feedback[]>;
}
