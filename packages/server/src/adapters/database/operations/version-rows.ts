import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { padded } from "./bulk.ts";
import { removeEvidence } from "./graph-evidence.ts";
import { changeGraph } from "./graph-ledger.ts";
import { removePassages, showPassages } from "./graph-passages.ts";
import { changeProject, type LockedProject } from "./project-row.ts";
import { removeSegments } from "./segment-rows.ts";

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
  const seen = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
    .where("state", "=", "live")
    .execute();
  await changeGraph(db, { projectId, added: [], removed: seen.map((row) => row.version_id) });
  await removeVersionRows(db, project, versionIds);
}

/** Like `removeVersions`, of versions that are not in the graph any more. */
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
  const segmentsGone = await buryInSegments(db, project, versionIds);
  await changeProject(db, projectId, {
    segmentCount: -segmentsGone,
    index: removed.some((row) => row.chunk_count > 0),
  });
  await changeAccount(db, project.accountId, {
    storedBytes: -removed.reduce((sum, row) => sum + row.byte_length, 0),
  });
}

/** Marks versions dead where segments hold them, listed or not. Returns how many listed ones went, having nothing else. */
async function buryInSegments(
  db: Database,
  { projectId, vectorSet }: LockedProject,
  versionIds: readonly number[],
): Promise<number> {
  const buried = await db
    .updateTable("segment_documents")
    .set({ state: "dead" })
    .where("project_id", "=", projectId)
    .where("version_id", "in", padded(versionIds))
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
      .returning(["chunk_count", "dead_chunk_count", "vector_set"])
      .executeTakeFirstOrThrow();
    if (segment.dead_chunk_count < segment.chunk_count) continue;
    await removeSegments(db, projectId, [segmentId]);
    if (segment.vector_set === vectorSet) gone += 1;
  }
  return gone;
}

/**
 * Makes finished versions those that queries see: the versions that they replace are removed and their own chunks come out of
 * hiding, in the transaction of the caller, who holds the project's lock and has changed the graph by it.
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
