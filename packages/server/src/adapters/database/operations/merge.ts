/** Merges of segments, and which projects need one. */
import { type SqlBool, sql } from "kysely";
import { SEGMENT_VERSION } from "../../../domain/segment-version.ts";
import type { IndexStore } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { partsOf } from "./bulk.ts";
import { isLeftContent } from "./file-contents.ts";
import { isLessonLeft } from "./lessons.ts";
import { isLeftWaiting } from "./outbox.ts";
import { changeProject, lockProject, nextMergeTurn } from "./project-row.ts";
import { insertSegment, removeSegments, type SegmentDocument, sumChunks } from "./segment-rows.ts";
import { isUpkeepDueAt } from "./stray-times.ts";

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
  const mostlyDead = await changed.where("project_id", "in", mostlyDeadProjects(db)).execute();
  const fragmented = await changed.where("segment_count", ">", input.minSegments).execute();
  const half = Math.ceil(input.limit / 2);
  const listed = [...mostlyDead.slice(0, half), ...fragmented.slice(0, half), ...mostlyDead, ...fragmented];
  return [...new Set(listed.map((row) => row.project_id))].slice(0, input.limit);
}

/**
 * One statement that reads small ranges of the indexes `segments_damaged`, `segments_by_format`, `segments_mostly_dead`,
 * `projects_by_segments` and `reembeddings_to_clean`, and two tables that are mostly empty. A project that needs no merge (`markMergeChecked`) is left out, so this becomes false once all
 * projects are checked.
 */
export async function nextUpkeep(
  db: Database,
  input: { now: number; minSegments: number },
): Promise<{ readyNow: boolean }> {
  const { rows } = await sql`
    select 1 as due where exists (
      select 1 from segments where repair_at is not null and ${isUpkeepDueAt(sql.ref("repair_at"), input.now)})
    or exists (
      select 1 from segments where format_version < ${SEGMENT_VERSION} and ${isUpkeepDueAt(sql.ref("rewrite_at"), input.now)} and repair_at is null)
    or exists (
      select 1 from projects where segment_count > ${input.minSegments} and index_version <> merge_checked_version)
    or exists (
      select 1 from projects where index_version <> merge_checked_version
        and project_id in (${mostlyDeadProjects(db)}))
    or exists (
      select 1 from reembeddings where cleanup_at is not null and ${isUpkeepDueAt(sql.ref("cleanup_at"), input.now)})
    or exists (select 1 from file_contents where ${isLeftContent(input.now)})
    or exists (select 1 from webhooks as w where ${isLeftWaiting})
    or exists (select 1 from version_changes)
    or exists (select 1 from outdated_facts)
    or exists (select 1 from lessons where ${isLessonLeft})
    or exists (select 1 from deleted_projects)`.execute(db);
  return { readyNow: rows.length > 0 };
}

/** Projects with a segment of more dead than live chunks. */
function mostlyDeadProjects(db: Database) {
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

type ReplaceSegments = Parameters<IndexStore["replaceSegments"]>[0];

export async function replaceSegments(db: Database, input: ReplaceSegments): Promise<boolean> {
  const { projectId, bytes } = input;
  const project = await lockProject(db, projectId);
  if (project === null) return false;
  const replaced = new Set(input.segmentIds);
  const required = new Set([...replaced, ...(input.beside ?? [])]);
  const present = await findSegments(db, projectId, [...required]);
  const [vectorSet, ...otherSets] = new Set(present.map((segment) => segment.vector_set));
  if (present.length !== required.size || vectorSet === undefined || otherSets.length > 0) return false;
  const documents = await mergeDocuments(db, input);
  if (documents === null) return false;
  await removeSegments(db, projectId, input.segmentIds);
  // Versions may have died since the merge began; a segment with only dead versions is not written.
  const hasSegment = bytes !== null && documents.some(({ state }) => state !== "dead");
  const segmentsMade = hasSegment ? await insertSegment(db, { project, vectorSet, bytes, documents }) : 0;
  const isListed = vectorSet === project.vectorSet;
  await changeProject(db, projectId, {
    segmentsMade,
    segmentCount: isListed ? (hasSegment ? 1 : 0) - replaced.size : 0,
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

/**
 * The documents of the merged segment, each in its present state. null when the merge dropped a version that is not dead, or
 * when its chunks are not those of the versions that it kept.
 */
async function mergeDocuments(
  db: Database,
  input: ReplaceSegments,
): Promise<readonly SegmentDocument[] | null> {
  const rows = await db
    .selectFrom("segment_documents")
    .select(["version_id", "chunk_count", "state"])
    .where("project_id", "=", input.projectId)
    .where("segment_id", "in", input.segmentIds)
    .execute();
  const dropped = new Set(input.droppedVersions);
  const merged = new Map<number, SegmentDocument>();
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
