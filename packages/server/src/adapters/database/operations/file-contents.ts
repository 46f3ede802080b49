/** The contents of files: received in pieces, kept while a version has them, removed in steps. */
import { type SqlBool, sql } from "kysely";
import type { FileStore, ReceivedContent } from "../../../ports/file-store.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { padded, partsOf } from "./bulk.ts";
import { type Row, selectFor } from "./graph-sql.ts";
import { type LockedProject, lockProject, tryLockProject } from "./project-row.ts";
import { maxUpkeepWaitMs } from "./stray-times.ts";

/** Longer than any request or conversion takes. */
const stagedLifeMs = 60 * 60_000;
/** Of 1 MiB each. */
const maxPieces = 4;
const maxCandidates = 5;
/** Contents in one statement. */
const maxListed = 500;

/** The first condition is that of the partial index, a literal. The last one: the clock was set back. */
export function isLeftContent(now: number) {
  return sql<SqlBool>`state <> 'kept' and (state = 'removed' or created_at <= ${now - stagedLifeMs}
    or created_at > ${now + maxUpkeepWaitMs})`;
}

type Input<Name extends keyof FileStore> = Parameters<FileStore[Name]>[0];

export async function appendFilePiece(
  db: Database,
  input: Input<"appendFilePiece">,
): ReturnType<FileStore["appendFilePiece"]> {
  const { projectId, accountId, contentId, position, bytes, maxStoredBytes } = input;
  const project = await lockProject(db, projectId);
  if (project === null || project.accountId !== accountId) return "project_gone";
  const account = await lockAccount(db, accountId);
  if (maxStoredBytes !== null && account.stored_bytes + bytes.length > maxStoredBytes)
    return "too_many_bytes";
  const size = bytes.length;
  if (!(await countPiece(db, input, size))) return "project_gone";
  if (size > 0)
    await db
      .insertInto("file_pieces")
      .values({ project_id: projectId, content_id: contentId, position, bytes })
      .execute();
  await changeAccount(db, accountId, { storedBytes: size });
  return "appended";
}

/** False where the content takes no more pieces: a piece that comes late must not begin it again. */
async function countPiece(
  db: Database,
  { projectId, contentId, position, now }: Input<"appendFilePiece">,
  size: number,
): Promise<boolean> {
  if (position === 0) {
    const begun = { project_id: projectId, content_id: contentId, sha256: null, created_at: now };
    const row = { ...begun, state: "staged" as const, byte_length: size };
    await db.insertInto("file_contents").values(row).execute();
    return true;
  }
  const { numUpdatedRows } = await db
    .updateTable("file_contents")
    .set((eb) => ({ byte_length: eb("byte_length", "+", size) }))
    .where("project_id", "=", projectId)
    .where("content_id", "=", contentId)
    .where("state", "=", "staged")
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function discardContents(db: Database, input: Input<"discardContents">): Promise<boolean> {
  const { projectId, contentIds } = input;
  const project = await lockProject(db, projectId);
  if (project === null || contentIds.length === 0) return false;
  const bytes = await dropContents(db, projectId, contentIds);
  if (bytes > 0) await changeAccount(db, project.accountId, { storedBytes: -bytes });
  const removed = await db
    .selectFrom("file_contents")
    .select("content_id")
    .where("project_id", "=", projectId)
    .where("content_id", "in", padded(contentIds))
    .where("state", "=", "removed")
    .limit(maxCandidates)
    // Before its pieces, as upkeep does.
    .forUpdate()
    .execute();
  const [first] = removed;
  if (first === undefined) return false;
  const isGone = await removeStep(db, { projectId, contentId: first.content_id });
  return !isGone || removed.length > 1;
}

export async function readFilePiece(db: Database, input: Input<"readFilePiece">): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("file_pieces")
    .select("bytes")
    .where("project_id", "=", input.projectId)
    .where("content_id", "=", input.contentId)
    .where("position", "=", input.position)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

/**
 * Keeps received contents for versions that are about to be written. Returns the ids of the contents that these have: one
 * with the same hash, if the project has it already. The caller holds the project's lock, and charges the account for the bytes
 * that are returned.
 */
export async function keepContents(
  db: Database,
  projectId: string,
  contents: readonly ReceivedContent[],
): Promise<{ readonly contentIds: readonly string[]; readonly freedBytes: number }> {
  const bySha = new Map<string, string>();
  for (const part of partsOf(contents, maxListed)) {
    const kept = await db
      .selectFrom("file_contents")
      .select(["content_id", "sha256"])
      .where("project_id", "=", projectId)
      .where("sha256", "in", padded(part.map(({ sha256 }) => sha256)))
      .where(sql<SqlBool>`state = 'kept'`)
      .execute();
    for (const row of kept) bySha.set(row.sha256 ?? "", row.content_id);
  }
  const added: ReceivedContent[] = [];
  for (const content of contents) {
    if (bySha.has(content.sha256)) continue;
    bySha.set(content.sha256, content.contentId);
    added.push(content);
  }
  const rows = await selectFor<{ content_id: string }>(db, {
    columns: { added: "text", hash: "text", size: "bigint" },
    rows: added.map(({ contentId, sha256, byteLength }): Row => [contentId, sha256, byteLength]),
    query: sql`update file_contents set state = 'kept', sha256 = keys.hash from keys
      where project_id = ${projectId} and content_id = keys.added and state = 'staged' and byte_length = keys.size
      returning content_id`,
  });
  if (rows.length !== added.length) throw new Error("A content that was received is not stored any more");
  const contentIds = contents.map(({ contentId, sha256 }) => bySha.get(sha256) ?? contentId);
  const others = contents.flatMap(({ contentId }, at) => (contentIds[at] === contentId ? [] : [contentId]));
  return { contentIds, freedBytes: await dropContents(db, projectId, others) };
}

/**
 * Lists contents that no version has for removal, and returns how many bytes the account no longer stores. The caller holds the
 * project's lock.
 */
export async function dropContents(
  db: Database,
  projectId: string,
  contentIds: readonly string[],
): Promise<number> {
  let freed = 0;
  for (const part of partsOf([...new Set(contentIds)], maxListed))
    freed += await dropPart(db, projectId, part);
  return freed;
}

async function dropPart(db: Database, projectId: string, contentIds: readonly string[]): Promise<number> {
  const unused = await db
    .selectFrom("file_contents as c")
    .select(["c.content_id", "c.byte_length"])
    .where("c.project_id", "=", projectId)
    .where("c.content_id", "in", padded(contentIds))
    .where("c.state", "<>", "removed")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("version_files as f")
            .select("f.version_id")
            .whereRef("f.project_id", "=", "c.project_id")
            .whereRef("f.content_id", "=", "c.content_id"),
        ),
      ),
    )
    .execute();
  if (unused.length === 0) return 0;
  await db
    .updateTable("file_contents")
    .set({ state: "removed", sha256: null, byte_length: 0 })
    .where("project_id", "=", projectId)
    .where("content_id", "in", padded(unused.map((row) => row.content_id)))
    .execute();
  return unused.reduce((sum, row) => sum + row.byte_length, 0);
}

