/** Cancels and retries jobs at the request of their owner. */
import { type SqlBool, sql } from "kysely";
import { ADDRESS_MEDIA_TYPE } from "../../../domain/file.ts";
import { CANCELLED } from "../../../domain/progress.ts";
import type { CancelOutcome, RetryJob, RetryOutcome } from "../../../ports/event-store.ts";
import type { NewDocument } from "../../../ports/store.ts";
import type { Database, JobRow } from "../schema.ts";
import { padded } from "./bulk.ts";
import { decodeMetadata } from "./encoding.ts";
import { finishJobs } from "./finish-jobs.ts";
import { acceptDocuments, acceptFiles } from "./ingestion.ts";
import { type LockedProject, lockProject } from "./project-row.ts";
import { listUnfinishedJobs } from "./reread-documents.ts";
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
  return (await endCancelled(db, project, { jobs: [job], now: input.now })) === 0 ? "completed" : "cancelled";
}

export async function cancelJobs(
  db: Database,
  input: { projectId: string; limit: number; now: number },
): Promise<number> {
  const project = await lockProject(db, input.projectId);
  if (project === null) return 0;
  const jobs: UnfinishedJob[] = [];
  // In the order of the index, so that a long queue is not sorted.
  for (const status of ["pending", "running"]) {
    const rows = await db
      .selectFrom("jobs as j")
      .leftJoin("document_versions as v", (join) =>
        join
          .onRef("v.project_id", "=", "j.project_id")
          .onRef("v.version_id", "=", "j.version_id")
          .on(isSwitched),
      )
      .select(["j.seq", "j.source_doc_id", "j.version_id"])
      .where("j.project_id", "=", input.projectId)
      .where("j.status", "=", status)
      .where("v.version_id", "is", null)
      .orderBy("j.seq", "desc")
      .limit(input.limit - jobs.length)
      .execute();
    jobs.push(...rows);
  }
  jobs.sort((one, other) => one.seq - other.seq); // The order of locks.
  return endCancelled(db, project, { jobs, now: input.now });
}

type UnfinishedJob = Pick<JobRow, "seq" | "source_doc_id" | "version_id">;

/** Returns how many it has ended: not those whose version is whole and visible. */
async function endCancelled(
  db: Database,
  project: LockedProject,
  input: { readonly jobs: readonly UnfinishedJob[]; readonly now: number },
): Promise<number> {
  if (input.jobs.length === 0) return 0;
  const live = await findLive(db, project.projectId, input.jobs);
  const jobs = input.jobs.filter((job) => live.get(job.version_id)?.complete !== 1);
  if (jobs.length === 0) return 0;
  const removed: number[] = [];
  for (const job of jobs) {
    const isShown = live.has(job.version_id) && (await wasLiveBefore(db, project.projectId, job));
    if (!isShown) removed.push(job.version_id);
  }
  await removeVersions(db, project, removed);
  await finishJobs(db, project, {
    jobs: jobs.map((job) => ({ seq: job.seq, sourceDocId: job.source_doc_id, chunksProcessed: null })),
    now: input.now,
    errorMessage: CANCELLED,
  });
  await applyChanges(db, project, input.now);
  return jobs.length;
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

/** Queries see the whole version of the others, which only wait until the graph has followed. */
const isSwitched = sql<SqlBool>`v.state = 'live' and v.complete = 1`;

async function findLive(db: Database, projectId: string, jobs: readonly UnfinishedJob[]) {
  const live = await db
    .selectFrom("document_versions")
    .select(["version_id", "complete"])
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(jobs.map((job) => job.version_id)))
    .where("state", "=", "live")
    .execute();
  return new Map(live.map((row) => [row.version_id, row]));
}

/** For a job whose version is live: true when queries saw it before, because the job resumes the version of an earlier, failed one. */
async function wasLiveBefore(db: Database, projectId: string, job: UnfinishedJob): Promise<boolean> {
  const earlier = await db
    .selectFrom("jobs")
    .select("seq")
    .where("project_id", "=", projectId)
    .where("version_id", "=", job.version_id)
    .where("seq", "<", job.seq)
    .limit(1)
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
    const [later] = await listUnfinishedJobs(db, { projectId, sourceDocIds: [job.source_doc_id] });
    if (later !== undefined) return { kind: "sent_again", jobId: later.jobId };
    const version = { versionId: job.rereads_version, sourceDocId: job.source_doc_id };
    return retryReread(db, project, { ...limits, jobId, version });
  }
  const key = { projectId, versionId: job.version_id };
  const document = await readAcceptedDocument(db, key);
  const file = document === null ? await readAcceptedFile(db, key) : null;
  const laterJobId = await findLaterUnfinished(db, job);
  if (laterJobId !== null && (document ?? file) !== null) return { kind: "sent_again", jobId: laterJobId };
  const sent = { jobId, sourceDocId: job.source_doc_id };
  if (document === null) {
    if (file === null) return { kind: "text_gone" };
    const { isMember, ...content } = file;
    return acceptFiles(db, { ...limits, projectId, files: [{ ...content, ...sent }], isMember });
  }
  const documents = [{ ...sent, ...document }];
  const outcome = await acceptDocuments(db, { ...limits, projectId, documents });
  if (outcome.kind === "accepted")
    await copyFile(db, projectId, { from: job.version_id, to: project.nextVersionId });
  return outcome;
}

/** The id of the document's last job, where it is a later one that has not ended. */
async function findLaterUnfinished(
  db: Database,
  { project_id, source_doc_id, seq }: Pick<JobRow, "project_id" | "source_doc_id" | "seq">,
): Promise<string | null> {
  const row = await db
    .selectFrom("documents as d")
    .innerJoin("jobs as j", (join) =>
      join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
    )
    .select("j.job_id")
    .where("d.project_id", "=", project_id)
    .where("d.source_doc_id", "=", source_doc_id)
    .where("d.job_seq", ">", seq)
    .where("j.status", "in", ["pending", "running"])
    .executeTakeFirst();
  return row?.job_id ?? null;
}

/** Of a job that failed before its file was turned into text. */
async function readAcceptedFile(db: Database, version: { projectId: string; versionId: number }) {
  const row = await db
    .selectFrom("version_files as f")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "f.project_id").onRef("v.version_id", "=", "f.version_id"),
    )
    .innerJoin("file_contents as c", (join) =>
      join.onRef("c.project_id", "=", "f.project_id").onRef("c.content_id", "=", "f.content_id"),
    )
    .select(["f.name", "f.content_id as contentId", "f.byte_length as byteLength", "f.is_member"])
    .select(["f.media_type", "v.metadata", "c.sha256"])
    .where("f.project_id", "=", version.projectId)
    .where("f.version_id", "=", version.versionId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { metadata, sha256, is_member: member, media_type: mediaType, ...file } = row;
  return {
    ...file,
    sha256: sha256 ?? "",
    metadata: decodeMetadata(metadata),
    isAddress: mediaType === ADDRESS_MEDIA_TYPE,
    isMember: member === 1,
  };
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
