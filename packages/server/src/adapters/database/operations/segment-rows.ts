/**
 * The rows of a segment in `segments`, `segment_blobs` and `segment_documents` are inserted and removed together, and only here;
 * `deleteProject` alone removes those of a whole project by itself.
 */
import { SEGMENT_VERSION } from "../../../domain/segment-version.ts";
import type { Database, SegmentDocumentState } from "../schema.ts";
import { insertAll } from "./graph-sql.ts";

/** The chunks of one version in a segment. */
export interface SegmentDocument {
  readonly versionId: number;
  readonly chunkCount: number;
  readonly state: SegmentDocumentState;
}

export interface NewSegment {
  readonly projectId: string;
  /** `nextSegmentId` of the locked project; the caller raises it with `changeProject({ segmentsMade: 1 })`. */
  readonly segmentId: number;
  readonly vectorSet: number;
  /** In the current format version. */
  readonly bytes: Uint8Array;
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

export async function insertSegment(db: Database, segment: NewSegment): Promise<void> {
  const { bytes, documents } = segment;
  const ids = { project_id: segment.projectId, segment_id: segment.segmentId };
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
    })
    .execute();
  await db
    .insertInto("segment_blobs")
    .values({ ...ids, bytes })
    .execute();
  const { projectId, segmentId } = segment;
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
}

export function sumChunks(documents: readonly Pick<SegmentDocument, "chunkCount">[]): number {
  return documents.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
}

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
