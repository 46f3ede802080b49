/** Vectors and segments of the embedding space to which a project is being moved, and the switch to that space. */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { ProjectConfig } from "../../../domain/project.ts";
import type {
  ReembedStore,
  StageBatch,
  StagedVector,
  StageOutcome,
  UnmovedChunk,
} from "../../../ports/reembed-store.ts";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";
import { matchesKey } from "./chunk-keys.ts";
import { decodeMetadata, decodeUtf8, decodeVectors, vectorBytes } from "./encoding.ts";
import { changeProject, lockProject } from "./project-row.ts";
import { cleanupNow, countChunks, findHeld, targetSpaceOf } from "./reembeddings.ts";
import { insertSegment, type SegmentDocument } from "./segment-rows.ts";
import { addTokens, isLimitUsedUp } from "./token-meter.ts";
import { addUsage } from "./usage.ts";

type Input<Name extends keyof ReembedStore> = Parameters<ReembedStore[Name]>[0];

/** Keys in one statement; two parameters each. */
const maxKeys = 256;
/** Vectors in one statement. */
const maxVectors = 64;

export async function listUnmovedChunks(
  db: Database,
  input: Input<"listUnmovedChunks">,
): Promise<readonly UnmovedChunk[]> {
  const { projectId, vectorSet, after } = input;
  const staging = await db
    .selectFrom("reembeddings")
    .select("project_id")
    .where("project_id", "=", projectId)
    .where("staged_set", "=", vectorSet)
    .executeTakeFirst();
  if (staging === undefined) return [];
  const { rows: versions } = await unfinishedVersions(
    { projectId, vectorSet, from: after?.versionId ?? 0 },
    input.limit + 1, // The caller may have passed all chunks of the first version already.
  ).execute(db);
  const keys: ChunkKey[] = [];
  for (const { version_id: versionId, chunk_count: count, staged } of versions) {
    const first =
      versionId === after?.versionId ? Math.max(after.position + 1, Number(staged)) : Number(staged);
    for (let position = first; position < count && keys.length < input.limit; position++)
      keys.push({ versionId, position });
  }
  return readUnmoved(db, { projectId, vectorSet, keys });
}

/** Versions with chunks that are in no segment of the vector set. */
function unfinishedVersions(
  { projectId, vectorSet, from }: { projectId: string; vectorSet: number; from: number },
  limit: number,
) {
  return sql<{ version_id: number; chunk_count: number; staged: number | string }>`
    select version_id, chunk_count, staged from (
      select v.version_id, v.chunk_count, coalesce((
        select sum(d.chunk_count) from segment_documents as d
        inner join segments as s on s.project_id = ${projectId} and s.segment_id = d.segment_id
        where d.project_id = ${projectId} and d.version_id = v.version_id and d.state <> 'dead'
          and s.vector_set = ${vectorSet}), 0) as staged
      from document_versions as v
      where v.project_id = ${projectId} and v.version_id >= ${from} and v.chunk_count > 0) as counted
    where chunk_count > staged
    order by version_id
    limit ${limit}`;
}

async function readUnmoved(
  db: Database,
  input: { projectId: string; vectorSet: number; keys: readonly ChunkKey[] },
): Promise<readonly UnmovedChunk[]> {
  const found: UnmovedChunk[] = [];
  for (const keys of partsOf(input.keys, maxKeys)) {
    const rows = await db
      .selectFrom("chunks as c")
      .innerJoin("document_versions as v", (join) =>
        join.onRef("v.project_id", "=", "c.project_id").onRef("v.version_id", "=", "c.version_id"),
      )
      .leftJoin("moved_vectors as m", (join) =>
        join
          .onRef("m.project_id", "=", "c.project_id")
          .on("m.vector_set", "=", input.vectorSet)
          .onRef("m.content_hash", "=", "c.content_hash"),
      )
      .select(["c.version_id", "c.position", "c.header", "c.text", "c.token_count", "c.content_hash"])
      .select(["v.source_doc_id", "v.metadata", "m.vector"])
      .where("c.project_id", "=", input.projectId)
      .where(matchesKey("c", keys))
      .orderBy("c.version_id")
      .orderBy("c.position")
      .execute();
    const vectors = decodeVectors(rows.map((row) => row.vector));
    for (const [at, row] of rows.entries()) {
      found.push({
        versionId: row.version_id,
        position: row.position,
        header: decodeUtf8(row.header),
        text: decodeUtf8(row.text),
        tokenCount: row.token_count,
        contentHash: row.content_hash,
        sourceDocId: row.source_doc_id,
        metadata: decodeMetadata(row.metadata),
        vector: vectors[at] ?? null,
      });
    }
  }
  return found;
}

