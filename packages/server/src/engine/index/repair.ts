/** Rebuilds damaged or outdated segments from their stored chunks, and checks the segments of a project for damage. */
import { type ChunkKey, indexedText } from "../../domain/document.ts";
import { DamagedIndexError, type SegmentKey } from "../../domain/index-damage.ts";
import type { IndexedChunk, IndexStore, RepairDocument, SegmentRepair } from "../../ports/store.ts";
import type { IndexableChunk } from "./build.ts";
import { readSegmentBytes } from "./read-segment.ts";
import type { DamagedInput, SegmentWork, StoredMergeInput } from "./segment-work.ts";

export interface RepairDeps {
  readonly store: Pick<
    IndexStore,
    | "readIndexState"
    | "readSegment"
    | "listDamagedSegments"
    | "readRepair"
    | "readIndexedChunks"
    | "replaceSegments"
  >;
  readonly work: SegmentWork;
  readonly stopping: () => boolean;
}

/**
 * "changed": the project changed during the repair, or the service is stopping. Nothing was written; the
 * repair can be retried.
 */
export type RepairOutcome = "repaired" | "changed";

/** Chunks that belong in a segment are not stored, so it cannot be rebuilt. */
export class MissingChunksError extends Error {
  constructor({ projectId, segmentId }: SegmentKey, detail: string) {
    super(
      `Segment ${segmentId} of project ${projectId} cannot be built again: ${detail}. ` +
        "Restore a backup, or delete the project and ingest its documents again.",
    );
    this.name = "MissingChunksError";
  }
}

/** Chunks that are read and built at a time: 2 MB of texts and vectors. */
const PAGE_CHUNKS = 1_024;

/**
 * Rebuilds one damaged or outdated segment from the rows of its chunks, without its dead versions, and replaces it in one
 * transaction. The segment gets those chunks of each version that no other segment holds. If several damaged
 * segments share a version, each gets the lowest remaining positions, as many as it held before.
 * @throws MissingChunksError, and DamagedIndexError if another segment proves to be damaged
 */
export async function repairSegment(target: SegmentKey, deps: RepairDeps): Promise<RepairOutcome> {
  const { store } = deps;
  const repair = await store.readRepair(target);
  if (repair === null) return "changed";
  const held = await readHeldPositions(target, repair, deps);
  if (held === null) return "changed";
  const parts = await buildParts(target, { repair, keys: keysOf(target, repair, held) }, deps);
  if (parts === null) return "changed";
  const rebuilt = await mergeParts(parts, deps.work);
  const isReplaced = await store.replaceSegments({
    projectId: target.projectId,
    segmentIds: [target.segmentId],
    bytes: rebuilt.bytes,
    chunkCount: rebuilt.chunkCount,
    droppedVersions: repair.dead,
    beside: repair.beside.map(({ segmentId }) => segmentId),
  });
  return isReplaced ? "repaired" : "changed";
}

/**
 * Reads every segment of a project that is not marked as damaged, and returns the errors of those that are.
 */
export async function findDamage(projectId: string, deps: RepairDeps): Promise<readonly DamagedIndexError[]> {
  const { store, stopping } = deps;
  const state = await store.readIndexState({ projectId });
  const known = new Set(await store.listDamagedSegments({ projectId }));
  const damages: DamagedIndexError[] = [];
  for (const { segmentId, chunkCount } of state?.segments ?? []) {
    if (stopping()) break;
    if (known.has(segmentId)) continue;
    const damage = await checkForDamage({ projectId, segmentId }, chunkCount, deps);
    if (damage !== null) damages.push(damage);
  }
  return damages;
}

async function checkForDamage(
  key: SegmentKey,
  chunkCount: number,
  { store, work }: RepairDeps,
): Promise<DamagedIndexError | null> {
  try {
    const bytes = await readSegmentBytes(key, store);
    if (bytes === null) return null;
    const result = await work.positions({ bytes, chunkCount }, []);
    return result.kind === "damaged" ? damageOf(key, result) : null;
  } catch (error) {
    if (error instanceof DamagedIndexError) return error;
    throw error;
  }
}

type PositionsByVersion = ReadonlyMap<number, ReadonlySet<number>>;

