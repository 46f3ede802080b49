import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import { spaceOf } from "../../../domain/embedding-space.ts";
import type { ProjectConfig } from "../../../domain/project.ts";
import type { IndexState, SegmentState, StoredChunk } from "../../../ports/store.ts";
import type { ChunkRow, Database, DocumentVersionRow, ProjectRow, SegmentDocumentState } from "../schema.ts";
import { decodeUtf8, decodeVectors } from "./encoding.ts";

/**
 * One statement, so that the segments fit the version number without a transaction around them. Written out, like the
 * other reads of a question: the builder takes longer to put one together than SQLite to answer it.
 * In the order of the primary key, without the state, SQLite would walk all versions of each segment, not the index of the
 * hidden ones.
 */
export async function readIndexState(
  db: Database,
  { projectId, accountId }: { projectId: string; accountId?: string },
): Promise<IndexState | null> {
  const owned = accountId === undefined ? sql`` : sql`and p.account_id = ${accountId}`;
  const { rows } = await sql<
    SegmentJoinRow & Pick<ProjectRow, "index_version" | "mode" | "ontology_id" | "config">
  >`
    select p.index_version, p.mode, p.ontology_id, p.config, s.segment_id, s.byte_length, s.chunk_count, s.dead_chunk_count, s.repair_at,
      d.version_id, d.state
    from projects as p
    left join segments as s on s.project_id = p.project_id
    left join segment_documents as d
      on d.project_id = s.project_id and d.segment_id = s.segment_id and d.state <> 'live'
    where p.project_id = ${projectId} ${owned}
    order by s.segment_id, d.state, d.version_id`.execute(db);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    indexVersion: first.index_version,
    graph: graphOf(first),
    space: spaceOf(JSON.parse(first.config) as ProjectConfig), // Written by `createProject` alone.
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

/** Columns of the outer joins: null where a project has no segment, or a segment no hidden version. */
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
    .selectFrom("segment_blobs")
    .select("bytes")
    .where("project_id", "=", input.projectId)
    .where("segment_id", "=", input.segmentId)
    .executeTakeFirst();
  return row?.bytes ?? null;
}

export async function readVectors(
  db: Database,
  { projectId, keys }: { projectId: string; keys: readonly ChunkKey[] },
): Promise<readonly (Float32Array | null)[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<Pick<ChunkRow, "version_id" | "position" | "vector">>`
    select version_id, position, vector
    from chunks
    where project_id = ${projectId} and ${matchesKey("chunks", keys)}`.execute(db);
  const found = new Map(rows.map((row) => [`${row.version_id}:${row.position}`, row.vector]));
  return decodeVectors(keys.map((key) => found.get(`${key.versionId}:${key.position}`) ?? null));
}

type StoredChunkRow = Pick<
  ChunkRow,
  "version_id" | "position" | "start_offset" | "end_offset" | "header" | "text"
> &
  Pick<DocumentVersionRow, "source_doc_id">;

export async function readChunks(
  db: Database,
  { projectId, keys }: { projectId: string; keys: readonly ChunkKey[] },
): Promise<readonly (StoredChunk | null)[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<StoredChunkRow>`
    select c.version_id, c.position, c.start_offset, c.end_offset, c.header, c.text, v.source_doc_id
    from chunks as c
    inner join document_versions as v on v.project_id = c.project_id and v.version_id = c.version_id
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
  };
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
  return new Map(
    rows.flatMap((row, index) => {
      const vector = vectors[index] ?? null;
      return vector === null ? [] : [[row.content_hash, vector] as const];
    }),
  );
}

/**
 * Row values against the primary key, which both databases look up one by one. The casts tell PostgreSQL the types. One flat
 * fragment, not one for each key: of 40 keys, putting those together took as long as looking up the rows.
 */
export function matchesKey(table: string, keys: readonly ChunkKey[]) {
  const columns = sql.ref(`${table}.version_id`);
  return sql<boolean>`(${columns}, ${sql.ref(`${table}.position`)}) in (values ${keyValues(keys)})`;
}

function keyValues(keys: readonly ChunkKey[]) {
  const fragments = keys.flatMap((_, at) => [
    at === 0 ? "(cast(" : " as bigint)), (cast(",
    " as bigint), cast(",
  ]);
  fragments.push(" as bigint))");
  const raw = fragments as unknown as TemplateStringsArray; // The tag reads it as an array of texts.
  return sql(raw, ...keys.flatMap(({ versionId, position }) => [versionId, position]));
}
