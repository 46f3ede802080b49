import type { JobQueueState } from "../domain/job-queue.ts";

export interface OpenFailure {
  readonly jobId: string;
  readonly sourceDocId: string;
}

/** What is read and done for all jobs of a project together. */
export interface JobQueueStore {
  /** At most 200 ends and 20 reasons, those of the latest 10,000 failed jobs. null when the project does not exist. */
  readJobQueue(input: { projectId: string }): Promise<JobQueueState | null>;
  /**
   * Failed jobs that can be retried and whose document was not accepted again since, newest first, and how many of the latest 10,000 failed
   * ones there are. `errorMessage` null: whatever the reason.
   */
  listOpenFailures(input: {
    projectId: string;
    errorMessage: string | null;
    limit: number;
  }): Promise<{ readonly jobs: readonly OpenFailure[]; readonly total: number }>;
  /** Cancels jobs that have not ended, the newest of those that wait first. Returns how many it has ended; 0 when no project or none is left. */
  cancelJobs(input: { projectId: string; limit: number; now: number }): Promise<number>;
  /** Jobs that have not ended. */
  countUnfinishedJobs(input: { projectId: string }): Promise<number>;
}
