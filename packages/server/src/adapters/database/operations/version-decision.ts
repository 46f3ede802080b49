/** Decides which version a claimed job works on. */
import { sql } from "kysely";
import type { Database, DocumentVersionRow } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { padded } from "./bulk.ts";
import { isUnfinished } from "./job-rows.ts";
import type { LockedProject } from "./project-row.ts";
import { copyFile, swapFiles } from "./version-files.ts";
import { isLive, removeVersions } from "./version-rows.ts";

/** A job with its version: the one that it was accepted with, or one that it resumed at an earlier claim. */
export interface TakenJob {
  readonly seq: number;
  readonly jobId: string;
  readonly sourceDocId: string;
  /** Ended attempts, including one whose lease expired. */
  readonly attempts: number;
  /** null at the first claim. */
  readonly startedAt: number | null;
  /** The version whose text the job reads again; null for a job that was accepted with a text. */
  readonly rereadsVersion: number | null;
  /** False before the first claim of a reread: `version` then is what its version will be. */
  readonly isVersionStored: boolean;
  readonly version: Pick<
    DocumentVersionRow,
    "version_id" | "state" | "text_hash" | "byte_length" | "chunk_count" | "metadata"
  >;
}

/** The version and position from which a claimed job continues, or that it has nothing to do. */
export interface JobDecision {
  readonly job: TakenJob;
  readonly versionId: number;
  readonly nextPosition: number;
  readonly replacesVersionId: number | null;
  /** Not null when the live version is what the job would make of it, so that it is done: the chunk count of that version. */
  readonly unchangedChunkCount: number | null;
}

type StoredVersion = Pick<
  DocumentVersionRow,
  "version_id" | "source_doc_id" | "state" | "complete" | "text_hash" | "chunk_count" | "metadata"
>;

/**
 * Compares the content (text and metadata) of each job with the versions of its document. A complete version with the same
 * content ends the job; an unfinished one is resumed; other unfinished versions are removed. Jobs of one document never run at
 * the same time, so no worker is working on a version that no unfinished job names.
 */
export async function decideVersions(
  db: Database,
  project: LockedProject,
  jobs: readonly TakenJob[],
): Promise<readonly JobDecision[]> {
  const versions = await listVersions(db, project.projectId, jobs);
  const stored = [...versions.values()].flat().map((version) => version.version_id);
  const needed = await listNeededVersions(db, project.projectId, stored);
  const retryable = await listRetryable(db, project.projectId, jobs);
  const readSince = await firstVersionOfReader(db, project.projectId);
  const removed: number[] = [];
  const decisions = jobs.map((job) => {
    const isKept = ({ version_id: id, state }: StoredVersion) =>
      needed.has(id) || (job.rereadsVersion !== null && state !== "live" && retryable.has(id));
    const others = (versions.get(job.sourceDocId) ?? []).filter(
      (version) => version.version_id !== job.version.version_id && !isKept(version),
    );
    const decision = decide(job, others, readSince);
    removed.push(...discarded(job, { decision, others }));
    return decision;
  });
  for (const { job, versionId, unchangedChunkCount } of decisions) {
    const own = job.version.version_id;
    const kept = unchangedChunkCount === null ? versionId : liveOf(versions.get(job.sourceDocId))?.version_id;
    // The file that was sent last is the document's, also where its text is not new.
    if (kept !== undefined && kept !== own && job.rereadsVersion === null)
      await swapFiles(db, project.projectId, { from: own, to: kept });
  }
  await removeVersions(db, project, removed);
  for (const { job, versionId, replacesVersionId, unchangedChunkCount } of decisions) {
    const isNew = unchangedChunkCount === null && !job.isVersionStored;
    if (isNew && replacesVersionId !== null)
      await copyVersion(db, project, { from: replacesVersionId, to: versionId });
  }
  return decisions;
}

/** Versions before it may have been read under another ontology: the rest of one of them would not fit its beginning. */
async function firstVersionOfReader(db: Database, projectId: string): Promise<number> {
  const row = await db
    .selectFrom("rereads")
    .select("end_version")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row?.end_version ?? 0;
}

