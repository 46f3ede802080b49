import { type SqlBool, sql } from "kysely";
import type { Database, SegmentDocumentState } from "../schema.ts";
import { insertRows, partsOf } from "./bulk.ts";
import { changeProject, type LockedProject, lockProject, nextMergeTurn } from "./project-row.ts";
import { removeSegments } from "./version-rows.ts";

/** Segment ids in one statement. */
const maxIds = 1_000;

export async function listMergeCandidates(
  db: Database,
  input: { minSegments: number; limit: number },
): Promise<readonly string[]> {
  const changed = db
    .selectFrom("projects")
    .select("project_id")
    .where(sql<SqlBool>`index_version <> merge_checked_version`)
    .orderBy("merge_turn")
    .orderBy("project_id")
    .limit(input.limit);
  const worn = await changed.where("project_id", "in", wornProjects(db)).execute();
  const fragmented = await changed.where("segment_count", ">", input.minSegments).execute();
  const half = Math.ceil(input.limit / 2);
  const listed = [...worn.slice(0, half), ...fragmented.slice(0, half), ...worn, ...fragmented];
  return [...new Set(listed.map((row) => row.project_id))].slice(0, input.limit);
}

/**
 * One statement of small index ranges: `segments_damaged`, `segments_mostly_dead`, `projects_by_segments`, `reembeddings_to_clean`. A project that
 * was found to need nothing is not counted, so that this becomes false once all have been looked at.
 */
export async function nextUpkeep(
  db: Database,
  input: { now: number; minSegments: number },
): Promise<{ readyNow: boolean }> {
  const { rows } = await sql`
    select 1 as due where exists (
      select 1 from segments where repair_at is not null and repair_at <= ${input.now})
    or exists (
      select 1 from projects where segment_count > ${input.minSegments} and index_version <> merge_checked_version)
    or exists (
      select 1 from projects where index_version <> merge_checked_version
        and project_id in (${wornProjects(db)}))
    or exists (
      select 1 from reembeddings where cleanup_at is not null and cleanup_at <= ${input.now})`.execute(db);
  return { readyNow: rows.length > 0 };
}

/** Projects with a segment of more dead than live chunks. */
function wornProjects(db: Database) {
  return db
    .selectFrom("segments")
    .select("segments.project_id")
    .where(sql<SqlBool>`dead_chunk_count * 2 > chunk_count`);
}

export async function markMergeChecked(
  db: Database,
  input: { projectId: string; indexVersion: number },
): Promise<void> {
  await db
    .updateTable("projects")
    .set({ merge_checked_version: input.indexVersion, merge_turn: nextMergeTurn })
    .where("project_id", "=", input.projectId)
    .execute();
}

export interface ReplaceSegments {
  readonly projectId: string;
  readonly segmentIds: readonly number[];
  readonly bytes: Uint8Array | null;
  readonly chunkCount: number;
  readonly droppedVersions: readonly number[];
  readonly beside?: readonly number[];
}

export async function replaceSegments(db: Database, input: ReplaceSegments): Promise<boolean> {
  const project = await lockProject(db, input.projectId);
  if (project === null || input.segmentIds.length === 0) return false;
  const replaced = new Set(input.segmentIds);
  const needed = new Set([...replaced, ...(input.beside ?? [])]);
  const present = await findSegments(db, input.projectId, [...needed]);
  const [vectorSet, ...otherSets] = new Set(present.map((segment) => segment.vector_set));
  if (present.length !== needed.size || vectorSet === undefined || otherSets.length > 0) return false;
  const kept = await mergeDocuments(db, input);
  if (kept === null) return false;
  await removeSegments(db, input.projectId, input.segmentIds);
  const made = await insertMerged(db, project, { ...input, kept, vectorSet });
  const isListed = vectorSet === project.vectorSet;
  await changeProject(db, input.projectId, {
    segmentsMade: made,
    segmentCount: isListed ? made - replaced.size : 0,
    index: isListed,
    merged: isListed,
  });
  return true;
}

async function findSegments(
  db: Database,
  projectId: string,
  segmentIds: readonly number[],
): Promise<readonly { readonly vector_set: number }[]> {
  const found: { readonly vector_set: number }[] = [];
  for (const part of partsOf(segmentIds, maxIds)) {
    const present = await db
      .selectFrom("segments")
      .select("vector_set")
      .where("project_id", "=", projectId)
      .where("segment_id", "in", part)
      .execute();
    found.push(...present);
  }
  return found;
}

interface MergedDocument {
  readonly versionId: number;
  readonly chunkCount: number;
  readonly state: SegmentDocumentState;
}

/**
 * What the merged segment holds of each version, in its present state. Null when the merge left out a
 * version that is not dead, or when its chunks are not those of the versions that it kept.
 */
async function mergeDocuments(
  db: Database,
  input: ReplaceSegments,
): Promise<readonly MergedDocument[] | null> {
  const rows = await db
    .selectFrom("segment_documents")
    .select(["version_id", "chunk_count", "state"])
    .where("project_id", "=", input.projectId)
    .where("segment_id", "in", input.segmentIds)
    .execute();
  const dropped = new Set(input.droppedVersions);
  const merged = new Map<number, MergedDocument>();
  for (const row of rows) {
    if (dropped.has(row.version_id)) {
      if (row.state !== "dead") return null;
      continue;
    }
    const chunkCount = (merged.get(row.version_id)?.chunkCount ?? 0) + row.chunk_count;
    merged.set(row.version_id, { versionId: row.version_id, chunkCount, state: row.state });
  }
  const documents = [...merged.values()];
  return sumChunks(documents) === (input.bytes === null ? 0 : input.chunkCount) ? documents : null;
}

/** Returns 1, or 0 when nothing visible is left of the merged segments. */
async function insertMerged(
  db: Database,
  project: LockedProject,
  input: ReplaceSegments & { kept: readonly MergedDocument[]; vectorSet: number },
): Promise<number> {
  const { bytes, kept } = input;
  if (bytes === null || kept.every((document) => document.state === "dead")) return 0;
  const ids = { project_id: input.projectId, segment_id: project.nextSegmentId };
  await db
    .insertInto("segments")
    .values({
      ...ids,
      byte_length: bytes.byteLength,
      chunk_count: input.chunkCount,
      dead_chunk_count: sumChunks(kept.filter((document) => document.state === "dead")),
      repair_failures: 0,
      vector_set: input.vectorSet,
    })
    .execute();
  await db
    .insertInto("segment_blobs")
    .values({ ...ids, bytes })
    .execute();
  const rows = kept.map((document) => ({
    ...ids,
    version_id: document.versionId,
    chunk_count: document.chunkCount,
    state: document.state,
  }));
  await insertRows(db, "segment_documents", rows);
  return 1;
}

function sumChunks(documents: readonly MergedDocument[]): number {
  return documents.reduce((sum, document) => sum + document.chunkCount, 0);
}
