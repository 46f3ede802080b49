/** Builds a damaged segment again from the chunks, and checks the segments of a project for damage. */
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

/** "changed": the project changed meanwhile, or the service is stopping; nothing was written, and it can be tried again. */
export type RepairOutcome = "repaired" | "changed";

/** Chunks that a segment has to hold are not stored: it cannot be built again. */
export class MissingChunksError extends Error {
  constructor({ projectId, segmentId }: SegmentKey, detail: string) {
    super(
      `Segment ${segmentId} of project ${projectId} cannot be built again: ${detail}. ` +
        "Restore a backup, or delete the project and ingest its documents again.",
    );
    this.name = "MissingChunksError";
  }
}

/** Chunks that are read, and built into one piece, at a time: 2 MB of texts and vectors. */
const PAGE_CHUNKS = 1_024;

/**
 * Builds one segment from the rows of its chunks and puts it in the place of the damaged one, without its dead
 * versions, by one transaction. Which chunks of a version it has to hold is what no other segment holds; where several
 * damaged ones share a version, each takes the lowest positions that are left, as many as it held.
 * @throws MissingChunksError, and DamagedIndexError for another segment that turns out to be damaged
 */
export async function repairSegment(target: SegmentKey, deps: RepairDeps): Promise<RepairOutcome> {
  const { store } = deps;
  const repair = await store.readRepair(target);
  if (repair === null) return "changed";
  const held = await readHeldPositions(target, repair, deps);
  if (held === null) return "changed";
  const built = await buildPieces(target, { repair, keys: keysOf(target, repair, held) }, deps);
  if (built === null) return "changed";
  const whole = await joinPieces(built, deps.work);
  const isReplaced = await store.replaceSegments({
    projectId: target.projectId,
    segmentIds: [target.segmentId],
    bytes: whole.bytes,
    chunkCount: whole.chunkCount,
    droppedVersions: repair.dead,
    beside: repair.beside.map(({ segmentId }) => segmentId),
  });
  return isReplaced ? "repaired" : "changed";
}

/** Reads every segment of a project that is not marked as damaged; those that are damaged, with what is wrong. */
export async function findDamage(projectId: string, deps: RepairDeps): Promise<readonly DamagedIndexError[]> {
  const { store, stopping } = deps;
  const state = await store.readIndexState({ projectId });
  const known = new Set(await store.listDamagedSegments({ projectId }));
  const found: DamagedIndexError[] = [];
  for (const { segmentId, chunkCount } of state?.segments ?? []) {
    if (stopping()) break;
    if (known.has(segmentId)) continue;
    const damage = await lookForDamage({ projectId, segmentId }, chunkCount, deps);
    if (damage !== null) found.push(damage);
  }
  return found;
}

async function lookForDamage(
  key: SegmentKey,
  chunkCount: number,
  { store, work }: RepairDeps,
): Promise<DamagedIndexError | null> {
  try {
    const bytes = await readSegmentBytes(key, store);
    if (bytes === null) return null;
    const looked = await work.positions({ bytes, chunkCount }, []);
    return looked.kind === "damaged" ? damageOf(key, looked) : null;
  } catch (error) {
    if (error instanceof DamagedIndexError) return error;
    throw error;
  }
}

type Held = ReadonlyMap<number, ReadonlySet<number>>;

/** By version: the positions that sound segments hold. null when one of them is gone. */
async function readHeldPositions(
  target: SegmentKey,
  repair: SegmentRepair,
  { store, work }: RepairDeps,
): Promise<Held | null> {
  const { projectId } = target;
  const held = new Map<number, Set<number>>();
  for (const { versionId, chunkCount, versionChunkCount } of repair.documents) {
    if (chunkCount < versionChunkCount) held.set(versionId, new Set());
  }
  for (const { segmentId, chunkCount, isDamaged } of repair.beside) {
    if (isDamaged) continue;
    const bytes = await readSegmentBytes({ projectId, segmentId }, store);
    if (bytes === null) return null;
    const found = await work.positions({ bytes, chunkCount }, [...held.keys()]);
    if (found.kind === "damaged") throw damageOf({ projectId, segmentId }, found);
    for (const [versionId, positions] of found.positions) {
      for (const position of positions) held.get(versionId)?.add(position);
    }
  }
  return held;
}

/** @throws MissingChunksError when fewer chunks are left for the segment than it held */
function keysOf(target: SegmentKey, repair: SegmentRepair, held: Held): readonly ChunkKey[] {
  const keys = repair.documents.flatMap((document) => {
    const left = freePositions(document, held.get(document.versionId));
    if (left.length === document.chunkCount) return left;
    const detail = `it held ${document.chunkCount} chunks of version ${document.versionId}, of which ${left.length} are left`;
    throw new MissingChunksError(target, detail);
  });
  if (keys.length === repair.liveChunkCount) return keys;
  throw new MissingChunksError(
    target,
    `it held ${repair.liveChunkCount} chunks, of which ${keys.length} are of documents that are stored`,
  );
}

function freePositions(document: RepairDocument, held: ReadonlySet<number> | undefined): ChunkKey[] {
  const left: ChunkKey[] = [];
  for (let position = 0; position < document.versionChunkCount; position++) {
    if (left.length === document.chunkCount) break;
    if (held?.has(position) !== true) left.push({ versionId: document.versionId, position });
  }
  return left;
}

/** The segment in pieces of a page each, so that no more than one is in memory as text; null when something changed. */
async function buildPieces(
  target: SegmentKey,
  { repair, keys }: { readonly repair: SegmentRepair; readonly keys: readonly ChunkKey[] },
  deps: RepairDeps,
): Promise<readonly StoredMergeInput[] | null> {
  const documents = new Map(repair.documents.map((document) => [document.versionId, document]));
  const pieces: StoredMergeInput[] = [];
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
    if (bytes !== null) pieces.push({ bytes, chunkCount, hiddenForGood: [] });
  }
  return pieces;
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

/** Whether a version was deleted, or the segment replaced, since the repair began. */
async function hasChanged(
  target: SegmentKey,
  before: SegmentRepair,
  { store }: RepairDeps,
): Promise<boolean> {
  const now = await store.readRepair(target);
  return now === null || now.liveChunkCount !== before.liveChunkCount;
}

async function joinPieces(
  pieces: readonly StoredMergeInput[],
  work: SegmentWork,
): Promise<{ readonly bytes: Uint8Array | null; readonly chunkCount: number }> {
  const [first] = pieces;
  if (first === undefined) return { bytes: null, chunkCount: 0 };
  if (pieces.length === 1) return first;
  const whole = await work.merge(pieces);
  if (whole.kind === "damaged") throw new Error(`What was just built cannot be read: ${whole.fault}`);
  return whole;
}

function damageOf(key: SegmentKey, { fault }: DamagedInput): DamagedIndexError {
  return new DamagedIndexError(key, new Error(fault));
}
