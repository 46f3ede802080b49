/** Jobs whose text is made from a file: claimed, and ended with the text, with the jobs of an archive's members, or a failure. */
import { type SqlBool, sql } from "kysely";
import { ADDRESS_MEDIA_TYPE } from "../../../domain/file.ts";
import type { ClaimedConversion, ConversionOutcome, FileStore, NewFile } from "../../../ports/file-store.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { padded, partsOf } from "./bulk.ts";
import { isDue, isOnly, isUnread, listCandidates } from "./conversion-candidates.ts";
import { clearDeletedProject } from "./deleted-projects.ts";
import { addedBytes, removeDocument } from "./document-rows.ts";
import { decodeMetadata, encodeMetadata, encodeText } from "./encoding.ts";
import { dropContents, keepContents } from "./file-contents.ts";
import { finishJobs } from "./finish-jobs.ts";
import { insertFiles } from "./insert-documents.ts";
import { afterPause, pauseAfter } from "./interruptions.ts";
import { isUnfinished } from "./job-rows.ts";
import { type LockedProject, lockProject, tryLockProject } from "./project-row.ts";
import { addUsage } from "./usage.ts";
import { applyChanges } from "./version-changes.ts";
import { encodePages } from "./version-files.ts";
import { removeDocumentVersions, removeVersions } from "./version-rows.ts";

/** Versions that one failure removes: more than one were left only before failures removed any. */
const maxRemoved = 64;
/** Members in one `in (…)` list. */
const maxListed = 500;
type Input<Name extends keyof FileStore> = Parameters<FileStore[Name]>[0];

export async function nextConversion(db: Database, input: Input<"nextConversion">) {
  return { readyNow: (await listCandidates(db, input)).length > 0 };
}

export async function claimConversion(
  db: Database,
  input: Input<"claimConversion">,
): Promise<ClaimedConversion | null> {
  const candidates = await listCandidates(db, input);
  for (const projectId of candidates) {
    const project = await tryLockProject(db, projectId);
    if (project !== null) return takeJob(db, project, input);
    const accountId = await clearDeletedProject(db, projectId);
    if (accountId === null) continue;
    // The step holds rows of the account, so that nothing is waited for.
    await markServed(db, accountId);
    return null;
  }
  // Commits may hold a project most of the time.
  const [first] = candidates;
  const project = first === undefined ? null : await lockProject(db, first);
  return project === null ? null : takeJob(db, project, input);
}

async function takeJob(
  db: Database,
  { projectId, accountId }: LockedProject,
  { now, leaseToken, leaseUntil, only }: Input<"claimConversion">,
): Promise<ClaimedConversion | null> {
  const row = await db
    .selectFrom("jobs as j")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    .innerJoin("version_files as f", (join) =>
      join.onRef("f.project_id", "=", "j.project_id").onRef("f.version_id", "=", "j.version_id"),
    )
    .select(["j.seq", "j.job_id", "j.source_doc_id", "j.attempts", "j.convert_token", "j.started_at"])
    .select(["v.metadata", "f.content_id", "f.name", "f.byte_length", "f.is_member", "f.media_type"])
    .where("j.account_id", "=", accountId)
    .where("j.project_id", "=", projectId)
    .where(isUnread)
    .where(isDue(now))
    .where(isOnly(only))
    .orderBy("j.convert_at")
    .orderBy("j.seq")
    .limit(1)
    .forUpdate("j")
    .executeTakeFirst();
  if (row === undefined) return null;
  // A lease that has ended means that the worker died during an attempt.
  const attempts = row.attempts + (row.convert_token === null ? 0 : 1);
  const startedAt = row.started_at ?? now;
  await db
    .updateTable("jobs")
    .set({
      status: "running",
      started_at: startedAt,
      attempts,
      convert_token: leaseToken,
      convert_at: leaseUntil + pauseAfter(attempts),
    })
    .where("project_id", "=", projectId)
    .where("seq", "=", row.seq)
    .execute();
  await markServed(db, accountId);
  return {
    jobId: row.job_id,
    projectId,
    accountId,
    sourceDocId: row.source_doc_id,
    metadata: decodeMetadata(row.metadata),
    contentId: row.content_id,
    name: row.name,
    byteLength: row.byte_length,
    isMember: row.is_member === 1,
    isAddress: row.media_type === ADDRESS_MEDIA_TYPE,
    attempts,
    startedAt,
  };
}

/** Makes the account the last in turn. */
async function markServed(db: Database, accountId: string): Promise<void> {
  const last = sql<number>`(select coalesce(max(converted_at), 0) + 1 from account_state where pending_jobs > 0)`;
  await db
    .updateTable("account_state")
    .set({ converted_at: last })
    .where("account_id", "=", accountId)
    .execute();
}