/** By version: the positions that undamaged segments hold. null if one of these segments no longer exists. */
async function readHeldPositions(
  target: SegmentKey,
  repair: SegmentRepair,
  { store, work }: RepairDeps,
): Promise<PositionsByVersion | null> {
  const { projectId } = target;
  const held = new Map<number, Set<number>>();
  for (const { versionId, chunkCount, versionChunkCount } of repair.documents) {
    if (chunkCount < versionChunkCount) held.set(versionId, new Set());
  }
  for (const { segmentId, chunkCount, isDamaged } of repair.beside) {
    if (isDamaged) continue;
    const bytes = await readSegmentBytes({ projectId, segmentId }, store);
    if (bytes === null) return null;
    const result = await work.positions({ bytes, chunkCount }, [...held.keys()]);
    if (result.kind === "damaged") throw damageOf({ projectId, segmentId }, result);
    for (const [versionId, positions] of result.positions) {
      for (const position of positions) held.get(versionId)?.add(position);
    }
  }
  return held;
}

/** @throws MissingChunksError if fewer chunks remain for the segment than it held */
function keysOf(target: SegmentKey, repair: SegmentRepair, held: PositionsByVersion): readonly ChunkKey[] {
  const keys = repair.documents.flatMap((document) => {
    const keys = freePositions(document, held.get(document.versionId));
    if (keys.length === document.chunkCount) return keys;
    const detail = `it held ${document.chunkCount} chunks of version ${document.versionId}, of which ${keys.length} are in no other segment`;
    throw new MissingChunksError(target, detail);
  });
  if (keys.length === repair.liveChunkCount) return keys;
  throw new MissingChunksError(
    target,
    `it held ${repair.liveChunkCount} chunks, of which ${keys.length} belong to stored documents`,
  );
}

function freePositions(document: RepairDocument, held: ReadonlySet<number> | undefined): ChunkKey[] {
  const keys: ChunkKey[] = [];
  for (let position = 0; position < document.versionChunkCount; position++) {
    if (keys.length === document.chunkCount) break;
    if (held?.has(position) !== true) keys.push({ versionId: document.versionId, position });
  }
  return keys;
}

/**
 * Builds the segment in parts of one page each, so that only one page of texts is in memory; null if
 * something changed.
 */
async function buildParts(
  target: SegmentKey,
  { repair, keys }: { readonly repair: SegmentRepair; readonly keys: readonly ChunkKey[] },
  deps: RepairDeps,
): Promise<readonly StoredMergeInput[] | null> {
  const documents = new Map(repair.documents.map((document) => [document.versionId, document]));
  const parts: StoredMergeInput[] = [];
  for (let start = 0; start < keys.length; start += PAGE_CHUNKS) {
    if (deps.stopping()) return null;
    const page = keys.slice(start, start + PAGE_CHUNKS);
    const rows = await deps.store.readIndexedChunks({
      projectId: target.projectId,
      vectorSet: repair.vectorSet,
      keys: page,
    });
    const chunks = rows.flatMap((row) => indexableChunks(row, documents));
    if (chunks.length < page.length) {
      if (await hasChanged(target, repair, deps)) return null;
      const missing = page.length - chunks.length;
      throw new MissingChunksError(target, `${missing} of its chunks are not stored`);
    }
    const { bytes, chunkCount } = await deps.work.build(chunks);
    if (bytes !== null) parts.push({ bytes, chunkCount, deadVersions: [] });
  }
  return parts;
}

function indexableChunks(
  row: IndexedChunk | null,
  documents: ReadonlyMap<number, RepairDocument>,
): IndexableChunk[] {
  const document = row === null ? undefined : documents.get(row.versionId);
  if (row === null || document === undefined) return [];
  const { versionId, position, vector } = row;
  const { sourceDocId, metadata } = document;
  return [{ versionId, sourceDocId, metadata, position, vector, indexedText: indexedText(row) }];
}

/** Whether a version was deleted or the segment was replaced since the repair began. */
async function hasChanged(
  target: SegmentKey,
  before: SegmentRepair,
  { store }: RepairDeps,
): Promise<boolean> {
  const now = await store.readRepair(target);
  return now === null || now.liveChunkCount !== before.liveChunkCount;
}

async function mergeParts(
  parts: readonly StoredMergeInput[],
  work: SegmentWork,
): Promise<{ readonly bytes: Uint8Array | null; readonly chunkCount: number }> {
  const [first] = parts;
  if (first === undefined) return { bytes: null, chunkCount: 0 };
  if (parts.length === 1) return first;
  const merged = await work.merge(parts);
  if (merged.kind === "damaged")
    throw new Error(`A segment that was just built cannot be read: ${merged.fault}`);
  return merged;
}

function damageOf(key: SegmentKey, { fault }: DamagedInput): DamagedIndexError {
  return new DamagedIndexError(key, new Error(fault));
}
