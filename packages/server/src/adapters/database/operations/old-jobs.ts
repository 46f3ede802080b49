/** Removes jobs that ended long ago. */
import { type SqlBool, sql } from "kysely";
import type { Database } from "../schema.ts";

/** Jobs that one step looks at. */
const maxJobs = 1_000;
/** Jobs that were kept are looked at again in the next pass. */
const passPauseMs = 24 * 60 * 60_000;
const settingName = "old_jobs";

/** Where a pass over the ended jobs has arrived, in the order of `jobs_by_end`. */
interface Place {
  /** When the pass begins, or has begun. */
  readonly startsAt: number;
  readonly completedAt: number;
  readonly projectId: string;
  readonly seq: number;
}

const start = { completedAt: -1, projectId: "", seq: -1 };

/**
 * One step of the present pass over the jobs that ended before `until`. Kept are the last job of each document and jobs whose
 * version is stored: documents show the first, retries, cancellations and rereads read the second. A job that is neither never
 * becomes one again, so nothing but its row has to be locked. True when more may be left.
 */
export async function removeOldJobs(db: Database, input: { now: number; until: number }): Promise<boolean> {
  const place = await lockPlace(db);
  if (place === null) return false;
  const isAhead = place.startsAt > input.now && place.startsAt <= input.now + passPauseMs; // Else the clock was set back.
  if (isAhead) return false;
  const jobs = await listEnded(db, { ...place, until: input.until });
  await removeJobs(
    db,
    jobs.filter((job) => job.is_needed === 0),
  );
  const last = jobs.at(-1);
  const isEnd = last === undefined || jobs.length < maxJobs;
  await writePlace(
    db,
    isEnd
      ? { startsAt: input.now + passPauseMs, ...start }
      : {
          startsAt: input.now,
          completedAt: last.completed_at,
          projectId: last.project_id,
          seq: last.seq,
        },
  );
  return !isEnd;
}

/** null when another process takes the step. */
async function lockPlace(db: Database): Promise<Place | null> {
  const value = JSON.stringify({ startsAt: 0, ...start } satisfies Place);
  await db
    .insertInto("settings")
    .values({ name: settingName, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", settingName)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.value) as Place); // Only this file writes it.
}

async function writePlace(db: Database, place: Place): Promise<void> {
  await db
    .updateTable("settings")
    .set({ value: JSON.stringify(place) })
    .where("name", "=", settingName)
    .execute();
}

/** In the order of `jobs_by_end`. A job whose row another transaction holds is left out. */
async function listEnded(db: Database, place: Place & { readonly until: number }) {
  const after = sql<SqlBool>`(completed_at, project_id, seq) > (cast(${place.completedAt} as bigint), ${place.projectId}, cast(${place.seq} as bigint))`;
  const isNeeded = sql<number>`case
    when exists (select 1 from documents as d
      where d.project_id = jobs.project_id and d.source_doc_id = jobs.source_doc_id and d.job_seq = jobs.seq) then 1
    when exists (select 1 from document_versions as v
      where v.project_id = jobs.project_id and v.version_id = jobs.version_id) then 1
    else 0 end`;
  const rows = await db
    .selectFrom("jobs")
    .select(["completed_at", "project_id", "seq", isNeeded.as("is_needed")])
    .where(sql<SqlBool>`queue_state = 'done'`)
    .where("completed_at", "<=", place.until)
    .where(after)
    .orderBy("completed_at")
    .orderBy("project_id")
    .orderBy("seq")
    .limit(maxJobs)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map((row) => ({ ...row, completed_at: row.completed_at ?? 0 }));
}

async function removeJobs(
  db: Database,
  jobs: readonly { readonly project_id: string; readonly seq: number }[],
): Promise<void> {
  if (jobs.length === 0) return;
  const keys = jobs.map((job) => sql`(${job.project_id}, cast(${job.seq} as bigint))`);
  await sql`delete from jobs where (project_id, seq) in (values ${sql.join(keys)})`.execute(db);
}
