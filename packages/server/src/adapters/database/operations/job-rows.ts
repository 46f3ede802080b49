import { type SqlBool, sql } from "kysely";
import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import type { LockedProject } from "./project-row.ts";

/** Conditions of the partial indexes, as literals: SQLite uses such an index for no parameter. */
export const isUnfinished = sql<SqlBool>`queue_state <> 'done'`;
export const isReady = sql<SqlBool>`queue_state = 'ready'`;
export const isBlocked = sql<SqlBool>`queue_state = 'blocked'`;
export const isWaiting = sql<SqlBool>`queue_state = 'waiting'`;

/** Longer than any wait that the service gives a job. */
const maxWaitMs = 600_000;

/** A job that waits for a time after this one was given it by a clock that has been set back since: it is due. */
export function strayAfter(now: number): number {
  return now + maxWaitMs;
}

export interface FinishedJob {
  readonly seq: number;
  readonly sourceDocId: string;
  /** What the job reports in the end; null keeps the count that it has. */
  readonly chunksProcessed: number | null;
}

/**
 * Ends jobs of a locked project, completed (`errorMessage` null) or failed, lets the next job of each
 * document go, and gives the places in the account's queue back.
 */
export async function finishJobs(
  db: Database,
  project: LockedProject,
  input: { jobs: readonly FinishedJob[]; now: number; errorMessage: string | null },
): Promise<void> {
  if (input.jobs.length === 0) return;
  for (const job of input.jobs) {
    await db
      .updateTable("jobs")
      .set((eb) => ({
        status: input.errorMessage === null ? "completed" : "failed",
        queue_state: "done" as const,
        ready_at: null,
        lease_token: null,
        chunks_processed: job.chunksProcessed ?? eb.ref("chunks_processed"),
        started_at: eb.fn.coalesce("started_at", eb.val(input.now)),
        completed_at: input.now,
        error_message: input.errorMessage,
      }))
      .where("project_id", "=", project.projectId)
      .where("seq", "=", job.seq)
      .execute();
  }
  await unblockDocuments(
    db,
    project.projectId,
    input.jobs.map((job) => job.sourceDocId),
  );
  await changeAccount(db, project.accountId, { pendingJobs: -input.jobs.length });
}

/** The first unfinished job of each document becomes ready if it was waiting for an earlier one. */
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
