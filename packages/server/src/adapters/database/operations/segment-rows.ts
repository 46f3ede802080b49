/**
 * The rows of a segment in `segments`, `segment_blobs` and `segment_documents` are inserted and removed together, and only here;
 * `deleteProject` alone removes those of a whole project by itself.
 */
import { sql } from "kysely";
import { SEGMENT_VERSION } from "../../../domain/segment-version.ts";
import type { SegmentBytes } from "../../../ports/segment-objects.ts";
import type { Database, SegmentDocumentState } from "../schema.ts";
import { insertAll } from "./graph-sql.ts";
import type { LockedProject } from "./project-row.ts";
import { disownObjects, ownObject } from "./segment-objects.ts";

/** The chunks of one version in a segment. */
export interface SegmentDocument {
  readonly versionId: number;
  readonly chunkCount: number;
  readonly state: SegmentDocumentState;
}

export interface NewSegment {
  readonly project: LockedProject;
  readonly vectorSet: number;
  /** In the current format version. */
  readonly bytes: SegmentBytes;
  /** One for each version, and together exactly the chunks in `bytes`. */
  readonly documents: readonly SegmentDocument[];
}

const documentColumns = {
  project_id: "text",
  segment_id: "bigint",
  version_id: "bigint",
  chunk_count: "bigint",
  state: "text",
} as const;

/** Returns how many segment ids it has taken: none where one was reserved with the segment's object. */
export async function insertSegment(db: Database, segment: NewSegment): Promise<number> {
  const { bytes, documents, project } = segment;
  const { projectId } = project;
  const object = bytes instanceof Uint8Array ? null : bytes;
  const segmentId = object?.segmentId ?? project.nextSegmentId;
  const ids = { project_id: projectId, segment_id: segmentId };
  if (object !== null) await ownObject(db, projectId, object);
  await db
    .insertInto("segments")
    .values({
      ...ids,
      byte_length: bytes.byteLength,
      chunk_count: sumChunks(documents),
      dead_chunk_count: sumChunks(documents.filter(({ state }) => state === "dead")),
      repair_failures: 0,
      vector_set: segment.vectorSet,
      format_version: SEGMENT_VERSION,
      rewrite_at: 0,
      object_key: object?.key ?? null,
      object_hash: object?.hash ?? null,
    })
    .execute();
  if (bytes instanceof Uint8Array) {
    await db
      .insertInto("segment_blobs")
      .values({ ...ids, bytes })
      .execute();
  }
  await insertAll(db, {
    table: "segment_documents",
    columns: documentColumns,
    rows: documents.map(({ versionId, chunkCount, state }) => [
      projectId,
      segmentId,
      versionId,
      chunkCount,
      state,
    ]),
  });
  return object === null ? 1 : 0;
}

export function sumChunks(documents: readonly Pick<SegmentDocument, "chunkCount">[]): number {
  return documents.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
}

export async function removeSegments(
  db: Database,
  projectId: string,
  segmentIds: readonly number[],
): Promise<void> {
  if (segmentIds.length > 0)
    await disownObjects(db, sql`project_id = ${projectId} and segment_id in (${sql.join(segmentIds)})`);
  for (const table of ["segment_documents", "segment_blobs", "segments"] as const) {
    await db
      .deleteFrom(table)
      .where("project_id", "=", projectId)
      .where("segment_id", "in", segmentIds)
      .execute();
  }
}
