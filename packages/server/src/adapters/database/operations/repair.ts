/** Damaged segments: marks, lists, and the data from which they are built again. */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type {
  DamagedSegment,
  IndexedChunk,
  RepairDocument,
  SegmentBeside,
  SegmentRepair,
} from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { partsOf } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { decodeMetadata, decodeUtf8, decodeVectors } from "./encoding.ts";
import { isUpkeepDueAt } from "./stray-times.ts";

interface SegmentInput {
  readonly projectId: string;
  readonly segmentId: number;
}

/** Far more than the segments of the largest projects. */
const maxListed = 10_000;
/** Keys in one statement; two parameters each. */
const maxKeys = 256;

/** One statement, so that of several concurrent reports exactly one returns true. */
export async function reportDamagedSegment(db: Database, input: SegmentInput): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("segments")
    .set({ repair_at: 0, repair_failures: 0 })
    .where("project_id", "=", input.projectId)
    .where("segment_id", "=", input.segmentId)
    .where("repair_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * The first 10,000 by id. In a project with more, the others count as sound until some of these are repaired; reading one of
 * them finds its damage, which is marked already.
 */
export async function listDamagedSegments(
  db: Database,
  input: { projectId: string },
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("segments")
    .select("segment_id")
    .where("project_id", "=", input.projectId)
    .where("repair_at", "is not", null)
    .orderBy("segment_id")
    .limit(maxListed)
    .execute();
  return rows.map((row) => row.segment_id);
}

export async function listRepairs(
  db: Database,
  input: { now: number; limit: number },
): Promise<readonly DamagedSegment[]> {
  const rows = await db
    .selectFrom("segments")
    .select(["project_id", "segment_id", "repair_failures"])
    .where("repair_at", "is not", null)
    .where(isUpkeepDueAt(sql.ref("repair_at"), input.now))
    .orderBy("repair_at")
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

export async function postponeRepair(db: Database, input: SegmentInput & { until: number }): Promise<void> {
  await db
    .updateTable("segments")
    .set((eb) => ({ repair_at: input.until, repair_failures: eb("repair_failures", "+", 1) }))
    .where("project_id", "=", input.projectId)
    .where("segment_id", "=", input.segmentId)
    .where("repair_at", "is not", null)
    .execute();
}

/** null also for a segment that is in neither the present vector set of the project nor the staged one. */
export async function readRepair(db: Database, input: SegmentInput): Promise<SegmentRepair | null> {
  const segment = await db
    .selectFrom("segments as s")
    .innerJoin("projects as p", "p.project_id", "s.project_id")
    .leftJoin("reembeddings as r", "r.project_id", "s.project_id")
    .select(["s.chunk_count", "s.dead_chunk_count", "s.vector_set"])
    .where("s.project_id", "=", input.projectId)
    .where("s.segment_id", "=", input.segmentId)
    .where((eb) =>
      eb.or([
        eb("s.vector_set", "=", eb.ref("p.vector_set")),
        eb("s.vector_set", "=", eb.ref("r.staged_set")),
      ]),
    )
    .executeTakeFirst();
  if (segment === undefined) return null;
  return {
    vectorSet: segment.vector_set,
    liveChunkCount: segment.chunk_count - segment.dead_chunk_count,
    documents: await readDocuments(db, input),
    dead: await readDead(db, input),
    beside: await readOverlapping(db, { ...input, vectorSet: segment.vector_set }),
  };
}

async function readDocuments(db: Database, input: SegmentInput): Promise<readonly RepairDocument[]> {
  const rows = await db
    .selectFrom("segment_documents as d")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "d.project_id").onRef("v.version_id", "=", "d.version_id"),
    )
    .select(["d.version_id", "v.source_doc_id", "v.metadata", "d.chunk_count"])
    .select("v.chunk_count as version_chunk_count")
    .where("d.project_id", "=", input.projectId)
    .where("d.segment_id", "=", input.segmentId)
    .where("d.state", "<>", "dead")
    .orderBy("d.version_id")
    .execute();
  return rows.map((row) => ({
    versionId: row.version_id,
    sourceDocId: row.source_doc_id,
    metadata: decodeMetadata(row.metadata),
    chunkCount: row.chunk_count,
    versionChunkCount: row.version_chunk_count,
  }));
}

async function readDead(db: Database, input: SegmentInput): Promise<readonly number[]> {
  const rows = await db
    .selectFrom("segment_documents")
    .select("version_id")
    .where("project_id", "=", input.projectId)
    .where("segment_id", "=", input.segmentId)
    .where("state", "=", "dead")
    .orderBy("version_id")
    .execute();
  return rows.map((row) => row.version_id);
}

/** The other segments of the vector set that have live or staged chunks of the same versions. */
async function readOverlapping(
  db: Database,
  input: SegmentInput & { readonly vectorSet: number },
): Promise<readonly SegmentBeside[]> {
  const rows = await db
    .selectFrom("segments as s")
    .select(["s.segment_id", "s.chunk_count", "s.repair_at"])
    .where("s.project_id", "=", input.projectId)
    .where("s.vector_set", "=", input.vectorSet)
    .where("s.segment_id", "in", (eb) =>
      eb
        .selectFrom("segment_documents as own")
        .innerJoin("segment_documents as other", (join) =>
          join
            .onRef("other.project_id", "=", "own.project_id")
            .onRef("other.version_id", "=", "own.version_id"),
        )
        .select("other.segment_id")
        .where("own.project_id", "=", input.projectId)
        .where("own.segment_id", "=", input.segmentId)
        .where("own.state", "<>", "dead")
        .where("other.segment_id", "<>", input.segmentId),
    )
    .orderBy("s.segment_id")
    .execute();
  return rows.map((row) => ({
    segmentId: row.segment_id,
    chunkCount: row.chunk_count,
    isDamaged: row.repair_at !== null,
  }));
}

export async function readIndexedChunks(
  db: Database,
  input: { projectId: string; vectorSet: number; keys: readonly ChunkKey[] },
): Promise<readonly (IndexedChunk | null)[]> {
  const found = new Map<string, Omit<IndexedChunk, "vector"> & { readonly bytes: Uint8Array | null }>();
  for (const part of partsOf(input.keys, maxKeys)) {
    const rows = await db
      .selectFrom("chunks as c")
      .innerJoin("projects as p", "p.project_id", "c.project_id")
      .leftJoin("moved_vectors as m", (join) =>
        join
          .onRef("m.project_id", "=", "c.project_id")
          .on("m.vector_set", "=", input.vectorSet)
          .onRef("m.content_hash", "=", "c.content_hash"),
      )
      .select(["c.version_id", "c.position", "c.header", "c.text", "c.vector"])
      .select(["m.vector as moved", "p.vector_set"])
      .where("c.project_id", "=", input.projectId)
      .where(matchesKey("c", part))
      .execute();
    for (const row of rows) {
      found.set(`${row.version_id}:${row.position}`, {
        versionId: row.version_id,
        position: row.position,
        header: decodeUtf8(row.header),
        text: decodeUtf8(row.text),
        bytes: row.moved ?? (row.vector_set === input.vectorSet ? row.vector : null),
      });
    }
  }
  const chunks = input.keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null);
  const vectors = decodeVectors(chunks.map((chunk) => chunk?.bytes ?? null));
  return chunks.map((chunk, index) => {
    const vector = vectors[index] ?? null;
    if (chunk === null || vector === null) return null;
    const { bytes: _bytes, ...rest } = chunk;
    return { ...rest, vector };
  });
}
