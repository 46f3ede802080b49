/** Versions of documents: removed, made live, and found. */
import { type SqlBool, sql } from "kysely";
import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { padded, partsOf } from "./bulk.ts";
import { changeProject, type LockedProject } from "./project-row.ts";
import { removeSegments } from "./segment-rows.ts";
import { listChanges } from "./version-changes.ts";
import { dropFiles } from "./version-files.ts";

/** Parameters in one `in (…)` list. */
const maxListed = 500;
/** The condition of the index of live versions: a literal, because SQLite does not use a partial index for a parameter. */
export const isLive = sql<SqlBool>`state = 'live'`;

/**
 * Removes versions of a locked project from everything that is read, and lists them: `applyChanges` then takes their facts out of
 * the graph and deletes their chunks and texts. Their chunks in segments become tombstones, which a merge drops; a segment with
 * nothing else is removed at once.
 */
export async function removeVersions(
  db: Database,
  project: LockedProject,
  versionIds: readonly number[],
): Promise<void> {
  if (versionIds.length === 0) return;
  const { projectId } = project;
  const removed = await db
    .deleteFrom("document_versions")
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .returning(["version_id", "state", "byte_length", "chunk_count"])
    .execute();
  await listChanges(db, projectId, { shown: [], removed });
  const removedSegments = await markDeadInSegments(db, project, versionIds);
  await changeProject(db, projectId, {
    segmentCount: -removedSegments,
    index: removed.some((row) => row.chunk_count > 0),
  });
  const fileBytes = await dropFiles(db, projectId, versionIds);
  await changeAccount(db, project.accountId, {
    storedBytes: -removed.reduce((sum, row) => sum + row.byte_length, fileBytes),
  });
}

/** Removes all versions of a document. */
export async function removeDocumentVersions(
  db: Database,
  project: LockedProject,
  sourceDocId: string,
): Promise<void> {
  const versions = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", project.projectId)
    .where("source_doc_id", "=", sourceDocId)
    .orderBy("version_id")
    .execute();
  for (const part of partsOf(versions, maxListed)) {
    await removeVersions(
      db,
      project,
      part.map((version) => version.version_id),
    );
  }
}

/** Marks versions as dead in all segments, listed or staged. Returns how many listed segments had nothing else and were removed. */
async function markDeadInSegments(
  db: Database,
  { projectId, vectorSet }: LockedProject,
  versionIds: readonly number[],
): Promise<number> {
  const marked = await db
    .updateTable("segment_documents")
    .set({ state: "dead" })
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .returning(["segment_id", "chunk_count"])
    .execute();
  const deadBySegment = new Map<number, number>();
  for (const row of marked) {
    deadBySegment.set(row.segment_id, (deadBySegment.get(row.segment_id) ?? 0) + row.chunk_count);
  }
  let removedListed = 0;
  for (const [segmentId, dead] of deadBySegment) {
    const segment = await db
      .updateTable("segments")
      .set((eb) => ({ dead_chunk_count: eb("dead_chunk_count", "+", dead) }))
      .where("project_id", "=", projectId)
      .where("segment_id", "=", segmentId)
      .returning(["chunk_count", "dead_chunk_count", "vector_set"])
      .executeTakeFirstOrThrow();
    if (segment.dead_chunk_count < segment.chunk_count) continue;
    await removeSegments(db, projectId, [segmentId]);
    if (segment.vector_set === vectorSet) removedListed += 1;
  }
  return removedListed;
}

/**
 * Makes finished versions live: removes the versions that they replace, and shows the chunks of those that were staged (`hidden`).
 * The graph follows with `applyChanges`.
 */
export async function switchVersions(
  db: Database,
  project: LockedProject,
  {
    finished,
    hidden,
    replaced,
  }: { finished: readonly number[]; hidden: readonly number[]; replaced: readonly number[] },
): Promise<void> {
  if (finished.length === 0) return;
  const { projectId } = project;
  await removeVersions(db, project, replaced);
  await db
    .updateTable("document_versions")
    .set({ state: "live", complete: 1 })
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(finished))
    .execute();
  if (hidden.length === 0) return;
  await db
    .updateTable("segment_documents")
    .set({ state: "live" })
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(hidden))
    .execute();
  await changeProject(db, projectId, { index: true });
}

/** The live versions of these documents, by document; `areWhole`: only those that queries see as a whole. */
export async function findLiveVersions(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
  { areWhole = false }: { readonly areWhole?: boolean } = {},
): Promise<ReadonlyMap<string, number>> {
  if (sourceDocIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("document_versions")
    .select(["source_doc_id", "version_id"])
    .where("project_id", "=", projectId)
    .where("source_doc_id", "in", padded(sourceDocIds))
    .where(isLive)
    .$if(areWhole, (whole) => whole.where("complete", "=", 1))
    .execute();
  return new Map(rows.map((row) => [row.source_doc_id, row.version_id]));
}