export async function renewConversion(db: Database, input: Input<"renewConversion">): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ convert_at: afterPause(input.leaseUntil) })
    .where("convert_token", "=", input.leaseToken)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface HeldJob {
  readonly project: LockedProject;
  readonly seq: number;
  readonly sourceDocId: string;
  readonly versionId: number;
}

/** The project's row is locked before the lease is checked, so that a deleted project stays deleted. */
async function lockHeld(
  db: Database,
  input: { readonly projectId: string; readonly jobId: string; readonly leaseToken: string },
): Promise<HeldJob | null> {
  const project = await lockProject(db, input.projectId);
  if (project === null) return null;
  const row = await db
    .selectFrom("jobs")
    .select(["seq", "source_doc_id", "version_id"])
    .where("project_id", "=", input.projectId)
    .where("job_id", "=", input.jobId)
    .where("convert_token", "=", input.leaseToken)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return null;
  return { project, seq: row.seq, sourceDocId: row.source_doc_id, versionId: row.version_id };
}

export async function storePage(db: Database, input: Input<"storePage">): ReturnType<FileStore["storePage"]> {
  const held = await lockHeld(db, input);
  if (held === null) return "lease_lost";
  const { projectId, accountId } = held.project;
  const { content } = input;
  const file = db
    .updateTable("version_files")
    .where("project_id", "=", projectId)
    .where("version_id", "=", held.versionId);
  const { content_id: address } = await db
    .selectFrom("version_files")
    .select("content_id")
    .where("project_id", "=", projectId)
    .where("version_id", "=", held.versionId)
    .executeTakeFirstOrThrow();
  const kept = await keepContents(db, projectId, [content]);
  const [contentId = content.contentId] = kept.contentIds;
  await file.set({ content_id: contentId, media_type: null, byte_length: content.byteLength }).execute();
  await db
    .updateTable("jobs")
    .set({ is_page: 0 })
    .where("project_id", "=", projectId)
    .where("seq", "=", held.seq)
    .execute();
  const freed = await dropContents(db, projectId, [address]);
  await changeAccount(db, accountId, { storedBytes: -freed - kept.freedBytes });
  return "stored";
}

export async function storeConversion(
  db: Database,
  input: Input<"storeConversion">,
): Promise<ConversionOutcome> {
  const held = await lockHeld(db, input);
  if (held === null) return "lease_lost";
  const { projectId, accountId } = held.project;
  const text = encodeText(input.text);
  const metadata = encodeMetadata(input.metadata);
  const pages = encodePages(input.pages);
  const byteLength = text.byteLength + Buffer.byteLength(metadata ?? "") + (pages?.byteLength ?? 0);
  const key = { project_id: projectId, version_id: held.versionId };
  const version = db.updateTable("document_versions").where("project_id", "=", projectId);
  const { byte_length: before } = await db
    .selectFrom("document_versions")
    .select("byte_length")
    .where("project_id", "=", projectId)
    .where("version_id", "=", held.versionId)
    .executeTakeFirstOrThrow();
  const account = await lockAccount(db, accountId);
  const { maxStoredBytes } = input;
  // Before the first write: an outcome that is returned does not roll back what was written.
  if (maxStoredBytes !== null && account.stored_bytes + byteLength - before > maxStoredBytes)
    return "too_many_bytes";
  await db
    .insertInto("version_texts")
    .values({ ...key, encoding: text.encoding, bytes: text.bytes })
    .execute();
  await version
    .set({ text_hash: text.hash, byte_length: byteLength, metadata })
    .where("version_id", "=", held.versionId)
    .execute();
  await db
    .updateTable("version_files")
    .set({ media_type: input.mediaType, pages })
    .where("project_id", "=", projectId)
    .where("version_id", "=", held.versionId)
    .execute();
  await db
    .updateTable("jobs")
    .set({
      ...{ status: "pending", queue_state: "ready", convert_at: null, convert_token: null, attempts: 0 },
      // A job waits for a provider for as long from its start as a text would.
      started_at: null,
    })
    .where("project_id", "=", projectId)
    .where("seq", "=", held.seq)
    .execute();
  await changeAccount(db, accountId, { storedBytes: byteLength - before });
  return "stored";
}

