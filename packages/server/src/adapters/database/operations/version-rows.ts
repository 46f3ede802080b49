/** Versions of documents: removed, made live, and found. */
import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { padded } from "./bulk.ts";
import { removeEvidence } from "./graph-evidence.ts";
import { changeGraph } from "./graph-ledger.ts";
import { removePassages, showPassages } from "./graph-passages.ts";
import { changeProject, type LockedProject } from "./project-row.ts";
import { removeSegments } from "./segment-rows.ts";

/**
 * Removes versions of a locked project: graph, chunks, texts and rows. Their chunks in segments become tombstones, which a merge
 * drops; a segment with nothing else is removed at once.
 */
export async function removeVersions(
  db: Database,
  project: LockedProject,
  versionIds: readonly number[],
): Promise<void> {
  if (versionIds.length === 0) return;
  const { projectId } = project;
  const live = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .where("state", "=", "live")
    .execute();
  await changeGraph(db, { projectId, added: [], removed: live.map((row) => row.version_id) });
  await removeVersionRows(db, project, versionIds);
}

/** Like `removeVersions`, for versions that are no longer in the graph. */
async function removeVersionRows(
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
    .returning(["byte_length", "chunk_count"])
    .execute();
  await removeEvidence(db, projectId, versionIds);
  await removePassages(db, projectId, versionIds);
  for (const table of ["version_texts", "chunks"] as const) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("version_id", "in", padded(versionIds))
      .execute();
  }
  const removedSegments = await markDeadInSegments(db, project, versionIds);
  await changeProject(db, projectId, {
    segmentCount: -removedSegments,
    index: removed.some((row) => row.chunk_count > 0),
  });
  await changeAccount(db, project.accountId, {
    storedBytes: -removed.reduce((sum, row) => sum + row.byte_length, 0),
  });
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
 * The caller holds the project's lock and has changed the graph in the same transaction.
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
  await removeVersionRows(db, project, replaced);
  await db
    .updateTable("document_versions")
    .set({ state: "live", complete: 1 })
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(finished))
    .execute();
  if (hidden.length === 0) return;
  await showPassages(db, projectId, hidden);
  await db
    .updateTable("segment_documents")
    .set({ state: "live" })
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(hidden))
    .execute();
  await changeProject(db, projectId, { index: true });
}

/** The live versions of these documents, by document. */
export async function findLiveVersions(
  db: Database,
  projectId: string,
  sourceDocIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (sourceDocIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("document_versions")
    .select(["source_doc_id", "version_id"])
    .where("project_id", "=", projectId)
    .where("source_doc_id", "in", padded(sourceDocIds))
    .where("state", "=", "live")
    .execute();
  return new Map(rows.map((row) => [row.source_doc_id, row.version_id]));
}
