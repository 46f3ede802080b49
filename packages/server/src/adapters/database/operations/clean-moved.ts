/** What moves to other vector spaces leave behind, cleaned up by small steps. */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { ReembeddingRow } from "../reembed-schema.ts";
import type { Database } from "../schema.ts";
import { matchesKey } from "./index.ts";
import { type LockedProject, tryLockProject } from "./project-row.ts";
import { removeSegments } from "./version-rows.ts";

/** Segments, vectors and chunks of one step: some megabytes. */
const maxSegments = 16;
const maxVectors = 256;
const maxChunks = 128;
/** How many are tried for one whose project nobody has locked. */
const maxCandidates = 5;

/**
 * One step for the project whose turn it is: removes segments and vectors that are neither the project's nor being staged; then
 * puts the project's own vectors into its chunks' rows, and when all are there removes them here. A chunk has the same vector
 * before and after each step. True when there may be more to do.
 */
export async function cleanMoved(db: Database, now: number): Promise<boolean> {
  const due = await db
    .selectFrom("reembeddings")
    .select("project_id")
    .where("cleanup_at", "is not", null)
    .where("cleanup_at", "<=", now)
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
    .where("cleanup_at", "<=", now)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return true;
  const staged = await keptSet(db, row, now);
  const kept = [project.vectorSet, staged ?? project.vectorSet];
  if (await dropSegments(db, project, kept)) return true;
  if (await dropVectors(db, sql`project_id = ${project.projectId} and vector_set not in (${sql.join(kept)})`))
    return true;
  if (await settleVectors(db, project, row)) return true;
  // What a failed move has left has its own time.
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

/** The number of the vectors that are being staged or wait to be gone on with; given up once their time is over. */
async function keptSet(db: Database, row: ReembeddingRow, now: number): Promise<number | null> {
  const isOver = row.staged_until !== null && row.staged_until <= now;
  // Once it is begun, it is gone on with before those that wait for their time.
  await db
    .updateTable("reembeddings")
    .set({ cleanup_at: 0, ...(isOver ? { staged_set: null, staged_until: null } : {}) })
    .where("project_id", "=", row.project_id)
    .execute();
  return isOver ? null : row.staged_set;
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

async function dropVectors(db: Database, which: ReturnType<typeof sql>): Promise<boolean> {
  const { rows } = await sql`
    delete from moved_vectors where (project_id, vector_set, content_hash) in (
      select project_id, vector_set, content_hash from moved_vectors where ${which}
      order by vector_set, content_hash limit ${sql.lit(maxVectors)})
    returning vector_set`.execute(db);
  return rows.length > 0;
}

/** False when no chunk's vector is elsewhere than in its row any more. */
async function settleVectors(db: Database, project: LockedProject, row: ReembeddingRow): Promise<boolean> {
  const { projectId, vectorSet } = project;
  const isOwn = sql`project_id = ${projectId} and vector_set = ${vectorSet}`;
  const { rows: left } = await sql`select 1 from moved_vectors where ${isOwn} limit 1`.execute(db);
  if (left.length === 0) return false;
  const keys = await chunksFrom(db, row);
  const last = keys.at(-1);
  if (last === undefined) return dropVectors(db, isOwn);
  const moved = sql`from moved_vectors as m where m.project_id = chunks.project_id
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
