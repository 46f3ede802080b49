/** Segments of an older format version, which are searched until they have been rewritten. */
import { sql } from "kysely";
import { SEGMENT_VERSION } from "../../../domain/segment-version.ts";
import type { OutdatedSegment } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { isUpkeepDueAt } from "./stray-times.ts";

/** Far more than the segments of the largest projects. */
const maxListed = 10_000;

/**
 * The first 10,000 by id. Segments of an older version that are not listed may be merged: the result then has the term rules
 * of both versions until the project's next rewrite.
 */
export async function listOutdatedSegments(
  db: Database,
  input: { projectId: string },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("segments")
    .select("segment_id")
    .where("project_id", "=", input.projectId)
    .where("format_version", "<", SEGMENT_VERSION)
    .orderBy("segment_id")
    .limit(maxListed)
    .execute();
  return rows.map((row) => row.segment_id);
}

/** Reads a range of the index `segments_by_format` that is empty when nothing is outdated. */
export async function listRewrites(
  db: Database,
  input: { now: number; limit: number },
): Promise<readonly OutdatedSegment[]> {
  const rows = await db
    .selectFrom("segments")
    .select(["project_id", "segment_id", "repair_failures"])
    .where("format_version", "<", SEGMENT_VERSION)
    .where(isUpkeepDueAt(sql.ref("rewrite_at"), input.now))
    .where("repair_at", "is", null)
    .orderBy("format_version")
    .orderBy("rewrite_at")
    .orderBy("project_id")
    .orderBy("segment_id")
    .limit(input.limit)
    .execute();
  return rows.map((row) => ({
    projectId: row.project_id,
    segmentId: row.segment_id,
    failures: row.repair_failures,
  }));
}

export async function postponeRewrite(
  db: Database,
  input: { projectId: string; segmentId: number; until: number },
): Promise<void> {
  await db
    .updateTable("segments")
    .set((eb) => ({ rewrite_at: input.until, repair_failures: eb("repair_failures", "+", 1) }))
    .where("project_id", "=", input.projectId)
    .where("segment_id", "=", input.segmentId)
    .execute();
}
