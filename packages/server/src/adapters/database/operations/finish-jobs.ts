/** How jobs end. */
import { sql } from "kysely";
import type { Database, JobRow, QueueState } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { padded } from "./bulk.ts";
import { encodeReason } from "./encoding.ts";
import { selectFor } from "./graph-sql.ts";
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
  const firstPlace = await takePlaces(db, project.projectId, input.jobs.length);
  const ended = await endJobs(db, project.projectId, { ...input, firstPlace });
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

/** In the order in which they are given. A statement for each takes a database with many sessions seconds for a thousand jobs. */
async function endJobs(
  db: Database,
  projectId: string,
  input: {
    jobs: readonly FinishedJob[];
    now: number;
    errorMessage: string | null;
    firstPlace: number;
  },
): Promise<readonly JobRow[]> {
  const { jobs, now, errorMessage, firstPlace } = input;
  await lockJobs(
    db,
    projectId,
    jobs.map(({ seq }) => seq),
  );
  const isCompleted = errorMessage === null;
  const processed = sql`coalesce(keys.processed, chunks_processed)`;
  const rows = await selectFor<JobRow>(db, {
    columns: { ended: "bigint", place: "bigint", processed: "bigint" },
    rows: jobs.map(({ seq, chunksProcessed }, at) => [seq, firstPlace + at, chunksProcessed]),
    query: sql`update jobs set
        status = ${isCompleted ? "completed" : "failed"}, queue_state = 'done', ready_at = null,
        lease_token = null, convert_at = null, convert_token = null, chunks_processed = ${processed},
        chunks_total = ${isCompleted ? processed : sql`chunks_total`},
        started_at = coalesce(started_at, ${now}), completed_at = ${now}, error_message = ${errorMessage},
        ended_place = keys.place
      from keys where project_id = ${projectId} and seq = keys.ended returning *`,
  });
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return jobs.flatMap(({ seq }) => bySeq.get(seq) ?? []);
}

/** By `seq`, the order of locks: a statement that changes many rows has another one. */
async function lockJobs(db: Database, projectId: string, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 1) return;
  await db
    .selectFrom("jobs")
    .select("seq")
    .where("project_id", "=", projectId)
    .where("seq", "in", padded(seqs))
    .orderBy("seq")
    .forUpdate()
    .execute();
}

/** Makes the first unfinished job of each document ready if it was blocked by an earlier one. */
async function unblockDocuments(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
): Promise<void> {
  // One look-up a document: many of its jobs may wait.
  const found = await selectFor<{ seq: number | null }>(db, {
    columns: { source_doc_id: "text" },
    rows: [...new Set(sourceDocIds)].map((sourceDocId) => [sourceDocId]),
    query: sql`select (select j.seq from jobs as j where j.project_id = ${projectId}
        and j.source_doc_id = keys.source_doc_id and ${isUnfinished} order by j.seq limit 1) as seq
      from keys`,
  });
  const first = found.flatMap(({ seq }) => seq ?? []);
  if (first.length === 0) return;
  await db
    .updateTable("jobs")
    .set({ queue_state: sql<QueueState>`case when convert_at is null then 'ready' else 'unread' end` })
    .where("project_id", "=", projectId)
    .where("seq", "in", padded(first))
    .where(isBlocked)
    .execute();
}
