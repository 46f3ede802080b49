/** Reads of the search index: its segments, vectors and chunks. */
import { sql } from "kysely";
import type { ChunkKey, VersionId } from "../../../domain/document.ts";
import { type EmbeddingSpace, isSameSpace, spaceOf } from "../../../domain/embedding-space.ts";
import type { ProjectConfig } from "../../../domain/project.ts";
import {
  type DocumentHead,
  type IndexState,
  type SegmentState,
  type StoredChunk,
  StoreUnavailableError,
} from "../../../ports/store.ts";
import type { CopiedRow } from "../postgres-copy.ts";
import type { ChunkRow, Database, DocumentVersionRow, ProjectRow, SegmentDocumentState } from "../schema.ts";
import { matchesKey } from "./chunk-keys.ts";
import { decodeMetadata, decodeUtf8, decodeVectors } from "./encoding.ts";
import { openPages, toPlace } from "./version-files.ts";

/**
 * One statement, so that the segments match the version number without a transaction. Plain SQL, like the other reads of a
 * query: the query builder takes longer to build the statement than SQLite to run it. The order includes the state, because
 * ordered by the primary key alone SQLite scans all versions of each segment instead of the index of the hidden ones.
 */
export async function readIndexState(
  db: Database,
  { projectId, accountId, vectorSet }: { projectId: string; accountId?: string; vectorSet?: number },
): Promise<IndexState | null> {
  const ofAccount = accountId === undefined ? sql`` : sql`and p.account_id = ${accountId}`;
  const requestedSet = vectorSet === undefined ? sql`p.vector_set` : sql`${vectorSet}`;
  const { rows } = await sql<
    SegmentJoinRow & Pick<ProjectRow, "index_version" | "mode" | "ontology_id" | "config" | "vector_set">
  >`
    select p.index_version, p.mode, p.ontology_id, p.config, p.vector_set, s.segment_id, s.byte_length, s.chunk_count, s.dead_chunk_count, s.repair_at,
      d.version_id, d.state
    from projects as p
    left join segments as s on s.project_id = p.project_id and s.vector_set = ${requestedSet}
    left join segment_documents as d
      on d.project_id = s.project_id and d.segment_id = s.segment_id and d.state <> 'live'
    where p.project_id = ${projectId} ${ofAccount}
    order by s.segment_id, d.state, d.version_id`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    indexVersion: first.index_version,
    graph: graphOf(first),
    space: spaceOf(JSON.parse(first.config) as ProjectConfig), // Written only by `createProject` and `switchSpace`.
    vectorSet: first.vector_set,
    segments: groupSegments(rows),
  };
}

function graphOf({
  mode,
  ontology_id: ontologyId,
}: Pick<ProjectRow, "mode" | "ontology_id">): IndexState["graph"] {
  if (mode === "vector_only") return "none";
  return ontologyId === null ? "grown" : "bound";
}

/** Columns of the outer joins: null where the project has no segment, or the segment no hidden version. */
interface SegmentJoinRow {
  readonly segment_id: number | null;
  readonly byte_length: number | null;
  readonly chunk_count: number | null;
  readonly dead_chunk_count: number | null;
  readonly repair_at: number | null;
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
      isDamaged: row.repair_at !== null,
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
    .selectFrom("segments as s")
    .leftJoin("segment_blobs as b", (join) =>
      join.onRef("b.project_id", "=", "s.project_id").onRef("b.segment_id", "=", "s.segment_id"),
    )
    .select(["s.object_key", "b.bytes"])
    .where("s.project_id", "=", input.projectId)
    .where("s.segment_id", "=", input.segmentId)
    .executeTakeFirst();
  if (row !== undefined) requireInDatabase(row.object_key);
  return row?.bytes ?? null;
}

/** The same by a copy, which takes no parameters (`postgres-copy.ts`). */
export async function copySegment(
  db: Database,
  { projectId, segmentId }: { projectId: string; segmentId: number },
): Promise<Uint8Array | null> {
  const { rows } = await sql<CopiedRow>`copy (
    select s.object_key, b.bytes
    from segments as s
    left join segment_blobs as b on b.project_id = s.project_id and b.segment_id = s.segment_id
    where s.project_id = ${sql.lit(projectId)} and s.segment_id = ${sql.lit(segmentId)}
  ) to stdout (format binary)`.execute(db);
  const [objectKey = null, bytes = null] = rows[0]?.values ?? [];
  requireInDatabase(objectKey);
  return bytes;
}

/** Missing bytes would be damage, and be made again although nothing is wrong with them. */
function requireInDatabase(objectKey: unknown): void {
  if (objectKey !== null) throw withoutStore();
}

function withoutStore(): StoreUnavailableError {
  return new StoreUnavailableError(
    "segment_store",
    "Segments of the search index are in a segment store that this process was not started with. Set KCS_SEGMENT_STORE as the other processes have it, and start it again.",
    undefined,
  );
}

