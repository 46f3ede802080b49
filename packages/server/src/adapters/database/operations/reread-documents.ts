/** Reads some documents of a project again. */
import { newId } from "../../../domain/ids.ts";
import type { AcceptedJob } from "../../../domain/job.ts";
import type { RereadDocumentsOutcome, RereadStore } from "../../../ports/reread-store.ts";
import type { Database, JobRow } from "../schema.ts";
import { padded } from "./bulk.ts";
import { isUnfinished } from "./job-rows.ts";
import { lockProject } from "./project-row.ts";
import { isBeingMoved } from "./reembeddings.ts";
import { insertRereads } from "./reread-queue.ts";
import { admitJobs } from "./rereads.ts";
import { findLiveVersions } from "./version-rows.ts";

export async function rereadDocuments(
  db: Database,
  input: Parameters<RereadStore["rereadDocuments"]>[0],
): Promise<RereadDocumentsOutcome> {
  const { projectId, now } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  if (await isBeingMoved(db, projectId)) return { kind: "moving" };
  const sourceDocIds = [...new Set(input.sourceDocIds)];
  const lastJobs = await findLastJobs(db, projectId, sourceDocIds);
  const missing = sourceDocIds.filter((id) => !lastJobs.has(id));
  if (missing.length > 0) return { kind: "not_found", sourceDocIds: missing };
  const unfinished = await findUnfinished(db, projectId, sourceDocIds);
  const atRest = sourceDocIds.filter((id) => !unfinished.has(id));
  const whole = await findLiveVersions(db, projectId, atRest, { areWhole: true });
  const versions = atRest.flatMap((sourceDocId) => {
    const versionId = whole.get(sourceDocId);
    return versionId === undefined ? [] : [{ versionId, sourceDocId, jobId: newId("job") }];
  });
  const outcome = versions.length === 0 ? accepted : await admitJobs(db, input, versions.length);
  if (outcome.kind !== "accepted") return outcome;
  await insertRereads(db, project, { now, versions });
  const queued = versions.map(
    ({ jobId, sourceDocId }): AcceptedJob => ({ jobId, sourceDocId, status: "pending", createdAt: now }),
  );
  const unread = atRest.flatMap((id) => {
    const jobId = whole.has(id) ? null : (lastJobs.get(id) ?? null);
    return jobId === null ? [] : [{ jobId }];
  });
  return { ...outcome, jobs: [...unfinished.values(), ...queued], queued: queued.length, unread };
}

const accepted = { kind: "accepted" } as const;

/** Of the documents that there are: the last job that was accepted with a text; null where it is no longer kept. */
async function findLastJobs(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db
    .selectFrom("documents as d")
    .leftJoin("jobs as j", (join) =>
      join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
    )
    .select(["d.source_doc_id", "j.job_id"])
    .where("d.project_id", "=", projectId)
    .where("d.source_doc_id", "in", padded(sourceDocIds))
    .execute();
  return new Map(rows.map((row) => [row.source_doc_id, row.job_id]));
}

async function findUnfinished(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
): Promise<ReadonlyMap<string, AcceptedJob>> {
  const rows = await db
    .selectFrom("jobs")
    .select(["job_id", "source_doc_id", "status", "created_at"])
    .where("project_id", "=", projectId)
    .where("source_doc_id", "in", padded(sourceDocIds))
    .where(isUnfinished)
    .orderBy("seq")
    .execute();
  return new Map(rows.map((row) => [row.source_doc_id, toAcceptedJob(row)]));
}

export async function listUnfinishedJobs(
  db: Database,
  { projectId, sourceDocIds }: { readonly projectId: string; readonly sourceDocIds: readonly string[] },
): Promise<readonly AcceptedJob[]> {
  return [...(await findUnfinished(db, projectId, sourceDocIds)).values()];
}

function toAcceptedJob(row: Pick<JobRow, "job_id" | "source_doc_id" | "status" | "created_at">): AcceptedJob {
  const status = row.status as AcceptedJob["status"]; // Those of an unfinished job.
  return { jobId: row.job_id, sourceDocId: row.source_doc_id, status, createdAt: row.created_at };
}
