/** Commits one batch of an ingest: the chunks, their segment, graph and counts, in one transaction. */
import { sql } from "kysely";
import { isSameSpace } from "../../../domain/embedding-space.ts";
import { jobErrorMessages } from "../../../domain/errors.ts";
import type { CommitBatch, CommitOutcome, CommittedPart } from "../../../ports/store.ts";
import type { Database, VersionState } from "../schema.ts";
import { insertRows } from "./bulk.ts";
import { touchDocuments } from "./document-rows.ts";
import { encodeUtf8, vectorBytes } from "./encoding.ts";
import { failHeldJobs } from "./fail-jobs.ts";
import { writeEvidence } from "./graph-evidence.ts";
import { writePassages } from "./graph-passages.ts";
import { changeProject, type LockedProject, lockProject } from "./project-row.ts";
import { insertSegment, type SegmentDocument } from "./segment-rows.ts";
import { addTokens, isLimitUsedUp, type TokenCharge } from "./token-meter.ts";
import { addUsage } from "./usage.ts";
import { applyChanges, listChanges } from "./version-changes.ts";
import { openPages } from "./version-files.ts";
import { findLiveVersions, switchVersions } from "./version-rows.ts";

export async function commitBatch(db: Database, input: CommitBatch): Promise<CommitOutcome> {
  // The project row is locked before the lease is checked, so that a deleted project stays deleted.
  const batch = await lockBatch(db, input);
  if (batch === null) return "lease_lost";
  // Before the first write: an outcome that is returned does not roll back what was written.
  if (await failAtTokenLimit(db, input, batch)) return "token_limit";
  await writeChunks(db, input);
  return publishBatch(db, input, batch);
}

/**
 * The same for PostgreSQL, where several workers may commit to one project: the chunks, most of what is written, are written before the project is
 * locked. Nobody sees them before the end, and where the batch turns out to be refused, they are rolled back and the usual order decides.
 */
export async function commitWithShortLock(db: Database, input: CommitBatch): Promise<CommitOutcome> {
  await sql`savepoint before_chunks`.execute(db);
  const written = await writeChunks(db, input).then(
    () => true,
    (error: unknown) => {
      // A worker that held the lease before has committed these chunks.
      if (isDuplicate(error)) return false;
      throw error;
    },
  );
  const batch = written ? await lockBatch(db, input) : null;
  if (batch === null || (await isLimitUsedUp(db, batch.charge, input.tokenLimit))) {
    await sql`rollback to savepoint before_chunks`.execute(db);
    return commitBatch(db, input);
  }
  return publishBatch(db, input, batch);
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "23505";
}

/** Each step takes what an earlier one returns; the comments say what else fixes the order. */
async function publishBatch(db: Database, input: CommitBatch, batch: LockedBatch): Promise<CommitOutcome> {
  // Reads which versions are live, so it comes before anything that changes them.
  const parts = await openVersions(db, batch);
  // Both record for each version whether queries may see it, which `openVersions` has decided.
  await writePassages(db, input, isLiveIn(parts));
  await writeSegment(db, input, { project: batch.project, parts });
  await publishVersions(db, batch.project, parts);
  await updateJobs(db, input, parts);
  // Adds the evidence that `writeChunks` has written to the graph. Ends the finished jobs, which locks the account's row, so this
  // follows all changes to versions.
  const more = await applyChanges(db, batch.project, input.now);
  // The token meter and the day's usage are the last in the order of locks (`project-row.ts`).
  await charge(db, input, batch);
  return more ? "changes_left" : "committed";
}

interface LockedBatch {
  readonly project: LockedProject;
  readonly parts: readonly HeldPart[];
  readonly charge: TokenCharge;
}

/** A part of the batch, with its job and its version as they are before the commit. */
interface HeldPart {
  readonly part: CommittedPart;
  readonly seq: number;
  readonly sourceDocId: string;
  readonly versionState: VersionState;
  /** Chunks of the version, this part included. */
  readonly chunkCount: number;
}

