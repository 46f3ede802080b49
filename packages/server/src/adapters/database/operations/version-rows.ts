import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { addToGraph, type Created, removeEvidence, takeFromGraph } from "./graph-ledger.ts";
import { changeProject, type LockedProject } from "./project-row.ts";

/**
 * Removes versions of a locked project: chunks, texts and rows. Their places in segments stay as dead
 * until a merge drops them; a segment that holds nothing else goes at once.
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
    .where("version_id", "in", versionIds)
    .returning(["version_id", "state", "byte_length", "chunk_count"])
    .execute();
  const seen = removed.filter((row) => row.state === "live").map((row) => row.version_id);
  await takeFromGraph(db, projectId, seen);
  await removeEvidence(db, projectId, versionIds);
  for (const table of ["version_texts", "chunks", "passage_graphs", "passage_subjects"] as const) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("version_id", "in", versionIds)
      .execute();
  }
  const segmentsGone = await buryInSegments(db, projectId, versionIds);
  await changeProject(db, projectId, {
    segmentCount: -segmentsGone,
    index: removed.some((row) => row.chunk_count > 0),
  });
  await changeAccount(db, project.accountId, {
    storedBytes: -removed.reduce((sum, row) => sum + row.byte_length, 0),
  });
}

/** Marks versions dead where segments hold them. Returns how many segments went, having nothing else. */
async function buryInSegments(
  db: Database,
  projectId: string,
  versionIds: readonly number[],
): Promise<number> {
  const buried = await db
    .updateTable("segment_documents")
    .set({ state: "dead" })
    .where("project_id", "=", projectId)
    .where("version_id", "in", versionIds)
    .returning(["segment_id", "chunk_count"])
    .execute();
  const deadBySegment = new Map<number, number>();
  for (const row of buried) {
    deadBySegment.set(row.segment_id, (deadBySegment.get(row.segment_id) ?? 0) + row.chunk_count);
  }
  let gone = 0;
  for (const [segmentId, dead] of deadBySegment) {
    const segment = await db
      .updateTable("segments")
      .set((eb) => ({ dead_chunk_count: eb("dead_chunk_count", "+", dead) }))
      .where("project_id", "=", projectId)
      .where("segment_id", "=", segmentId)
      .returning(["chunk_count", "dead_chunk_count"])
      .executeTakeFirstOrThrow();
    if (segment.dead_chunk_count < segment.chunk_count) continue;
    await removeSegments(db, projectId, [segmentId]);
    gone += 1;
  }
  return gone;
}

/** Removes segments with their bytes and their lists of documents. */
export async function removeSegments(
  db: Database,
  projectId: string,
  segmentIds: readonly number[],
): Promise<void> {
  for (const table of ["segment_documents", "segment_blobs", "segments"] as const) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("segment_id", "in", segmentIds)
      .execute();
  }
}

/**
 * Makes a finished version the one that queries see: the version it replaces is removed and its own
 * chunks come out of hiding, in the transaction of the caller, who holds the project's lock. Tells what it brought
 * into the graph by that.
 */
export async function switchVersion(
  db: Database,
  project: LockedProject,
  version: { versionId: number; sourceDocId: string },
): Promise<Created> {
  const replaced = await findLiveVersion(db, project.projectId, version.sourceDocId);
  const staysLive = replaced === version.versionId;
  // Before the other is taken away: what both contribute is not new.
  const part = { projectId: project.projectId, versionId: version.versionId, from: 0 };
  const created = staysLive ? { nodes: 0, edges: 0 } : await addToGraph(db, part);
  if (replaced !== null && !staysLive) await removeVersions(db, project, [replaced]);
  await db
    .updateTable("document_versions")
    .set({ state: "live", complete: 1 })
    .where("project_id", "=", project.projectId)
    .where("version_id", "=", version.versionId)
    .execute();
  if (staysLive) return created;
  await db
    .updateTable("segment_documents")
    .set({ state: "live" })
    .where("project_id", "=", project.projectId)
    .where("version_id", "=", version.versionId)
    .execute();
  await changeProject(db, project.projectId, { index: true });
  return created;
}

export async function findLiveVersion(
  db: Database,
  projectId: string,
  sourceDocId: string,
): Promise<number | null> {
  const row = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("source_doc_id", "=", sourceDocId)
    .where("state", "=", "live")
    .executeTakeFirst();
  return row?.version_id ?? null;
}
