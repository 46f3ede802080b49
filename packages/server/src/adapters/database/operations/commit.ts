import { isSameSpace } from "../../../domain/embedding-space.ts";
import { jobFailures } from "../../../domain/errors.ts";
import type { CommitBatch, CommitOutcome, CommittedPart } from "../../../ports/store.ts";
import type { Database, SegmentDocumentState, VersionState } from "../schema.ts";
import { insertRows } from "./bulk.ts";
import { touchDocuments } from "./document-rows.ts";
import { encodeUtf8, vectorBytes } from "./encoding.ts";
import { failHeldJobs } from "./failure.ts";
import type { Created } from "./graph-created.ts";
import { type VersionPart, writeEvidence } from "./graph-evidence.ts";
import { changeGraph } from "./graph-ledger.ts";
import { writePassages } from "./graph-passages.ts";
import { finishJobs } from "./job-rows.ts";
import { changeProject, type LockedProject, lockProject } from "./project-row.ts";
import { addTokens, isLimitUsedUp } from "./token-meter.ts";
import { addUsage } from "./usage.ts";
import { findLiveVersions, switchVersions } from "./version-rows.ts";

export async function commitBatch(db: Database, input: CommitBatch): Promise<CommitOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null || !isSameSpace(project.space, input.space)) return "lease_lost";
  const parts = await matchParts(db, input);
  if (parts === null) return "lease_lost";

  const tokens = input.parts.reduce((sum, part) => sum + part.tokens, 0);
  const charge = { accountId: project.accountId, month: input.month, tokens };
  if (await isLimitUsedUp(db, charge, input.tokenLimit)) {
    const held = parts.map((part) => ({ seq: part.seq, sourceDocId: part.sourceDocId }));
    await failHeldJobs(db, project, { jobs: held, now: input.now, errorMessage: jobFailures.tokenLimit });
    return "token_limit";
  }

  await writeChunks(db, input);
  await writeEvidence(db, input);
  const documents = parts.map(({ sourceDocId }) => sourceDocId);
  const live = await findLiveVersions(db, project.projectId, documents);
  const { states, places } = await openVersions(db, project, { parts, live });
  await writePassages(db, input, (versionId) => states.get(versionId) === "live");
  await writeSegment(db, project, { batch: input, places });
  const created = await showParts(db, project, { parts, states, live });
  await advanceJobs(db, input, { parts, created });
  const finished = parts.filter(({ part }) => part.finished);
  await touchDocuments(db, {
    projectId: project.projectId,
    sourceDocIds: finished.map(({ sourceDocId }) => sourceDocId),
    now: input.now,
  });
  await finishJobs(db, project, {
    jobs: finished.map(({ seq, sourceDocId, chunkCount }) => ({
      seq,
      sourceDocId,
      chunksProcessed: chunkCount,
    })),
    now: input.now,
    errorMessage: null,
  });
  await addTokens(db, charge);
  const chunks = input.parts.reduce((sum, part) => sum + part.chunks.length, 0);
  await addUsage(db, { ...project, now: input.now, tokens, documents: 0, chunks });
  return "committed";
}

/** A part of the batch beside the rows that it belongs to. */
interface MatchedPart {
  readonly part: CommittedPart;
  readonly seq: number;
  readonly sourceDocId: string;
  readonly versionState: VersionState;
  /** Chunks of the version once this part is in. */
  readonly chunkCount: number;
}

/** Null when a job is no longer held, works on another version, or the chunks do not go on where the version ends. */
async function matchParts(db: Database, input: CommitBatch): Promise<readonly MatchedPart[] | null> {
  const rows = await db
    .selectFrom("jobs as j")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "j.project_id").onRef("v.version_id", "=", "j.version_id"),
    )
    .select(["j.job_id", "j.seq", "j.source_doc_id", "j.version_id", "v.state", "v.chunk_count"])
    .where("j.project_id", "=", input.projectId)
    .where("j.lease_token", "=", input.leaseToken)
    .orderBy("j.seq")
    .forUpdate("j")
    .execute();
  const held = new Map(rows.map((row) => [row.job_id, row]));
  const matched: MatchedPart[] = [];
  for (const part of input.parts) {
    const row = held.get(part.jobId);
    held.delete(part.jobId); // A second part of the same job matches nothing.
    if (row === undefined || row.version_id !== part.versionId) return null;
    if (part.chunks.some((chunk, index) => chunk.position !== row.chunk_count + index)) return null;
    matched.push({
      part,
      seq: row.seq,
      sourceDocId: row.source_doc_id,
      versionState: row.state,
      chunkCount: row.chunk_count + part.chunks.length,
    });
  }
  return matched;
}