async function lockBatch(db: Database, input: CommitBatch): Promise<LockedBatch | null> {
  const project = await lockProject(db, input.projectId);
  if (project === null || !isSameSpace(project.space, input.space)) return null;
  const parts = await matchParts(db, input);
  if (parts === null) return null;
  const tokens = input.parts.reduce((sum, part) => sum + part.tokens, 0);
  return { project, parts, charge: { accountId: project.accountId, month: input.month, tokens } };
}

/** null when a job is no longer held, works on another version, or its chunks do not continue where the version ends. */
async function matchParts(db: Database, input: CommitBatch): Promise<readonly HeldPart[] | null> {
  const rows = await db
    .selectFrom("jobs as j")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    .select(["j.job_id", "j.seq", "j.source_doc_id", "j.version_id", "v.state", "v.chunk_count"])
    .where("j.project_id", "=", input.projectId)
    .where("j.lease_token", "=", input.leaseToken)
    .orderBy("j.seq")
    .forUpdate("j")
    .execute();
  const held = new Map(rows.map((row) => [row.job_id, row]));
  const matched: HeldPart[] = [];
  for (const part of input.parts) {
    const row = held.get(part.jobId);
    held.delete(part.jobId); // A second part of the same job matches nothing.
    if (row === undefined || row.version_id !== part.versionId) return null;
    if (part.chunks.some((chunk, index) => chunk.position !== row.chunk_count + index)) return null;
    matched.push({
      part,
      seq: row.seq,
      sourceDocId: row.source_doc_id,
      versionState: row.state,
      chunkCount: row.chunk_count + part.chunks.length,
    });
  }
  return matched;
}

async function failAtTokenLimit(
  db: Database,
  input: CommitBatch,
  { project, parts, charge: due }: LockedBatch,
): Promise<boolean> {
  if (!(await isLimitUsedUp(db, due, input.tokenLimit))) return false;
  const jobs = parts.map(({ seq, sourceDocId }) => ({ seq, sourceDocId }));
  await failHeldJobs(db, project, { jobs, now: input.now, errorMessage: jobErrorMessages.tokenLimit });
  return true;
}

/** Chunks and their facts. Queries see neither before the segment is written and the graph is changed. */
async function writeChunks(db: Database, input: CommitBatch): Promise<void> {
  const versionIds = input.parts.filter(({ chunks }) => chunks.length > 0).map(({ versionId }) => versionId);
  const pageAt = await openPages(db, input.projectId, versionIds);
  const rows = input.parts.flatMap((part) =>
    part.chunks.map((chunk) => ({
      project_id: input.projectId,
      version_id: part.versionId,
      position: chunk.position,
      start_offset: chunk.start,
      end_offset: chunk.end,
      token_count: chunk.tokenCount,
      content_hash: chunk.contentHash,
      vector: vectorBytes(chunk.vector),
      header: encodeUtf8(chunk.header),
      text: encodeUtf8(chunk.text),
      page: pageAt(part.versionId, chunk.start),
    })),
  );
  await insertRows(db, "chunks", rows);
  await writeEvidence(db, input);
}

/** A part with the state that its version has after this commit, apart from the switch in `publishVersions`. */
interface OpenPart extends HeldPart {
  readonly state: Exclude<VersionState, "new">;
  /** The version that queries see at present: this one, the one that it replaces, or null. */
  readonly liveVersionId: number | null;
}

/** Counts the new chunks. A version's first batch makes it live if its document has no live version, else staged. */
async function openVersions(db: Database, { project, parts }: LockedBatch): Promise<readonly OpenPart[]> {
  const documents = parts.map(({ sourceDocId }) => sourceDocId);
  const live = await findLiveVersions(db, project.projectId, documents);
  const opened: OpenPart[] = [];
  for (const held of parts) {
    const liveVersionId = live.get(held.sourceDocId) ?? null;
    const first = liveVersionId === null ? "live" : "staged";
    const state = held.versionState === "new" ? first : held.versionState;
    await db
      .updateTable("document_versions")
      .set({ state, chunk_count: held.chunkCount })
      .where("project_id", "=", project.projectId)
      .where("version_id", "=", held.part.versionId)
      .execute();
    opened.push({ ...held, state, liveVersionId });
  }
  return opened;
}

