/** How jobs end. */
import { sql } from "kysely";
import type { Database, JobRow, QueueState } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { encodeReason } from "./encoding.ts";
import { isBlocked, isUnfinished, toJob } from "./job-rows.ts";
import { writeEvents } from "./outbox.ts";
import type { LockedProject } from "./project-row.ts";
import { advanceReread } from "./reread-queue.ts";

export interface FinishedJob {
  readonly seq: number;
  readonly sourceDocId: string;
  /** The final count; null keeps the present one. */
  readonly chunksProcessed: number | null;
}

/**
 * Ends jobs of a locked project: completed where `errorMessage` is null, else failed. Makes the next job of each document ready,
 * lowers the account's count of pending jobs, writes the events for the account's webhooks, and advances the project's reread.
 */
export async function finishJobs(
  db: Database,
  project: LockedProject,
  {
    errorMessage: reason,
    ...given
  }: { jobs: readonly FinishedJob[]; now: number; errorMessage: string | null },
): Promise<void> {
  const input = { ...given, errorMessage: reason === null ? null : encodeReason(reason) };
  if (input.jobs.length === 0) return;
  const ended: JobRow[] = [];
  let place = await takePlaces(db, project.projectId, input.jobs.length);
  for (const job of input.jobs)
    ended.push(await endJob(db, project.projectId, { ...input, job, place: place++ }));
  await unblockDocuments(
    db,
    project.projectId,
    input.jobs.map((job) => job.sourceDocId),
  );
  await changeAccount(db, project.accountId, { pendingJobs: -input.jobs.length });
  const type = input.errorMessage === null ? "job.completed" : "job.failed";
  await writeEvents(
    db,
    project.accountId,
    ended.map((row) => ({ type, at: input.now, job: toJob(row) })),
  );
  await advanceReread(db, project, { ...input, jobs: ended });
}

/** Reserves `count` places in the order in which the project's jobs end; returns the first. The lock makes it the commit order. */
async function takePlaces(db: Database, projectId: string, count: number): Promise<number> {
  const { ended_jobs: last } = await db
    .updateTable("projects")
    .set((eb) => ({ ended_jobs: eb("ended_jobs", "+", count) }))
    .where("project_id", "=", projectId)
    .returning("ended_jobs")
    .executeTakeFirstOrThrow();
  return last - count + 1;
}

async function endJob(
  db: Database,
  projectId: string,
  input: { job: FinishedJob; now: number; errorMessage: string | null; place: number },
): Promise<JobRow> {
  const { job, now, errorMessage } = input;
  return db
    .updateTable("jobs")
    .set((eb) => {
      const processed = job.chunksProcessed ?? eb.ref("chunks_processed");
      return {
        status: errorMessage === null ? "completed" : "failed",
        queue_state: "done" as const,
        ready_at: null,
        lease_token: null,
        convert_at: null,
        convert_token: null,
        chunks_processed: processed,
        chunks_total: errorMessage === null ? processed : eb.ref("chunks_total"),
        started_at: eb.fn.coalesce("started_at", eb.val(now)),
        completed_at: now,
        error_message: errorMessage,
        ended_place: input.place,
      };
    })
    .where("project_id", "=", projectId)
    .where("seq", "=", job.seq)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Makes the first unfinished job of each document ready if it was blocked by an earlier one. */
async function unblockDocuments(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ queue_state: sql<QueueState>`case when convert_at is null then 'ready' else 'unread' end` })
    .where("project_id", "=", projectId)
    .where(isBlocked)
    // One look-up a document: many of its jobs may wait.
    .where((eb) =>
      eb.or(
        [...new Set(sourceDocIds)].map((sourceDocId) =>
          eb("seq", "=", (inner) =>
            inner
              .selectFrom("jobs")
              .select("seq")
              .where("project_id", "=", projectId)
              .where("source_doc_id", "=", sourceDocId)
              .where(isUnfinished)
              .orderBy("seq")
              .limit(1),
          ),
        ),
      ),
    )
    .execute();
}
