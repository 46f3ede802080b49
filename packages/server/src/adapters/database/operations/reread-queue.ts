/** The jobs of rereads: a project has only a few at a time, and each that ends brings the next. */

import { sql } from "kysely";
import { jobErrorMessages } from "../../../domain/errors.ts";
import { newId } from "../../../domain/ids.ts";
import { CANCELLED } from "../../../domain/progress.ts";
import type { RereadRow } from "../reread-schema.ts";
import type { Database, JobRow } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { isUnfinished } from "./job-rows.ts";
import { insertJobs } from "./new-jobs.ts";
import type { LockedProject } from "./project-row.ts";

/** Enough for the claims of several lanes; a new document of the account waits for no more than these. */
const maxQueued = 128;

/** Versions that one transaction looks at for the next documents. */
const maxScanned = 256;

/** A live version whose text is to be read again. */
export interface RereadVersion {
  readonly versionId: number;
  readonly sourceDocId: string;
}

type OwnedProject = Pick<LockedProject, "projectId" | "accountId">;

/** Jobs that end without having been read: the document is gone, or its owner does not want it read. */
const unreadMessages: readonly (string | null)[] = [CANCELLED, jobErrorMessages.documentDeleted];

/**
 * For jobs of a locked project that have just ended: counts those of its running reread, and queues the next documents. A
 * reread does not go on without tokens, because each of its jobs would fail.
 */
export async function advanceReread(
  db: Database,
  project: OwnedProject,
  input: { jobs: readonly JobRow[]; now: number; errorMessage: string | null },
): Promise<void> {
  const { now, errorMessage } = input;
  const count = input.jobs.filter((job) => job.rereads_version !== null).length;
  if (count === 0) return;
  const hasFailed = errorMessage !== null && !unreadMessages.includes(errorMessage);
  const row = await db
    .updateTable("rereads")
    .set((eb) => ({
      documents_processed: eb("documents_processed", "+", count),
      documents_failed: eb("documents_failed", "+", hasFailed ? count : 0),
    }))
    .where("project_id", "=", project.projectId)
    .where("status", "=", "running")
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return;
  if (errorMessage === jobErrorMessages.tokenLimit)
    await endReread(db, row, { status: "failed", now, errorMessage });
  else await queueNext(db, project, { row, ended: count, now });
}

/** Queues jobs for the next documents of a running reread; ends it when there is neither a document nor a job left. */
export async function queueNext(
  db: Database,
  project: OwnedProject,
  { row, ended, now }: { row: RereadRow; ended: number; now: number },
): Promise<void> {
  const queued = await countQueued(db, row.project_id);
  const room = await findRoom(db, project, row);
  const count = Math.max(0, Math.min(maxQueued - queued, Math.max(ended, room)));
  const { versions, after } = await takeNext(db, row, { count, isBusy: queued > 0 });
  await insertRereads(db, project, { now, versions });
  await db
    .updateTable("rereads")
    .set({ after_version: after })
    .where("project_id", "=", row.project_id)
    .execute();
  const isAtEnd = versions.length === 0 && after >= row.end_version - 1;
  if (isAtEnd && queued === 0)
    await endReread(db, { ...row, after_version: after }, { status: "completed", now, errorMessage: null });
}

/** How many jobs the account may have in addition. The jobs that ended can be followed by as many in any case. */
async function findRoom(db: Database, { accountId }: OwnedProject, row: RereadRow): Promise<number> {
  if (row.max_pending_jobs === null) return maxQueued;
  return row.max_pending_jobs - (await lockAccount(db, accountId)).pending_jobs;
}

/**
 * The next versions that are to be read again, and the version up to which all were looked at. After `maxScanned` versions it
 * leaves the rest to the next job that ends, if there is one (`isBusy`).
 */
async function takeNext(
  db: Database,
  row: RereadRow,
  { count, isBusy }: { readonly count: number; readonly isBusy: boolean },
): Promise<{ readonly versions: readonly RereadVersion[]; readonly after: number }> {
  const versions: RereadVersion[] = [];
  let after = row.after_version;
  let scanned = 0;
  for (let size = count; versions.length < count; size = Math.min(2 * size, maxScanned)) {
    const page = await listVersions(db, { ...row, after_version: after }, size);
    for (const { versionId, sourceDocId, isUnread } of page) {
      after = versionId;
      if (isUnread === 1) versions.push({ versionId, sourceDocId });
      if (versions.length === count) return { versions, after };
    }
    if (page.length < size) return { versions, after: row.end_version - 1 };
    scanned += size;
    if (scanned >= maxScanned && (isBusy || versions.length > 0)) break;
  }
  return { versions, after };
}

/**
 * The next versions that were there when the reread started. Not to be read again are those that queries do not see, those
 * that a job of the present engine works on, or has completed since, and those that were queued one by one.
 */
