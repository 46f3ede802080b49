/** Which of the accepted jobs have not ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../packages/server/src/domain/ids.ts";
import type { OnJobEnded } from "../../packages/server/src/services/job-failures.ts";

const POLL_MS = 5;

export interface CountedJobs {
  readonly ended: OnJobEnded;
  /** The id of a job that is going to be accepted. */
  accept(): string;
  /** Resolves when at most so many have not ended. @throws when one failed */
  wait(atMost: number): Promise<void>;
}

export function countJobs(): CountedJobs {
  const waiting = new Set<string>();
  let failed: string | null = null;
  const ended: OnJobEnded = ({ jobId, result }) => {
    if (result === "failed") failed = jobId;
    if (result !== "postponed") waiting.delete(jobId);
  };
  return {
    ended,
    accept() {
      const jobId = newId("job");
      waiting.add(jobId);
      return jobId;
    },
    async wait(atMost) {
      while (waiting.size > atMost) {
        if (failed !== null) throw new Error(`The job ${failed} failed.`);
        await sleep(POLL_MS);
      }
    },
  };
}