/**
 * One step for a content that no version has: it is listed for removal, or its next pieces are removed, and in the end its row. Only
 * the first needs the project, which others may hold. True when more may be left.
 */
export async function removeLeftContents(db: Database, now: number): Promise<boolean> {
  const removed = await db
    .selectFrom("file_contents")
    .select(["project_id", "content_id"])
    .where(sql<SqlBool>`state <> 'kept' and state = 'removed'`)
    .orderBy("created_at")
    .limit(maxCandidates)
    .execute();
  for (const { project_id: projectId, content_id: contentId } of removed) {
    const free = await db
      .selectFrom("file_contents")
      .select("content_id")
      .where("project_id", "=", projectId)
      .where("content_id", "=", contentId)
      .where("state", "=", "removed")
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (free === undefined) continue;
    await removeStep(db, { projectId, contentId });
    return true;
  }
  const left = await db
    .selectFrom("file_contents")
    .select(["project_id", "content_id"])
    .where(isLeftContent(now))
    .where("state", "=", "staged")
    .orderBy("created_at")
    .limit(maxCandidates)
    .execute();
  for (const { project_id: projectId, content_id: contentId } of left) {
    const project = await tryLockProject(db, projectId);
    if (project === null) continue;
    const freed = await dropContents(db, projectId, [contentId]);
    await changeAccount(db, project.accountId, { storedBytes: -freed });
    return true;
  }
  return false;
}

/** The next pieces of a removed content, and in the end its row. True when nothing of it is left. */
async function removeStep(
  db: Database,
  { projectId, contentId }: { readonly projectId: string; readonly contentId: string },
): Promise<boolean> {
  const pieces = await removePieces(db, projectId, sql`content_id = ${contentId}`);
  if (pieces === maxPieces) return false;
  await db
    .deleteFrom("file_contents")
    .where("project_id", "=", projectId)
    .where("content_id", "=", contentId)
    .where("state", "=", "removed")
    .execute();
  return true;
}

/** Returns the number of removed pieces. */
async function removePieces(
  db: Database,
  projectId: string,
  of: ReturnType<typeof sql> = sql`1 = 1`,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from file_pieces where project_id = ${projectId} and (content_id, position) in (
      select content_id, position from file_pieces where project_id = ${projectId} and ${of}
      limit ${sql.lit(maxPieces)})`.execute(db);
  return Number(numAffectedRows);
}

/** A step for a deleted project: pieces, then contents, whose bytes its account has to use again. True when nothing is left. */
export async function clearContents(
  db: Database,
  { projectId, accountId }: Pick<LockedProject, "projectId" | "accountId">,
  limit: number,
): Promise<boolean> {
  if ((await removePieces(db, projectId)) === maxPieces) return false;
  const { rows } = await sql<{ byte_length: number }>`
    delete from file_contents where project_id = ${projectId} and content_id in (
      select content_id from file_contents where project_id = ${projectId} limit ${limit})
    returning byte_length`.execute(db);
  await changeAccount(db, accountId, {
    storedBytes: -rows.reduce((sum, row) => sum + row.byte_length, 0),
  });
  return rows.length < limit;
}