async function writeChunks(db: Database, input: CommitBatch): Promise<void> {
  const rows = input.parts.flatMap((part) =>
    part.chunks.map((chunk) => ({
      project_id: input.projectId,
      version_id: part.versionId,
      position: chunk.position,
      start_offset: chunk.start,
      end_offset: chunk.end,
      token_count: chunk.tokenCount,
      content_hash: chunk.contentHash,
      vector: vectorBytes(chunk.vector),
      header: encodeUtf8(chunk.header),
      text: encodeUtf8(chunk.text),
    })),
  );
  await insertRows(db, "chunks", rows);
}

interface VersionPlace {
  readonly versionId: number;
  readonly chunkCount: number;
  readonly state: SegmentDocumentState;
}

/**
 * Counts the new chunks and makes a version's first batch visible if it is its document's first version,
 * hidden if it replaces one. Returns where the batch's chunks stand, and the state of each version.
 */
async function openVersions(
  db: Database,
  project: LockedProject,
  { parts, live }: { parts: readonly MatchedPart[]; live: ReadonlyMap<string, number> },
): Promise<{ places: readonly VersionPlace[]; states: ReadonlyMap<number, VersionState> }> {
  const places: VersionPlace[] = [];
  const states = new Map<number, VersionState>();
  for (const { part, sourceDocId, versionState, chunkCount } of parts) {
    let state = versionState;
    if (state === "new") state = live.has(sourceDocId) ? "staged" : "live";
    await db
      .updateTable("document_versions")
      .set({ state, chunk_count: chunkCount })
      .where("project_id", "=", project.projectId)
      .where("version_id", "=", part.versionId)
      .execute();
    states.set(part.versionId, state);
    if (part.chunks.length > 0) {
      places.push({ versionId: part.versionId, chunkCount: part.chunks.length, state });
    }
  }
  await changeProject(db, project.projectId, { index: true });
  return { places, states };
}

async function writeSegment(
  db: Database,
  project: LockedProject,
  input: { batch: CommitBatch; places: readonly VersionPlace[] },
): Promise<void> {
  const bytes = input.batch.segment;
  if (bytes === null || input.places.length === 0) return;
  const ids = { project_id: project.projectId, segment_id: project.nextSegmentId };
  await db
    .insertInto("segments")
    .values({
      ...ids,
      byte_length: bytes.byteLength,
      chunk_count: input.places.reduce((sum, place) => sum + place.chunkCount, 0),
      dead_chunk_count: 0,
      repair_failures: 0,
      vector_set: project.vectorSet,
    })
    .execute();
  await db
    .insertInto("segment_blobs")
    .values({ ...ids, bytes })
    .execute();
  const rows = input.places.map((place) => ({
    ...ids,
    version_id: place.versionId,
    chunk_count: place.chunkCount,
    state: place.state,
  }));
  await insertRows(db, "segment_documents", rows);
  await changeProject(db, project.projectId, { segmentsMade: 1, segmentCount: 1, index: false });
}

/** The jobs' counts, and a lease that starts anew. A job that got on may be tried as often as a new one. */
async function advanceJobs(
  db: Database,
  input: CommitBatch,
  { parts, created }: { parts: readonly MatchedPart[]; created: ReadonlyMap<number, Created> },
): Promise<void> {
  for (const { part, seq } of parts) {
    const { nodes, edges } = created.get(part.versionId) ?? { nodes: 0, edges: 0 };
    await db
      .updateTable("jobs")
      .set((eb) => ({
        chunks_processed: eb("chunks_processed", "+", part.chunks.length),
        chunks_total: part.chunksTotal ?? eb.ref("chunks_total"),
        nodes_created: eb("nodes_created", "+", nodes),
        edges_created: eb("edges_created", "+", edges),
        attempts: part.chunks.length > 0 ? 0 : eb.ref("attempts"),
        ready_at: input.leaseUntil,
      }))
      .where("project_id", "=", input.projectId)
      .where("seq", "=", seq)
      .execute();
  }
}

/**
 * Brings into the graph what goes into versions that are seen already, and switches the finished versions in, each in place of
 * the one that it replaces: jobs of one document never share a batch. Tells what is new by each version.
 */
async function showParts(
  db: Database,
  project: LockedProject,
  input: {
    parts: readonly MatchedPart[];
    states: ReadonlyMap<number, VersionState>;
    live: ReadonlyMap<string, number>;
  },
): Promise<ReadonlyMap<number, Created>> {
  const added: VersionPart[] = [];
  const hidden: number[] = [];
  const replaced: number[] = [];
  for (const { part, sourceDocId } of input.parts) {
    const { versionId, finished, chunks } = part;
    if (input.states.get(versionId) === "live") {
      if (chunks[0] !== undefined) added.push({ versionId, from: chunks[0].position });
    } else if (finished) {
      added.push({ versionId, from: 0 });
      hidden.push(versionId);
      const live = input.live.get(sourceDocId);
      if (live !== undefined) replaced.push(live);
    }
  }
  const created = await changeGraph(db, { projectId: project.projectId, added, removed: replaced });
  const finished = input.parts.filter(({ part }) => part.finished).map(({ part }) => part.versionId);
  await switchVersions(db, project, { finished, hidden, replaced });
  return created;
}
