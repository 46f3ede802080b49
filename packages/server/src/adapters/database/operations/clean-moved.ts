/** Removes in small steps what moves to other embedding spaces leave behind. */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { ReembeddingRow } from "../reembed-schema.ts";
import type { Database } from "../schema.ts";
import { matchesKey } from "./chunk-keys.ts";
import { type LockedProject, tryLockProject } from "./project-row.ts";
import { cleanupNow } from "./reembeddings.ts";
import { removeSegments } from "./segment-rows.ts";
import { isUpkeepDueAt, maxUpkeepWaitMs } from "./stray-times.ts";

/** Limits of one step, which reads and writes a few megabytes. */
const maxSegments = 16;
const maxVectors = 256;
const maxChunks = 128;
/** How many projects are tried until one is found that no other transaction has locked. */
const maxCandidates = 5;

/**
 * One step for the project that is due longest. First removes segments and vectors that belong neither to the project's vector
 * set nor to a staged one; then copies the project's moved vectors into the rows of its chunks; when all are copied, removes
 * them from `moved_vectors`. A chunk has the same vector before and after each step. True when more steps may be needed.
 */
export async function cleanMoved(db: Database, now: number): Promise<boolean> {
  const due = await db
    .selectFrom("reembeddings")
    .select("project_id")
    .where("cleanup_at", "is not", null)
    .where(isUpkeepDueAt(sql.ref("cleanup_at"), now))
    .orderBy("cleanup_at")
    .orderBy("project_id")
    .limit(maxCandidates)
    .execute();
  const project = await lockFirst(db, due);
  if (project === null) return false;
  const row = await db
    .selectFrom("reembeddings")
    .selectAll()
    .where("project_id", "=", project.projectId)
    .where(isUpkeepDueAt(sql.ref("cleanup_at"), now))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return true;
  const staged = await findStagedSet(db, row, now);
  const kept = [project.vectorSet, staged ?? project.vectorSet];
  if (await dropSegments(db, project, kept)) return true;
  if (await dropVectors(db, project, sql`vector_set not in (${sql.join(kept)})`)) return true;
  if (await copyVectors(db, project, row)) return true;
  // The staged vectors of a failed move are kept until their own time.
  await db
    .updateTable("reembeddings")
    .set({ cleanup_at: staged === null ? null : row.staged_until })
    .where("project_id", "=", project.projectId)
    .execute();
  return true;
}

async function lockFirst(
  db: Database,
  due: readonly { readonly project_id: string }[],
): Promise<LockedProject | null> {
  for (const { project_id: projectId } of due) {
    const project = await tryLockProject(db, projectId);
    if (project !== null) return project;
  }
  return null;
}

/** The vector set that is being staged, or that a failed move keeps; null once that has expired. Also marks the row as due at once. */
async function findStagedSet(db: Database, row: ReembeddingRow, now: number): Promise<number | null> {
  const isExpired =
    row.staged_until !== null && (row.staged_until <= now || row.staged_until > now + maxUpkeepWaitMs);
  // A cleanup that has started is finished before those that wait for their time.
  await db
    .updateTable("reembeddings")
    .set({ cleanup_at: cleanupNow, ...(isExpired ? { staged_set: null, staged_until: null } : {}) })
    .where("project_id", "=", row.project_id)
    .execute();
  return isExpired ? null : row.staged_set;
}

async function dropSegments(
  db: Database,
  { projectId }: LockedProject,
  kept: readonly number[],
): Promise<boolean> {
  const rows = await db
    .selectFrom("segments")
    .select("segment_id")
    .where("project_id", "=", projectId)
    .where("vector_set", "not in", kept)
    .orderBy("segment_id")
    .limit(maxSegments)
    .execute();
  if (rows.length === 0) return false;
  await removeSegments(
    db,
    projectId,
    rows.map((row) => row.segment_id),
  );
  return true;
}

async function dropVectors(
  db: Database,
  { projectId }: LockedProject,
  condition: ReturnType<typeof sql>,
): Promise<boolean> {
  const { rows } = await sql`
    delete from moved_vectors where project_id = ${projectId} and (vector_set, content_hash) in (
      select vector_set, content_hash from moved_vectors where project_id = ${projectId} and ${condition}
      order by vector_set, content_hash limit ${sql.lit(maxVectors)})
    returning vector_set`.execute(db);
  return rows.length > 0;
}

/** False when every vector of the project is in its chunk's row. */
async function copyVectors(db: Database, project: LockedProject, row: ReembeddingRow): Promise<boolean> {
  const { projectId, vectorSet } = project;
  const isOwn = sql`vector_set = ${vectorSet}`;
  const { rows: left } = await sql`select 1 from moved_vectors
    where project_id = ${projectId} and ${isOwn} limit 1`.execute(db);
  if (left.length === 0) return false;
  const keys = await chunksFrom(db, row);
  const last = keys.at(-1);
  if (last === undefined) return dropVectors(db, project, isOwn);
  const moved = sql`from moved_vectors as m where m.project_id = ${projectId}
    and m.vector_set = ${vectorSet} and m.content_hash = chunks.content_hash`;
  await sql`update chunks set vector = (select m.vector ${moved})
    where project_id = ${projectId} and ${matchesKey("chunks", keys)} and exists (select 1 ${moved})`.execute(
    db,
  );
  await db
    .updateTable("reembeddings")
    .set({ cleanup_version: last.versionId, cleanup_position: last.position + 1 })
    .where("project_id", "=", projectId)
    .execute();
  return true;
}

async function chunksFrom(db: Database, row: ReembeddingRow): Promise<readonly ChunkKey[]> {
  const { rows } = await sql<{ version_id: number; position: number }>`
    select version_id, position from chunks
    where project_id = ${row.project_id}
      and (version_id, position) >= (${row.cleanup_version}, ${row.cleanup_position})
    order by version_id, position limit ${sql.lit(maxChunks)}`.execute(db);
  return rows.map((found) => ({ versionId: found.version_id, position: found.position }));
}