async function listVersions(
  db: Database,
  row: RereadRow,
  limit: number,
): Promise<readonly (RereadVersion & { readonly isUnread: number })[]> {
  return db
    .selectFrom("document_versions as v")
    .select(["v.version_id as versionId", "v.source_doc_id as sourceDocId"])
    .select(({ selectFrom, not, exists, and, ref, case: when }) => {
      const isBeingRead = selectFrom("documents as d")
        .innerJoin("jobs as j", (join) =>
          join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
        )
        .select("j.seq")
        .where("d.project_id", "=", row.project_id)
        .where("d.source_doc_id", "=", ref("v.source_doc_id"))
        .where("j.version_id", "=", ref("v.version_id"))
        .where((eb) =>
          eb.or([eb("j.queue_state", "<>", "done"), eb("j.ended_place", ">", row.started_place)]),
        );
      const isQueued = selectFrom("jobs as j")
        .select("j.seq")
        .where("j.project_id", "=", row.project_id)
        .where("j.source_doc_id", "=", ref("v.source_doc_id"))
        .where("j.rereads_version", "=", ref("v.version_id"))
        .where(sql<boolean>`j.queue_state <> 'done'`);
      return when()
        .when(and([sql<boolean>`v.state = 'live'`, not(exists(isBeingRead)), not(exists(isQueued))]))
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end()
        .as("isUnread");
    })
    .where("v.project_id", "=", row.project_id)
    .where("v.version_id", ">", row.after_version)
    .where("v.version_id", "<", row.end_version)
    .orderBy("v.version_id")
    .limit(limit)
    .execute();
}

/** Jobs with reserved version numbers; each version is created when its job is claimed. Without a `jobId` they get a new one. */
export async function insertRereads(
  db: Database,
  { projectId, accountId }: OwnedProject,
  input: { now: number; versions: readonly (RereadVersion & { readonly jobId?: string })[] },
): Promise<void> {
  const count = input.versions.length;
  if (count === 0) return;
  const { next_version_id: end } = await db
    .updateTable("projects")
    .set((eb) => ({ next_version_id: eb("next_version_id", "+", count) }))
    .where("project_id", "=", projectId)
    .returning("next_version_id")
    .executeTakeFirstOrThrow();
  const { next_seq: firstSeq } = await lockAccount(db, accountId);
  const jobs = input.versions.map(({ versionId, sourceDocId, jobId = newId("job") }, index) => ({
    jobId,
    sourceDocId,
    versionId: end - count + index,
    rereadsVersion: versionId,
  }));
  await insertJobs(db, { projectId, accountId, now: input.now, firstSeq, jobs });
  await changeAccount(db, accountId, { seqs: count, pendingJobs: count });
}

export async function endReread(
  db: Database,
  row: RereadRow,
  end: { status: "completed" | "failed" | "cancelled"; now: number; errorMessage: string | null },
): Promise<void> {
  await db
    .updateTable("rereads")
    .set({
      status: end.status,
      documents_total: await countTotal(db, row),
      completed_at: end.now,
      error_message: end.errorMessage,
    })
    .where("project_id", "=", row.project_id)
    .execute();
}

/** Documents that a running reread has read, has queued, or has still to queue. */
export async function countTotal(db: Database, row: RereadRow): Promise<number> {
  const { left } = await db
    .selectFrom("document_versions")
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .where("project_id", "=", row.project_id)
    .where("version_id", ">", row.after_version)
    .where("version_id", "<", row.end_version)
    .where("state", "=", "live")
    .executeTakeFirstOrThrow();
  const queued = await countQueued(db, row.project_id);
  return row.documents_processed + queued + left - (await countAhead(db, row));
}

/** Of those that it has still to look at: how many were queued one by one. */
async function countAhead(db: Database, row: RereadRow): Promise<number> {
  const { ahead } = await db
    .selectFrom("jobs as j")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.rereads_version"),
    )
    .select((eb) => eb.fn.countAll<number>().as("ahead"))
    .where("j.project_id", "=", row.project_id)
    .where("j.rereads_version", "is not", null)
    .where(sql<boolean>`j.queue_state <> 'done'`)
    .where("v.version_id", ">", row.after_version)
    .where("v.version_id", "<", row.end_version)
    .where("v.state", "=", "live")
    .executeTakeFirstOrThrow();
  return ahead;
}

/** Jobs of rereads that have not ended. */
export async function countQueued(db: Database, projectId: string): Promise<number> {
  const { queued } = await db
    .selectFrom("jobs")
    .select((eb) => eb.fn.countAll<number>().as("queued"))
    .where("project_id", "=", projectId)
    .where("rereads_version", "is not", null)
    .where(isUnfinished)
    .executeTakeFirstOrThrow();
  return queued;
}