export async function stageBatch(db: Database, input: StageBatch): Promise<StageOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null) return "lease_lost";
  const held = await findHeld(db, input);
  if (held === undefined || held.staged_set !== input.vectorSet) return "lease_lost";
  const { tokens, tokenLimit, month, now } = input;
  const charge = { accountId: project.accountId, month, tokens };
  // Vectors are paid for by now, so they are kept and charged in any case; the outcome stops the move before the next batch.
  const isUsedUp = await isLimitUsedUp(db, charge, tokenLimit);
  await writeVectors(db, input, input.vectors);
  const documents = await placeDocuments(db, input);
  if (documents !== null) {
    const { vectorSet, segment: bytes } = input;
    const segmentsMade = await insertSegment(db, { project, vectorSet, bytes, documents });
    await changeProject(db, project.projectId, { segmentsMade, index: false });
  }
  await db
    .updateTable("reembeddings")
    .set({ ready_at: input.leaseUntil, attempts: 0, progressed_at: now })
    .where("project_id", "=", input.projectId)
    .execute();
  await addTokens(db, charge);
  await addUsage(db, { ...project, now, tokens, documents: 0, chunks: 0 });
  if (isUsedUp) return "token_limit";
  return documents === null ? "changed" : "staged";
}

async function writeVectors(
  db: Database,
  { projectId, vectorSet }: StageBatch,
  vectors: readonly StagedVector[],
): Promise<void> {
  for (const part of partsOf(vectors, maxVectors)) {
    await db
      .insertInto("moved_vectors")
      .values(
        part.map(({ contentHash, vector }) => ({
          project_id: projectId,
          vector_set: vectorSet,
          content_hash: contentHash,
          vector: vectorBytes(vector),
        })),
      )
      .onConflict((conflict) => conflict.columns(["project_id", "vector_set", "content_hash"]).doNothing())
      .execute();
  }
}

/**
 * The documents of the staged segment. null where a version no longer exists, or its staged chunks do not end where its place
 * begins: so the staged chunks of a version are always its first ones, and their number says which they are.
 */
async function placeDocuments(
  db: Database,
  { projectId, vectorSet, places }: StageBatch,
): Promise<readonly SegmentDocument[] | null> {
  const ids = padded(places.map(({ versionId }) => versionId));
  if (ids.length === 0) return null;
  const versions = await db
    .selectFrom("document_versions")
    .select(["version_id", "state", "chunk_count"])
    .where("project_id", "=", projectId)
    .where("version_id", "in", ids)
    .execute();
  const staged = await db
    .selectFrom("segment_documents as d")
    .innerJoin("segments as s", (join) =>
      join.onRef("s.project_id", "=", "d.project_id").onRef("s.segment_id", "=", "d.segment_id"),
    )
    .select(["d.version_id", "d.chunk_count"])
    .where("d.project_id", "=", projectId)
    .where("d.version_id", "in", ids)
    .where("d.state", "<>", "dead")
    .where("s.vector_set", "=", vectorSet)
    .execute();
  const byId = new Map(versions.map((version) => [version.version_id, version]));
  const ends = new Map<number, number>();
  for (const row of staged) ends.set(row.version_id, (ends.get(row.version_id) ?? 0) + row.chunk_count);
  const documents: SegmentDocument[] = [];
  for (const { versionId, from, count } of places) {
    const version = byId.get(versionId);
    const isNext = (ends.get(versionId) ?? 0) === from;
    if (version === undefined || !isNext || from + count > version.chunk_count) return null;
    documents.push({ versionId, chunkCount: count, state: version.state === "live" ? "live" : "staged" });
  }
  return documents;
}

export async function switchSpace(
  db: Database,
  input: Input<"switchSpace">,
): Promise<"switched" | "unfinished" | "lease_lost"> {
  const { projectId, vectorSet } = input;
  if ((await lockProject(db, projectId)) === null) return "lease_lost";
  const held = await findHeld(db, input);
  if (held === undefined || held.staged_set !== vectorSet) return "lease_lost";
  const { rows: unfinished } = await unfinishedVersions({ projectId, vectorSet, from: 0 }, 1).execute(db);
  if (unfinished.length > 0) return "unfinished";
  const { config } = await db
    .selectFrom("projects")
    .select("config")
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  const { model, dimensions } = targetSpaceOf(held);
  const moved: ProjectConfig = {
    ...(JSON.parse(config) as ProjectConfig), // Written only by `createProject` and here.
    embeddingModel: model,
    embeddingDimensions: dimensions,
  };
  const { count } = await db
    .selectFrom("segments")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("project_id", "=", projectId)
    .where("vector_set", "=", vectorSet)
    .executeTakeFirstOrThrow();
  await db
    .updateTable("projects")
    .set({ config: JSON.stringify(moved), vector_set: vectorSet, segment_count: count })
    .where("project_id", "=", projectId)
    .execute();
  await changeProject(db, projectId, { index: true });
  const { total } = await countChunks(db, projectId, vectorSet);
  await db
    .updateTable("reembeddings")
    .set({
      status: "completed",
      ready_at: null,
      lease_token: null,
      completed_at: input.now,
      chunks_processed: total,
      chunks_total: total,
      staged_set: null,
      staged_until: null,
      cleanup_at: cleanupNow,
      cleanup_version: 0,
      cleanup_position: 0,
    })
    .where("project_id", "=", projectId)
    .execute();
  return "switched";
}
