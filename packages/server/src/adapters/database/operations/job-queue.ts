/** Reads all jobs of a project together. The index by status and those of unfinished and ended jobs bound the work. */
import { sql } from "kysely";
import type { JobQueueState } from "../../../domain/job-queue.ts";
import { CANCELLED } from "../../../domain/progress.ts";
import type { OpenFailure } from "../../../ports/job-queue-store.ts";
import type { Database } from "../schema.ts";
import { isUnfinished } from "./job-rows.ts";
import { readProjectNumbers } from "./project-numbers.ts";
import { countQueued } from "./reread-queue.ts";
import { findReread } from "./rereads.ts";

const maxEnds = 200;
const maxFailed = 10_000;
const maxReasons = 20;

export async function readJobQueue(
  db: Database,
  { projectId }: { projectId: string },
): Promise<JobQueueState | null> {
  const numbers = await readProjectNumbers(db, { projectId });
  if (numbers === null) return null;
  const account = await db
    .selectFrom("account_state as s")
    .innerJoin("projects as p", "p.account_id", "s.account_id")
    .select("s.pending_jobs")
    .where("p.project_id", "=", projectId)
    .executeTakeFirst();
  const own = numbers.jobs.pending + numbers.jobs.running;
  const ends = await db
    .selectFrom("jobs")
    .select(["completed_at", "error_message"])
    .where("project_id", "=", projectId)
    .where("ended_place", "is not", null)
    .orderBy("ended_place", "desc")
    .limit(maxEnds)
    .execute();
  const { rows: failures } = await sql<{ reason: string; jobs: number }>`
    select coalesce(error_message, '') as reason, count(*) as jobs from (${openFailures(projectId)}) as failed
    group by coalesce(error_message, '') order by count(*) desc, coalesce(error_message, '')
    limit ${sql.lit(maxReasons)}`.execute(db);
  const reread = await findReread(db, { projectId });
  return {
    ...numbers.jobs,
    batch: {
      completed: await countInBatch(db, projectId, "completed"),
      failed: await countInBatch(db, projectId, "failed"),
    },
    reread:
      reread?.status === "running" ? { ...reread, documentsQueued: await countQueued(db, projectId) } : null,
    // Read after the project's own: a job can have ended meanwhile.
    othersUnfinished: Math.max(0, (account?.pending_jobs ?? 0) - own),
    // Cancelled jobs end all at once, which says nothing of the others.
    lastEnds: ends.flatMap(({ completed_at: at, error_message: reason }) =>
      at === null || reason === CANCELLED ? [] : [at],
    ),
    failures: failures.map(({ reason, jobs }) => ({ errorMessage: reason, jobs })),
  };
}

/** Jobs that have ended of those that were accepted since none was unfinished; read from an index alone. */
async function countInBatch(
  db: Database,
  projectId: string,
  status: "completed" | "failed",
): Promise<number> {
  const { total } = await db
    .selectFrom("jobs")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("project_id", "=", projectId)
    .where("status", "=", status)
    .where("seq", ">=", (eb) =>
      eb.selectFrom("projects").select("batch_seq").where("project_id", "=", projectId),
    )
    .executeTakeFirstOrThrow();
  return total;
}

/** Of a document that was accepted again, or deleted, the row in `documents` has another job, or is gone. */
function openFailures(projectId: string) {
  return sql`select f.job_id, f.source_doc_id, f.seq, f.error_message from (
      select j.job_id, j.source_doc_id, j.seq, j.error_message from jobs as j
      where j.project_id = ${projectId} and j.status = 'failed' order by j.seq desc limit ${sql.lit(maxFailed)}) as f
    join documents as d on d.project_id = ${projectId} and d.source_doc_id = f.source_doc_id and d.job_seq = f.seq`;
}

export async function listOpenFailures(
  db: Database,
  { projectId, errorMessage, limit }: { projectId: string; errorMessage: string | null; limit: number },
): Promise<{ readonly jobs: readonly OpenFailure[]; readonly total: number }> {
  const chosen = errorMessage === null ? sql`true` : sql`error_message = ${errorMessage}`;
  // The text of a cancelled job is gone.
  const retryable = sql`from (${openFailures(projectId)}) as failed
    where ${chosen} and coalesce(error_message, '') <> ${CANCELLED}`;
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total ${retryable}`.execute(db);
  const { rows } = await sql<{ job_id: string; source_doc_id: string }>`
    select job_id, source_doc_id ${retryable} order by seq desc limit ${limit}`.execute(db);
  return {
    jobs: rows.map((row) => ({ jobId: row.job_id, sourceDocId: row.source_doc_id })),
    total: counted[0]?.total ?? 0,
  };
}

export async function countUnfinishedJobs(
  db: Database,
  { projectId }: { projectId: string },
): Promise<number> {
  const { total } = await db
    .selectFrom("jobs")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("project_id", "=", projectId)
    .where(isUnfinished)
    .executeTakeFirstOrThrow();
  return total;
}
