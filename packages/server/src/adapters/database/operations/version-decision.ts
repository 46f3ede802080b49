/** Decides which version a claimed job works on. */
import type { Database, DocumentVersionRow } from "../schema.ts";
import { isUnfinished } from "./job-rows.ts";
import type { LockedProject } from "./project-row.ts";
import { removeVersions } from "./version-rows.ts";

/** A job with its version: the one that it was accepted with, or one that it resumed at an earlier claim. */
export interface TakenJob {
  readonly seq: number;
  readonly jobId: string;
  readonly sourceDocId: string;
  /** Ended attempts, including one whose lease expired. */
  readonly attempts: number;
  /** null at the first claim. */
  readonly startedAt: number | null;
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
  /** Not null when the live version has the content of the job, which is then done: the chunk count of that version. */
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
  const documents = jobs.map((job) => job.sourceDocId);
  const versions = await listVersions(db, project.projectId, documents);
  const needed = await listNeededVersions(db, project.projectId, documents);
  const removed: number[] = [];
  const decisions = jobs.map((job) => {
    const others = (versions.get(job.sourceDocId) ?? []).filter(
      (version) => version.version_id !== job.version.version_id && !needed.has(version.version_id),
    );
    const decision = decide(job, others);
    removed.push(...discarded(job, { decision, others }));
    return decision;
  });
  await removeVersions(db, project, removed);
  return decisions;
}

function decide(job: TakenJob, others: readonly StoredVersion[]): JobDecision {
  const live = others.find((version) => version.state === "live");
  const own = { job, versionId: job.version.version_id, nextPosition: job.version.chunk_count };
  const replacesVersionId = live?.version_id ?? null;
  if (own.nextPosition > 0 || job.version.state !== "new") {
    return { ...own, replacesVersionId, unchangedChunkCount: null };
  }
  const { text_hash: textHash, metadata } = job.version;
  const same = others.filter((version) => version.text_hash === textHash && version.metadata === metadata);
  if (live !== undefined && live.complete === 1 && same.includes(live)) {
    return { ...own, replacesVersionId, unchangedChunkCount: live.chunk_count };
  }
  const resumed =
    same.find((version) => version.state === "live") ?? same.find((version) => version.chunk_count > 0);
  if (resumed === undefined) return { ...own, replacesVersionId, unchangedChunkCount: null };
  return {
    job,
    versionId: resumed.version_id,
    nextPosition: resumed.chunk_count,
    replacesVersionId: resumed === live ? null : replacesVersionId,
    unchangedChunkCount: null,
  };
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

async function listVersions(
  db: Database,
  projectId: string,
  documents: readonly string[],
): Promise<ReadonlyMap<string, readonly StoredVersion[]>> {
  const rows = await db
    .selectFrom("document_versions")
    .select(["version_id", "source_doc_id", "state", "complete", "text_hash", "chunk_count", "metadata"])
    .where("project_id", "=", projectId)
    .where("source_doc_id", "in", documents)
    .orderBy("version_id")
    .execute();
  return Map.groupBy(rows, (row) => row.source_doc_id);
}

async function listNeededVersions(
  db: Database,
  projectId: string,
  documents: readonly string[],
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom("jobs")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("source_doc_id", "in", documents)
    .where(isUnfinished)
    .execute();
  return new Set(rows.map((row) => row.version_id));
}
