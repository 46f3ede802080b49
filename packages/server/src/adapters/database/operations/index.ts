import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { IndexState, SegmentState, StoredChunk } from "../../../ports/store.ts";
import type { Database, SegmentDocumentState } from "../schema.ts";
import { partsOf } from "./bulk.ts";
import { decodeUtf8, decodeVectors } from "./encoding.ts";

/** Keys in one statement; two parameters each. */
const maxKeys = 256;

/** One statement, so that the segments fit the version number without a transaction around them. */
export async function readIndexState(db: Database, input: { projectId: string }): Promise<IndexState | null> {
  const rows = await db
    .selectFrom("projects as p")
    .leftJoin("segments as s", "s.project_id", "p.project_id")
    .leftJoin("segment_documents as d", (join) =>
      join
        .onRef("d.project_id", "=", "s.project_id")
        .onRef("d.segment_id", "=", "s.segment_id")
        .on(sql<boolean>`d.state <> 'live'`),
    )
    .select([
      "p.index_version",
      "s.segment_id",
      "s.byte_length",
      "s.chunk_count",
      "s.dead_chunk_count",
      "d.version_id",
      "d.state",
    ])
    .where("p.project_id", "=", input.projectId)
    .orderBy("s.segment_id")
    .orderBy("d.version_id")
    .execute();
  const [first] = rows;
  if (first === undefined) return null;
  return { indexVersion: first.index_version, segments: groupSegments(rows) };
}

/** Columns of the outer joins: null where a project has no segment, or a segment no hidden version. */
interface SegmentJoinRow {
  readonly segment_id: number | null;
  readonly byte_length: number | null;
  readonly chunk_count: number | null;
  readonly dead_chunk_count: number | null;
  readonly version_id: number | null;
  readonly state: SegmentDocumentState | null;
}

function groupSegments(rows: readonly SegmentJoinRow[]): readonly SegmentState[] {
  const segments = new Map<number, SegmentState & { dead: number[]; staged: number[] }>();
  for (const row of rows) {
    if (row.segment_id === null) continue;
    const segment = segments.get(row.segment_id) ?? {
      segmentId: row.segment_id,
      byteLength: row.byte_length ?? 0,
      chunkCount: row.chunk_count ?? 0,
      deadChunkCount: row.dead_chunk_count ?? 0,
      dead: [],
      staged: [],
    };
    segments.set(row.segment_id, segment);
    if (row.version_id !== null) (row.state === "dead" ? segment.dead : segment.staged).push(row.version_id);
  }
  return [...segments.values()];
}

export async function readSegment(
  db: Database,
  input: { projectId: string; segmentId: number },
): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom("segment_blobs")
    .select("bytes")
    .where("project_id", "=", input.projectId)
    .where("segment_id", "=", input.segmentId)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

export async function readVectors(
  db: Database,
  input: { projectId: string; keys: readonly ChunkKey[] },
): Promise<readonly (Float32Array | null)[]> {
  const found = new Map<string, Uint8Array>();
  for (const part of partsOf(input.keys, maxKeys)) {
    const rows = await db
      .selectFrom("chunks")
      .select(["version_id", "position", "vector"])
      .where("project_id", "=", input.projectId)
      .where(matchesKey("chunks", part))
      .execute();
    for (const row of rows) found.set(`${row.version_id}:${row.position}`, row.vector);
  }
  return decodeVectors(input.keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null));
}

export async function readChunks(
  db: Database,
  input: { projectId: string; keys: readonly ChunkKey[] },
): Promise<readonly (StoredChunk | null)[]> {
  const found = new Map<string, StoredChunk>();
  for (const part of partsOf(input.keys, maxKeys)) {
    const rows = await db
      .selectFrom("chunks as c")
      .innerJoin("document_versions as v", (join) =>
        join.onRef("v.project_id", "=", "c.project_id").onRef("v.version_id", "=", "c.version_id"),
      )
      .select(["c.version_id", "c.position", "c.start_offset", "c.end_offset", "c.text", "v.source_doc_id"])
      .where("c.project_id", "=", input.projectId)
      .where(matchesKey("c", part))
      .execute();
    for (const row of rows) {
      found.set(`${row.version_id}:${row.position}`, {
        versionId: row.version_id,
        sourceDocId: row.source_doc_id,
        position: row.position,
        text: decodeUtf8(row.text),
        start: row.start_offset,
        end: row.end_offset,
      });
    }
  }
  return input.keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null);
}

export async function findVectorsByHash(
  db: Database,
  input: { projectId: string; versionId: number; hashes: readonly string[] },
): Promise<ReadonlyMap<string, Float32Array>> {
  if (input.hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom("chunks")
    .select(["content_hash", "vector"])
    .where("project_id", "=", input.projectId)
    .where("version_id", "=", input.versionId)
    .where("content_hash", "in", input.hashes)
    .execute();
  const vectors = decodeVectors(rows.map((row) => row.vector));
  return new Map(rows.map((row, index) => [row.content_hash, vectors[index]!])); // One vector per row.
}

/** Row values against the primary key, which both databases look up one by one. The casts tell PostgreSQL the types. */
export function matchesKey(table: string, keys: readonly ChunkKey[]) {
  const values = keys.map((key) => sql`(cast(${key.versionId} as bigint), cast(${key.position} as bigint))`);
  const columns = sql`(${sql.ref(`${table}.version_id`)}, ${sql.ref(`${table}.position`)})`;
  return sql<boolean>`${columns} in (values ${sql.join(values)})`;
}