export async function readVectors(
  db: Database,
  { projectId, vectorSet, keys }: { projectId: string; vectorSet: number; keys: readonly ChunkKey[] },
): Promise<readonly (Float32Array | null)[]> {
  if (keys.length === 0) return [];
  const { vector, join } = vectorOf(vectorSet);
  const { rows } = await sql<Pick<ChunkRow, "version_id" | "position" | "vector">>`
    select c.version_id, c.position, ${vector} as vector
    from chunks as c
    inner join projects as p on p.project_id = c.project_id and p.vector_set = ${vectorSet}
    ${join}
    where c.project_id = ${projectId} and ${matchesKey("c", keys)}`.execute(db);
  const found = new Map(rows.map((row) => [`${row.version_id}:${row.position}`, row.vector]));
  return decodeVectors(keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null));
}

/** A project that was never moved (vector set 0) has all vectors in the rows of its chunks. */
function vectorOf(vectorSet: number) {
  if (vectorSet === 0) return { vector: sql`c.vector`, join: sql`` };
  const join = sql`left join moved_vectors as m on m.project_id = c.project_id
      and m.vector_set = ${vectorSet} and m.content_hash = c.content_hash`;
  return { vector: sql`coalesce(m.vector, c.vector)`, join };
}

type StoredChunkRow = Pick<
  ChunkRow,
  "version_id" | "position" | "start_offset" | "end_offset" | "header" | "text" | "page"
> &
  Pick<DocumentVersionRow, "source_doc_id"> & { readonly file_version: number | null };

export async function readChunks(
  db: Database,
  { projectId, keys }: { projectId: string; keys: readonly ChunkKey[] },
): Promise<readonly (StoredChunk | null)[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<StoredChunkRow>`
    select c.version_id, c.position, c.start_offset, c.end_offset, c.header, c.text, c.page, v.source_doc_id,
      f.version_id as file_version
    from chunks as c
    inner join document_versions as v on v.project_id = c.project_id and v.version_id = c.version_id
    left join version_files as f on f.project_id = c.project_id and f.version_id = c.version_id
    where c.project_id = ${projectId} and ${matchesKey("c", keys)}`.execute(db);
  const found = new Map(rows.map((row) => [`${row.version_id}:${row.position}`, toStoredChunk(row)]));
  return keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null);
}

function toStoredChunk(row: StoredChunkRow): StoredChunk {
  return {
    versionId: row.version_id,
    sourceDocId: row.source_doc_id,
    position: row.position,
    header: decodeUtf8(row.header),
    text: decodeUtf8(row.text),
    start: row.start_offset,
    end: row.end_offset,
    ...(row.file_version === null ? {} : { place: toPlace(row) }),
  };
}

export async function readPagesAt(
  db: Database,
  input: {
    projectId: string;
    places: readonly { readonly versionId: VersionId; readonly offset: number }[];
  },
): Promise<readonly (number | null)[]> {
  const { projectId, places } = input;
  const pageOf = await openPages(db, projectId, [...new Set(places.map(({ versionId }) => versionId))]);
  return places.map(({ versionId, offset }) => pageOf(versionId, offset));
}

export async function readHeads(
  db: Database,
  { projectId, versionIds }: { projectId: string; versionIds: readonly VersionId[] },
): Promise<readonly (DocumentHead | null)[]> {
  if (versionIds.length === 0) return [];
  const rows = await db
    .selectFrom("chunks as c")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "c.project_id").onRef("v.version_id", "=", "c.version_id"),
    )
    .select(["c.version_id", "c.text", "v.metadata"])
    .where("c.project_id", "=", projectId)
    .where("c.version_id", "in", versionIds)
    .where("c.position", "=", 0)
    .execute();
  const found = new Map(
    rows.map(({ version_id, text, metadata }) => [
      version_id,
      { text: decodeUtf8(text), metadata: decodeMetadata(metadata) },
    ]),
  );
  return versionIds.map((versionId) => found.get(versionId) ?? null);
}

export async function findVectorsByHash(
  db: Database,
  input: { projectId: string; versionId: number; space: EmbeddingSpace; hashes: readonly string[] },
): Promise<ReadonlyMap<string, Float32Array>> {
  if (input.hashes.length === 0) return new Map();
  const rows = await db
    .selectFrom("chunks as c")
    .innerJoin("projects as p", "p.project_id", "c.project_id")
    .leftJoin("moved_vectors as m", (join) =>
      join
        .onRef("m.project_id", "=", "c.project_id")
        .onRef("m.vector_set", "=", "p.vector_set")
        .onRef("m.content_hash", "=", "c.content_hash"),
    )
    .select(["c.content_hash", "c.vector", "m.vector as moved", "p.config"])
    .where("c.project_id", "=", input.projectId)
    .where("c.version_id", "=", input.versionId)
    .where("c.content_hash", "in", input.hashes)
    .execute();
  const [first] = rows;
  if (first === undefined) return new Map();
  const space = spaceOf(JSON.parse(first.config) as ProjectConfig); // Written only by `createProject` and `switchSpace`.
  if (!isSameSpace(space, input.space)) return new Map();
  const vectors = decodeVectors(rows.map((row) => row.moved ?? row.vector));
  return new Map(
    rows.flatMap((row, index) => {
      const vector = vectors[index] ?? null;
      return vector === null ? [] : [[row.content_hash, vector] as const];
    }),
  );
}
