/** Rows of `jobs`: how they are read, and how jobs end. */
import { type SqlBool, sql } from "kysely";
import type { Job, JobStatus } from "../../../domain/job.ts";
import type { Database, JobRow } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { writeEvents } from "./outbox.ts";
import type { LockedProject } from "./project-row.ts";

/** Conditions of the partial indexes. Literals, because SQLite does not use a partial index for a condition with a parameter. */
export const isUnfinished = sql<SqlBool>`queue_state <> 'done'`;
export const isReady = sql<SqlBool>`queue_state = 'ready'`;
export const isBlocked = sql<SqlBool>`queue_state = 'blocked'`;
export const isWaiting = sql<SqlBool>`queue_state = 'waiting'`;

/** Longer than any wait that the service sets for a job. */
const maxWaitMs = 600_000;

/** A job whose time is after this one is due: its time was set before the clock was set back. */
export function strayAfter(now: number): number {
  return now + maxWaitMs;
}

export interface FinishedJob {
  readonly seq: number;
  readonly sourceDocId: string;
  /** The final count; null keeps the present one. */
  readonly chunksProcessed: number | null;
}

/**
 * Ends jobs of a locked project: completed where `errorMessage` is null, else failed. Makes the next job of each document ready,
 * lowers the account's count of pending jobs, and writes the events for the account's webhooks.
 */
export async function finishJobs(
  db: Database,
  project: LockedProject,
  input: { jobs: readonly FinishedJob[]; now: number; errorMessage: string | null },
): Promise<void> {
  if (input.jobs.length === 0) return;
  const ended: Job[] = [];
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
    ended.map((job) => ({ type, at: input.now, job })),
  );
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
): Promise<Job> {
  const { job, now, errorMessage } = input;
  const row = await db
    .updateTable("jobs")
    .set((eb) => {
      const processed = job.chunksProcessed ?? eb.ref("chunks_processed");
      return {
        status: errorMessage === null ? "completed" : "failed",
        queue_state: "done" as const,
        ready_at: null,
        lease_token: null,
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
  return toJob(row);
}

/** Makes the first unfinished job of each document ready if it was blocked by an earlier one. */
async function unblockDocuments(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ queue_state: "ready" })
    .where("project_id", "=", projectId)
    .where(isBlocked)
    .where("seq", "in", (eb) =>
      eb
        .selectFrom("jobs")
        .select((inner) => inner.fn.min("seq").as("first"))
        .where("project_id", "=", projectId)
        .where("source_doc_id", "in", [...new Set(sourceDocIds)])
        .where(isUnfinished)
        .groupBy("source_doc_id"),
    )
    .execute();
}

export function toJob(row: JobRow): Job {
  return {
    jobId: row.job_id,
    projectId: row.project_id,
    sourceDocId: row.source_doc_id,
    status: row.status as JobStatus, // Written only by the operations, from this union.
    chunksProcessed: row.chunks_processed,
    nodesCreated: row.nodes_created,
    edgesCreated: row.edges_created,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    errorMessage: row.error_message,
  };
}
