/** Removes jobs that ended long ago, or before many others of their account. */
import { type SqlBool, sql } from "kysely";
import type { Database, JobRow } from "../schema.ts";
import { type Row, selectFor, selectIn } from "./graph-sql.ts";

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
  await removeUnneeded(db, jobs);
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

/**
 * One step of a pass over the ended jobs of an account before its newest `kept`; see `removeOldJobs` for those that stay. Between two
 * passes the account gets as many new jobs as the first one has left, so that passes cost by the number of new jobs. True when more
 * may be left.
 */
export async function removeCrowdedJobs(db: Database, kept: number): Promise<boolean> {
  const account = await db
    .selectFrom("account_state")
    .select(["account_id", "next_seq", "jobs_checked"])
    .whereRef("next_seq", ">=", "jobs_check_at")
    .where("next_seq", ">", kept) // Others have fewer jobs.
    .orderBy("jobs_check_at")
    .orderBy("account_id")
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (account === undefined) return false;
  const ended = db
    .selectFrom("jobs")
    .where("account_id", "=", account.account_id)
    .where(sql<SqlBool>`queue_state = 'done'`);
  const newest = await ended.select("seq").orderBy("seq", "desc").offset(kept).limit(1).executeTakeFirst();
  const until = newest?.seq ?? 0;
  const jobs = await ended
    .select(["project_id", "seq", "source_doc_id", "version_id"])
    .where("seq", ">", account.jobs_checked)
    .where("seq", "<=", until)
    .orderBy("seq")
    .limit(maxJobs)
    .forUpdate()
    .skipLocked()
    .execute();
  await removeUnneeded(db, jobs);
  const place = db.updateTable("account_state").where("account_id", "=", account.account_id);
  const last = jobs.at(-1);
  if (last !== undefined && jobs.length === maxJobs) {
    await place.set({ jobs_checked: last.seq }).execute();
    return true;
  }
  const { left } = await ended
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .where("seq", "<=", until)
    .executeTakeFirstOrThrow();
  await place.set({ jobs_checked: 0, jobs_check_at: account.next_seq + Math.max(maxJobs, left) }).execute();
  return true;
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
  const rows = await db
    .selectFrom("jobs")
    .select(["completed_at", "project_id", "seq", "source_doc_id", "version_id"])
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

/** Those that are neither the last of their document nor of a version that is stored, project by project. */
async function removeUnneeded(
  db: Database,
  jobs: readonly Pick<JobRow, "project_id" | "seq" | "source_doc_id" | "version_id">[],
): Promise<void> {
  for (const [projectId, ended] of Map.groupBy(jobs, (job) => job.project_id)) {
    const unneeded = await selectFor<{ seq: number }>(db, {
      columns: { seq: "bigint", source_doc_id: "text", version_id: "bigint" },
      rows: ended.map((job): Row => [job.seq, job.source_doc_id, job.version_id]),
      query: sql`select k.seq from keys as k where k.seq is not null
        and not exists (select 1 from documents as d where d.project_id = ${projectId}
          and d.source_doc_id = k.source_doc_id and d.job_seq = k.seq)
        and not exists (select 1 from document_versions as v
          where v.project_id = ${projectId} and v.version_id = k.version_id)`,
    });
    await selectIn(
      db,
      unneeded.map(({ seq }) => seq),
      (list) => sql`delete from jobs where project_id = ${projectId} and seq in (${list})`,
    );
  }
}
