/** What people think of answers. Kept for evaluations, with the question and the answer as they were. */

export type FeedbackRating = "up" | "down";

/** The newest of a project are kept. */
export const MAX_FEEDBACK = 10_000;

export interface NewFeedback {
  readonly rating: FeedbackRating;
  readonly query: string;
  readonly mode: "static" | "dynamic";
  /** The summary of the answer. */
  readonly answer: string;
  readonly strategyUsed: string;
  /** The documents of its passages, best first. */
  readonly sourceDocIds: readonly string[];
  readonly comment: string | null;
}

export interface Feedback extends NewFeedback {
  readonly feedbackId: string;
  readonly projectId: string;
  /** The project's index version and the service's version when it was given. */
  readonly indexVersion: number;
  readonly serviceVersion: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}