function isLiveIn(parts: readonly OpenPart[]): (versionId: number) => boolean {
  const live = new Set(parts.filter(({ state }) => state === "live").map(({ part }) => part.versionId));
  return (versionId) => live.has(versionId);
}

/** Writes the segment, if the batch has chunks, and raises the index version. */
async function writeSegment(
  db: Database,
  { segment: bytes }: CommitBatch,
  { project, parts }: { project: LockedProject; parts: readonly OpenPart[] },
): Promise<void> {
  const documents = parts.flatMap(({ part, state }): readonly SegmentDocument[] =>
    part.chunks.length === 0 ? [] : [{ versionId: part.versionId, chunkCount: part.chunks.length, state }],
  );
  const { projectId, vectorSet } = project;
  const hasSegment = bytes !== null && documents.length > 0;
  const segmentsMade = hasSegment ? await insertSegment(db, { project, vectorSet, bytes, documents }) : 0;
  await changeProject(db, projectId, { segmentsMade, segmentCount: hasSegment ? 1 : 0, index: true });
}

/**
 * Switches the finished staged versions in, each in place of the version that it replaces, and lists what the graph is to follow.
 * Jobs of one document never share a batch.
 */
async function publishVersions(
  db: Database,
  project: LockedProject,
  parts: readonly OpenPart[],
): Promise<void> {
  const hidden = parts.filter(({ part, state }) => part.finished && state === "staged");
  await switchVersions(db, project, {
    finished: parts.filter(({ part }) => part.finished).map(({ part }) => part.versionId),
    hidden: hidden.map(({ part }) => part.versionId),
    replaced: hidden.flatMap(({ liveVersionId }) => liveVersionId ?? []),
  });
  const shown = parts.flatMap(({ part: { versionId, chunks, finished }, state, chunkCount }) => {
    if (state === "live") {
      return chunks.length === 0 ? [] : [{ versionId, inGraph: chunkCount - chunks.length, chunkCount }];
    }
    return finished ? [{ versionId, inGraph: 0, chunkCount }] : [];
  });
  await listChanges(db, project.projectId, { shown, removed: [] });
}

/** The counts of chunks, before the jobs end: the events for webhooks quote the counts of the job's row. */
async function updateJobs(db: Database, input: CommitBatch, parts: readonly OpenPart[]): Promise<void> {
  for (const { part, seq } of parts) await advanceJob(db, input, { part, seq });
  await touchDocuments(db, {
    projectId: input.projectId,
    sourceDocIds: parts.filter(({ part }) => part.finished).map(({ sourceDocId }) => sourceDocId),
    now: input.now,
  });
}

/** Adds to the job's counts and renews its lease. A batch with chunks sets the attempts back to zero. */
async function advanceJob(
  db: Database,
  input: CommitBatch,
  { part, seq }: { part: CommittedPart; seq: number },
): Promise<void> {
  await db
    .updateTable("jobs")
    .set((eb) => ({
      chunks_processed: eb("chunks_processed", "+", part.chunks.length),
      chunks_total: part.chunksTotal ?? eb.ref("chunks_total"),
      attempts: part.chunks.length > 0 ? 0 : eb.ref("attempts"),
      ready_at: input.leaseUntil,
    }))
    .where("project_id", "=", input.projectId)
    .where("seq", "=", seq)
    .execute();
}

async function charge(
  db: Database,
  { parts, now }: CommitBatch,
  { project, charge: due }: LockedBatch,
): Promise<void> {
  await addTokens(db, due);
  const { accountId, projectId } = project;
  const chunks = parts.reduce((sum, part) => sum + part.chunks.length, 0);
  await addUsage(db, { accountId, projectId, now, tokens: due.tokens, documents: 0, chunks });
}