export async function acceptMembers(db: Database, input: Input<"acceptMembers">): Promise<ConversionOutcome> {
  const held = await lockHeld(db, input);
  if (held === null) return "lease_lost";
  const { accountId, projectId } = held.project;
  const account = await lockAccount(db, accountId);
  const { maxPendingJobs, maxStoredBytes, now } = input;
  const members = await withoutReplaced(db, held, input.members);
  if (maxPendingJobs !== null && account.pending_jobs - 1 + members.length > maxPendingJobs)
    return "too_many_pending";
  const archive = await db
    .selectFrom("document_versions")
    .select(["metadata", "byte_length"])
    .where("project_id", "=", projectId)
    .where("version_id", "=", held.versionId)
    .executeTakeFirstOrThrow();
  const { metadata } = archive;
  // Each member has it, and the archive goes.
  const added = await addedBytes(db, projectId, members);
  const byteLength = (members.length - 1) * archive.byte_length + added;
  if (maxStoredBytes !== null && account.stored_bytes + byteLength > maxStoredBytes) return "too_many_bytes";
  const files = members.map((member) => ({ ...member, metadata, isMember: true }));
  const place = { project: held.project, firstSeq: account.next_seq, addedBytes: added, now };
  if (files.length > 0) await insertFiles(db, { ...place, files, archive: held });
  await removeArchive(db, held);
  await finishJobs(db, held.project, {
    jobs: [{ seq: held.seq, sourceDocId: held.sourceDocId, chunksProcessed: null }],
    now,
    errorMessage: null,
  });
  await applyChanges(db, held.project, now);
  await addUsage(db, { accountId, projectId, now, tokens: 0, documents: members.length, chunks: 0 });
  return "stored";
}

/** The members whose documents were not sent again after the archive, or whose last job since has failed or was cancelled. */
async function withoutReplaced(
  db: Database,
  { project, seq }: HeldJob,
  members: readonly NewFile[],
): Promise<readonly NewFile[]> {
  const replaced = new Set<string>();
  for (const part of partsOf(members, maxListed)) {
    const ids = part.map(({ sourceDocId }) => sourceDocId);
    const rows = await db
      .selectFrom("documents as d")
      .leftJoin("jobs as j", (join) =>
        join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
      )
      .select("d.source_doc_id")
      .where("d.project_id", "=", project.projectId)
      .where("d.source_doc_id", "in", padded(ids))
      .where(({ fn, eb }) => eb(fn.coalesce("d.archive_seq", "d.job_seq"), ">", seq))
      .where(sql<SqlBool>`coalesce(j.status, '') <> 'failed'`)
      .execute();
    for (const row of rows) replaced.add(row.source_doc_id);
  }
  return members.filter(({ sourceDocId }) => !replaced.has(sourceDocId));
}

/** The document of an archive has no text. A later job of it that waits keeps its row and its visible version. */
async function removeArchive(db: Database, { project, seq, sourceDocId, versionId }: HeldJob): Promise<void> {
  const { projectId } = project;
  const counted = await removeDocument(db, { projectId, sourceDocId, seq });
  if (counted === null) return removeVersions(db, project, [versionId]);
  await changeAccount(db, project.accountId, { storedBytes: -counted });
  // Versions of earlier jobs that failed among them: without the document, nothing else would remove them.
  await removeDocumentVersions(db, project, sourceDocId);
}

export async function failConversion(db: Database, input: Input<"failConversion">): Promise<void> {
  const held = await lockHeld(db, input);
  if (held === null) return;
  const { project, seq, sourceDocId } = held;
  if (input.retryAt === null) {
    await removeFailedVersions(db, held);
    await finishJobs(db, project, {
      jobs: [{ seq, sourceDocId, chunksProcessed: null }],
      now: input.now,
      errorMessage: input.errorMessage,
    });
    await applyChanges(db, project, input.now);
    return;
  }
  await db
    .updateTable("jobs")
    .set((eb) => ({
      convert_at: input.retryAt,
      convert_token: null,
      // What is given back without a fault waits again.
      ...(input.countAttempt ? {} : { status: "pending" }),
      attempts: eb("attempts", "+", input.countAttempt ? 1 : 0),
    }))
    .where("project_id", "=", project.projectId)
    .where("seq", "=", seq)
    .execute();
}

/** Of earlier jobs of the document. Its next ingest would remove them, but files that are sent again and again may never have a text. */
async function removeFailedVersions(
  db: Database,
  { project, sourceDocId, versionId }: HeldJob,
): Promise<void> {
  const { projectId } = project;
  const failed = await db
    .selectFrom("document_versions as v")
    .leftJoin("jobs as j", (join) =>
      join
        .onRef("j.project_id", "=", "v.project_id")
        .onRef("j.version_id", "=", "v.version_id")
        .on(isUnfinished),
    )
    .select("v.version_id")
    .where("v.project_id", "=", projectId)
    .where("v.source_doc_id", "=", sourceDocId)
    .where("v.version_id", "<", versionId)
    .where("v.state", "<>", "live")
    .where("j.seq", "is", null)
    .limit(maxRemoved)
    .execute();
  await removeVersions(
    db,
    project,
    failed.map((row) => row.version_id),
  );
}
