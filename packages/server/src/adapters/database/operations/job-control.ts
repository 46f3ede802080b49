/** Cancels and retries jobs at the request of their owner. */
import { ADDRESS_MEDIA_TYPE } from "../../../domain/file.ts";
import { CANCELLED } from "../../../domain/progress.ts";
import type { CancelOutcome, RetryJob, RetryOutcome } from "../../../ports/event-store.ts";
import type { IngestLimits, NewDocument } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { decodeMetadata } from "./encoding.ts";
import { finishJobs } from "./finish-jobs.ts";
import { acceptDocuments, acceptFiles } from "./ingestion.ts";
import { lockProject } from "./project-row.ts";
import { retryReread } from "./rereads.ts";
import { applyChanges } from "./version-changes.ts";
import { copyFile } from "./version-files.ts";
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
  const key = { projectId, versionId: job.version_id };
  const document = await readAcceptedDocument(db, key);
  if (document === null)
    return retryFile(db, { ...limits, ...key, job: { jobId, sourceDocId: job.source_doc_id } });
  const documents = [{ jobId, sourceDocId: job.source_doc_id, ...document }];
  const outcome = await acceptDocuments(db, { ...limits, projectId, documents });
  if (outcome.kind === "accepted")
    await copyFile(db, projectId, { from: job.version_id, to: project.nextVersionId });
  return outcome;
}

/** Of a job that failed before its file was turned into text. */
async function retryFile(
  db: Database,
  input: IngestLimits & {
    readonly projectId: string;
    readonly versionId: number;
    readonly job: { readonly jobId: string; readonly sourceDocId: string };
  },
): Promise<RetryOutcome> {
  const { projectId, versionId, job, ...limits } = input;
  const row = await db
    .selectFrom("version_files as f")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "f.project_id").onRef("v.version_id", "=", "f.version_id"),
    )
    .innerJoin("file_contents as c", (join) =>
      join.onRef("c.project_id", "=", "f.project_id").onRef("c.content_id", "=", "f.content_id"),
    )
    .select(["f.name", "f.content_id as contentId", "f.byte_length as byteLength", "f.is_member"])
    .select("f.media_type as mediaType")
    .select(["v.metadata", "c.sha256"])
    .where("f.project_id", "=", projectId)
    .where("f.version_id", "=", versionId)
    .executeTakeFirst();
  if (row === undefined) return { kind: "text_gone" };
  const { metadata, sha256, is_member: member, mediaType, ...file } = row;
  const isAddress = mediaType === ADDRESS_MEDIA_TYPE;
  const files = [{ ...job, ...file, isAddress, sha256: sha256 ?? "", metadata: decodeMetadata(metadata) }];
  return acceptFiles(db, { ...limits, projectId, files, isMember: member === 1 });
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
