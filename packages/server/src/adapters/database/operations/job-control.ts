/** Cancels and retries jobs at the request of their owner. */
import { CANCELLED } from "../../../domain/progress.ts";
import type { CancelOutcome, RetryJob, RetryOutcome } from "../../../ports/event-store.ts";
import type { NewDocument } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { decodeMetadata } from "./encoding.ts";
import { finishJobs } from "./finish-jobs.ts";
import { acceptDocuments } from "./ingestion.ts";
import { lockProject } from "./project-row.ts";
import { retryReread } from "./rereads.ts";
import { applyChanges } from "./version-changes.ts";
import { removeVersions } from "./version-rows.ts";

export async function cancelJob(
  db: Database,
  input: { projectId: string; jobId: string; now: number },
): Promise<CancelOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null) return "not_found";
  const job = await findLocked(db, input.projectId, input.jobId);
  if (job === undefined) return "not_found";
  if (job.status === "completed") return "completed";
  if (job.status === "failed") return job.error_message === CANCELLED ? "cancelled" : "failed";
  if (await isSwitched(db, job)) return "completed";
  if (!(await wasLiveBefore(db, job))) await removeVersions(db, project, [job.version_id]);
  await finishJobs(db, project, {
    jobs: [{ seq: job.seq, sourceDocId: job.source_doc_id, chunksProcessed: null }],
    now: input.now,
    errorMessage: CANCELLED,
  });
  await applyChanges(db, project, input.now);
  return "cancelled";
}

function findLocked(db: Database, projectId: string, jobId: string) {
  return db
    .selectFrom("jobs")
    .select([
      "project_id",
      "seq",
      "source_doc_id",
      "version_id",
      "rereads_version",
      "status",
      "error_message",
    ])
    .where("project_id", "=", projectId)
    .where("job_id", "=", jobId)
    .forUpdate()
    .executeTakeFirst();
}

/** True when the job's version is whole and visible: the job only waits until the graph has followed. */
async function isSwitched(db: Database, job: { project_id: string; version_id: number }): Promise<boolean> {
  const version = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", job.project_id)
    .where("version_id", "=", job.version_id)
    .where("state", "=", "live")
    .where("complete", "=", 1)
    .executeTakeFirst();
  return version !== undefined;
}

/** True when queries saw the job's version before this job: the job resumes the version of an earlier, failed one. */
async function wasLiveBefore(
  db: Database,
  job: { project_id: string; seq: number; version_id: number },
): Promise<boolean> {
  const earlier = await db
    .selectFrom("document_versions as v")
    .select("v.version_id")
    .where("v.project_id", "=", job.project_id)
    .where("v.version_id", "=", job.version_id)
    .where("v.state", "=", "live")
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("jobs as j")
          .select("j.seq")
          .where("j.project_id", "=", job.project_id)
          .where("j.version_id", "=", job.version_id)
          .where("j.seq", "<", job.seq),
      ),
    )
    .executeTakeFirst();
  return earlier !== undefined;
}

export async function retryJob(db: Database, input: RetryJob): Promise<RetryOutcome> {
  const { projectId, failedJobId, jobId, ...limits } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  const job = await findLocked(db, projectId, failedJobId);
  if (job === undefined) return { kind: "not_found" };
  if (job.status !== "failed") {
    return { kind: "not_failed", status: job.status as "pending" | "running" | "completed" }; // The other statuses of a job.
  }
  if (job.rereads_version !== null) {
    const version = { versionId: job.rereads_version, sourceDocId: job.source_doc_id };
    return retryReread(db, project, { ...limits, jobId, version });
  }
  const document = await readAcceptedDocument(db, { projectId, versionId: job.version_id });
  if (document === null) return { kind: "text_gone" };
  const documents = [{ jobId, sourceDocId: job.source_doc_id, ...document }];
  return acceptDocuments(db, { ...limits, projectId, documents });
}

async function readAcceptedDocument(
  db: Database,
  version: { projectId: string; versionId: number },
): Promise<Pick<NewDocument, "text" | "metadata"> | null> {
  const row = await db
    .selectFrom("document_versions as v")
    .innerJoin("version_texts as t", (join) =>
      join.onRef("t.project_id", "=", "v.project_id").onRef("t.version_id", "=", "v.version_id"),
    )
    .select(["v.text_hash", "v.byte_length", "v.metadata", "t.encoding", "t.bytes"])
    .where("v.project_id", "=", version.projectId)
    .where("v.version_id", "=", version.versionId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const byteLength = row.byte_length - Buffer.byteLength(row.metadata ?? "");
  return {
    text: { encoding: row.encoding, bytes: row.bytes, byteLength, hash: row.text_hash },
    metadata: decodeMetadata(row.metadata),
  };
}
