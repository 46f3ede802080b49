/** Rereads of projects: start, state, end, and failed jobs again. */
import { sql } from "kysely";
import { CANCELLED } from "../../../domain/progress.ts";
import type { Reread, RereadStatus } from "../../../domain/reread.ts";
import type { AcceptOutcome, IngestLimits } from "../../../ports/content-store.ts";
import type { CancelRereadOutcome, RereadStore, StartRereadOutcome } from "../../../ports/reread-store.ts";
import type { RereadRow } from "../reread-schema.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { countRequest, findRefusal } from "./admission.ts";
import { finishJobs } from "./finish-jobs.ts";
import { isUnfinished } from "./job-rows.ts";
import { type LockedProject, lockProject } from "./project-row.ts";
import { isBeingMoved } from "./reembeddings.ts";
import { countTotal, endReread, insertRereads, queueNext, type RereadVersion } from "./reread-queue.ts";
import { applyChanges } from "./version-changes.ts";
import { findLiveVersions, removeVersions } from "./version-rows.ts";

export async function startReread(
  db: Database,
  input: Parameters<RereadStore["startReread"]>[0],
): Promise<StartRereadOutcome> {
  const { projectId } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  if (await isRereading(db, projectId)) return { kind: "accepted" };
  if (await isBeingMoved(db, projectId)) return { kind: "moving" };
  return beginReread(db, project, input);
}

export async function isRereading(db: Database, projectId: string): Promise<boolean> {
  return (await findRow(db, projectId))?.status === "running";
}

/** Whether documents may have been left out by the last reread, and be as an earlier ontology left them. */
export async function hasUnread(db: Database, projectId: string): Promise<boolean> {
  const row = await findRow(db, projectId);
  return row !== undefined && (row.status !== "completed" || row.documents_failed > 0);
}

/** For a locked project that is neither being read again nor moved. Counts the request towards the account's limits. */
export async function beginReread(
  db: Database,
  project: LockedProject,
  input: IngestLimits,
): Promise<AcceptOutcome> {
  const { projectId } = project;
  const { now } = input;
  const outcome = await admitJobs(db, input, 1);
  if (outcome.kind !== "accepted") return outcome;
  const { ended_jobs: startedPlace } = await db
    .selectFrom("projects")
    .select("ended_jobs")
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  await renumberQueued(db, project);
  const row: RereadRow = {
    project_id: projectId,
    status: "running",
    after_version: 0,
    end_version: project.nextVersionId,
    started_place: startedPlace,
    max_pending_jobs: input.maxPendingJobs,
    documents_processed: 0,
    documents_failed: 0,
    documents_total: 0,
    created_at: now,
    completed_at: null,
    error_message: null,
  };
  await db
    .insertInto("rereads")
    .values(row)
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(row))
    .execute();
  await queueNext(db, project, { row, ended: 0, now });
  return outcome;
}

/**
 * Gives jobs that were queued one by one, and that nobody has begun, versions behind those that the reread goes through: what they make is read by the
 * present engine, too.
 */
async function renumberQueued(db: Database, { projectId, nextVersionId }: LockedProject): Promise<void> {
  const isQueued = sql<boolean>`rereads_version is not null and queue_state <> 'done' and started_at is null`;
  const { first, last } = await db
    .selectFrom("jobs")
    .select((eb) => [eb.fn.min("version_id").as("first"), eb.fn.max("version_id").as("last")])
    .where("project_id", "=", projectId)
    .where(isQueued)
    .executeTakeFirstOrThrow();
  if (first === null || last === null) return;
  const by = nextVersionId - Number(first);
  await db
    .updateTable("jobs")
    .set((eb) => ({ version_id: eb("version_id", "+", by) }))
    .where("project_id", "=", projectId)
    .where(isQueued)
    .execute();
  await db
    .updateTable("projects")
    .set({ next_version_id: Number(last) + by + 1 })
    .where("project_id", "=", projectId)
    .execute();
}

/** Counts the request towards the account's limits, if they leave room for so many more jobs. */
export async function admitJobs(db: Database, input: IngestLimits, jobs: number): Promise<AcceptOutcome> {
  const account = await lockAccount(db, input.accountId);
  const refusal = await findRefusal(db, input, { account, jobs, bytes: 0 });
  if (refusal !== null) return refusal;
  const accepted = await countRequest(db, input, account.next_seq);
  await changeAccount(db, input.accountId, { seqs: 1 });
  return accepted;
}

/** Queues a failed job of a reread again, unless its document has another text by now. */
export async function retryReread(
  db: Database,
  project: LockedProject,
  input: IngestLimits & { readonly jobId: string; readonly version: RereadVersion },
): Promise<AcceptOutcome | { readonly kind: "text_gone" }> {
  const { version, jobId, now } = input;
  const live = await findLiveVersions(db, project.projectId, [version.sourceDocId]);
  if (live.get(version.sourceDocId) !== version.versionId) return { kind: "text_gone" };
  const outcome = await admitJobs(db, input, 1);
  if (outcome.kind === "accepted")
    await insertRereads(db, project, { now, versions: [{ ...version, jobId }] });
  return outcome;
}

export async function findReread(db: Database, { projectId }: { projectId: string }): Promise<Reread | null> {
  const row = await findRow(db, projectId);
  if (row === undefined) return null;
  return {
    projectId,
    status: row.status as RereadStatus, // Written only by the operations, from this union.
    documentsProcessed: row.documents_processed,
    documentsFailed: row.documents_failed,
    documentsTotal: row.status === "running" ? await countTotal(db, row) : row.documents_total,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    errorMessage: row.error_message,
  };
}

function findRow(db: Database, projectId: string): Promise<RereadRow | undefined> {
  return db.selectFrom("rereads").selectAll().where("project_id", "=", projectId).executeTakeFirst();
}

export async function cancelReread(
  db: Database,
  { projectId, now }: { projectId: string; now: number },
): Promise<CancelRereadOutcome> {
  const project = await lockProject(db, projectId);
  const row = project === null ? undefined : await findRow(db, projectId);
  if (project === null || row === undefined) return "none";
  if (row.status !== "running") return row.status as "completed" | "failed" | "cancelled"; // The other statuses.
  // Ended first: the end of its jobs then queues no others.
  await endReread(db, row, { status: "cancelled", now, errorMessage: null });
  const unfinished = await db
    .selectFrom("jobs as j")
    .leftJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    .select(["j.seq", "j.source_doc_id", "j.version_id", "v.state"])
    .where("j.project_id", "=", projectId)
    .where("j.rereads_version", "is not", null)
    .where(isUnfinished)
    .orderBy("j.seq")
    .forUpdate("j")
    .execute();
  // A version that is live has replaced the earlier one: its job ends when the graph has followed.
  const jobs = unfinished.filter((job) => job.state !== "live");
  await removeVersions(
    db,
    project,
    jobs.map((job) => job.version_id),
  );
  await finishJobs(db, project, {
    jobs: jobs.map((job) => ({ seq: job.seq, sourceDocId: job.source_doc_id, chunksProcessed: null })),
    now,
    errorMessage: CANCELLED,
  });
  await applyChanges(db, project, now);
  return "cancelled";
}