function decide(job: TakenJob, others: readonly StoredVersion[], readSince: number): JobDecision {
  const live = liveOf(others);
  const own = { job, versionId: job.version.version_id, nextPosition: job.version.chunk_count };
  const replacesVersionId = live?.version_id ?? null;
  // The version has replaced the other one, and its job ends when the graph has followed.
  if (job.version.state === "live") return { ...own, replacesVersionId, unchangedChunkCount: null };
  if (job.rereadsVersion !== null) {
    // A version that became live since the job was queued was read by the present engine.
    const isCurrent = job.rereadsVersion === replacesVersionId;
    return { ...own, replacesVersionId, unchangedChunkCount: isCurrent ? null : (live?.chunk_count ?? 0) };
  }
  if (own.nextPosition > 0 || job.version.state !== "new") {
    return { ...own, replacesVersionId, unchangedChunkCount: null };
  }
  const { text_hash: textHash, metadata } = job.version;
  const same = others.filter((version) => version.text_hash === textHash && version.metadata === metadata);
  if (live !== undefined && live.complete === 1 && same.includes(live)) {
    return { ...own, replacesVersionId, unchangedChunkCount: live.chunk_count };
  }
  const resumable = same.filter((version) => version.version_id >= readSince);
  const resumed =
    resumable.find((version) => version.state === "live") ??
    resumable.find((version) => version.chunk_count > 0);
  if (resumed === undefined) return { ...own, replacesVersionId, unchangedChunkCount: null };
  return {
    job,
    versionId: resumed.version_id,
    nextPosition: resumed.chunk_count,
    replacesVersionId: resumed === live ? null : replacesVersionId,
    unchangedChunkCount: null,
  };
}

function liveOf(versions: readonly StoredVersion[] | undefined): StoredVersion | undefined {
  return versions?.find((version) => version.state === "live");
}

/** Stores a version with the content of another one, for a reread. Both exist only until the reread ends. */
async function copyVersion(
  db: Database,
  { projectId, accountId }: LockedProject,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  const row = await db
    .selectFrom("document_versions")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("version_id", "=", from)
    .executeTakeFirstOrThrow();
  await db
    .insertInto("document_versions")
    .values({
      ...{ ...row, version_id: to, state: "new", complete: 0, chunk_count: 0, moves: 0 },
      text_version: row.text_version ?? from,
    })
    .execute();
  await sql`insert into version_texts (project_id, version_id, encoding, bytes)
    select project_id, cast(${to} as bigint), encoding, bytes from version_texts
    where project_id = ${projectId} and version_id = ${from}`.execute(db);
  await copyFile(db, projectId, { from, to });
  await changeAccount(db, accountId, { storedBytes: row.byte_length });
}

/** All versions except the live one and the one on which the job continues. */
function discarded(
  job: TakenJob,
  context: { decision: JobDecision; others: readonly StoredVersion[] },
): readonly number[] {
  const { decision, others } = context;
  const ids = others.filter((version) => version.state !== "live").map((version) => version.version_id);
  const unused = decision.unchangedChunkCount !== null || decision.versionId !== job.version.version_id;
  if (unused) ids.push(job.version.version_id);
  return ids.filter((id) => decision.unchangedChunkCount !== null || id !== decision.versionId);
}

/**
 * The live version of each job's document, and those that were stored before the job's own. Later ones are those of jobs that wait;
 * they are not read, however many they are.
 */
async function listVersions(
  db: Database,
  projectId: string,
  jobs: readonly TakenJob[],
): Promise<ReadonlyMap<string, readonly StoredVersion[]>> {
  const versions = db
    .selectFrom("document_versions")
    .select(["version_id", "source_doc_id", "state", "complete", "text_hash", "chunk_count", "metadata"])
    .where("project_id", "=", projectId);
  const documents = jobs.map((job) => job.sourceDocId);
  const live = await versions.where("source_doc_id", "in", padded(documents)).where(isLive).execute();
  const earlier = await versions
    .where("state", "<>", "live")
    .where(({ eb, or }) =>
      or(
        padded(jobs).map((job) =>
          eb("source_doc_id", "=", job.sourceDocId).and("version_id", "<", job.version.version_id),
        ),
      ),
    )
    .execute();
  const rows = [...live, ...earlier].sort((a, b) => a.version_id - b.version_id);
  return Map.groupBy(rows, (row) => row.source_doc_id);
}

/** Of documents that are read again: the versions that were sent last. A failed job of one can still be retried. */
async function listRetryable(
  db: Database,
  projectId: string,
  jobs: readonly TakenJob[],
): Promise<ReadonlySet<number>> {
  const reread = jobs.filter(({ rereadsVersion }) => rereadsVersion !== null);
  if (reread.length === 0) return new Set();
  const rows = await db
    .selectFrom("documents as d")
    .innerJoin("jobs as j", (join) =>
      join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
    )
    .select("j.version_id")
    .where("d.project_id", "=", projectId)
    .where("d.source_doc_id", "in", padded(reread.map(({ sourceDocId }) => sourceDocId)))
    .execute();
  return new Set(rows.map((row) => row.version_id));
}

async function listNeededVersions(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (versionIds.length === 0) return new Set();
  const rows = await db
    .selectFrom("jobs")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .where(isUnfinished)
    .execute();
  return new Set(rows.map((row) => row.version_id));
}
