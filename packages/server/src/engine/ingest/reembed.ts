/** Gives the chunks of a project vectors of another space, beside those that questions are answered from, and then switches. */
import { type ChunkKey, indexedText } from "../../domain/document.ts";
import type { EmbeddingSpace } from "../../domain/embedding-space.ts";
import type { Embedder, EmbeddingMeter } from "../../ports/embedder.ts";
import type {
  ClaimedReembedding,
  ReembedStore,
  StageBatch,
  StagedPlace,
  StagedVector,
  UnmovedChunk,
} from "../../ports/reembed-store.ts";
import type { Store } from "../../ports/store.ts";
import { buildSegment } from "../index/build.ts";
import { compactProject } from "../index/compact.ts";
import { MERGE_FACTOR } from "../index/merge-plan.ts";
import type { SegmentWork } from "../index/segment-work.ts";

export interface ReembedDeps {
  readonly store: Pick<ReembedStore, "listUnmovedChunks" | "stageBatch" | "switchSpace"> &
    Pick<
      Store,
      "readIndexState" | "readSegment" | "listDamagedSegments" | "replaceSegments" | "markMergeChecked"
    >;
  /** @throws EmbeddingError "missing" where the model is not configured */
  readonly embedderFor: (space: EmbeddingSpace, meter: EmbeddingMeter) => Embedder;
  /** How many batches of a space are embedded at once. */
  readonly batchesAtOnce: (space: EmbeddingSpace) => number;
  readonly work: SegmentWork;
  /** Segments were not merged; the move goes on, and they are merged with the listed ones later. */
  readonly onMergeFault: (error: unknown) => Promise<void>;
  readonly tokenLimit: number | null;
  readonly leaseMs: number;
  readonly now: () => number;
  /** The meter's month at a time. */
  readonly monthOf: (now: number) => string;
}

export interface ReembedClaim {
  readonly leaseToken: string;
  readonly move: ClaimedReembedding;
  /** Asked between pages; true ends the work there. */
  readonly shouldYield: () => boolean;
  /** Chunks were committed. */
  readonly onProgress: () => void;
}

export type ReembedOutcome = "switched" | "yielded" | "lease_lost" | "token_limit";

/** What is sent in one call, and committed in one transaction. */
const BATCH_CHUNKS = 64;
/** Looks in a row by which nothing could be staged, since documents were changing, or are not stored as they are listed. */
const MAX_STANDSTILLS = 20;

/**
 * Page after page until no chunk is without a vector of the new space; what is committed meanwhile comes last, and the switch finds
 * out in its own transaction whether there is more. Staged segments are merged as they come, as listed ones are.
 * @throws what the embedder or the store throws; staged batches stay
 */
export async function reembedProject(claim: ReembedClaim, deps: ReembedDeps): Promise<ReembedOutcome> {
  const { move, leaseToken } = claim;
  const { projectId, vectorSet } = move;
  const embedder = deps.embedderFor(move.to, move);
  const limit = BATCH_CHUNKS * deps.batchesAtOnce(move.to);
  let after: ChunkKey | null = null;
  let standstills = 0;
  let unmerged = 0;
  for (;;) {
    if (claim.shouldYield()) return "yielded";
    if (standstills > MAX_STANDSTILLS) throw new Error("The project's chunks are not as they are listed.");
    const page = await deps.store.listUnmovedChunks({ projectId, vectorSet, after, limit });
    if (page.length > 0) {
      const staged = await stagePage(page, { claim, embedder }, deps);
      if (typeof staged === "string") return staged;
      if (staged.batches > 0) claim.onProgress();
      standstills = staged.batches > 0 ? 0 : standstills + 1;
      after = staged.isWhole ? keyOf(page.at(-1)) : null;
      unmerged += staged.batches;
      if (unmerged < MERGE_FACTOR) continue;
      unmerged = 0;
      await mergeStaged(claim, deps);
    } else if (after !== null) {
      after = null; // What came in behind the page that was looked at.
    } else {
      await mergeStaged(claim, deps);
      const outcome = await deps.store.switchSpace({ projectId, leaseToken, vectorSet, now: deps.now() });
      if (outcome !== "unfinished") return outcome;
      standstills += 1;
    }
  }
}

function keyOf(chunk: UnmovedChunk | undefined): ChunkKey | null {
  return chunk === undefined ? null : { versionId: chunk.versionId, position: chunk.position };
}

/** One merge after the other, until the segments are in order. */
async function mergeStaged({ move, shouldYield }: ReembedClaim, deps: ReembedDeps): Promise<void> {
  const { projectId, vectorSet } = move;
  try {
    while (!shouldYield()) {
      if (!(await compactProject({ projectId, vectorSet, isLastTry: false }, deps))) return;
    }
  } catch (error) {
    await deps.onMergeFault(error);
  }
}

interface StagedPage {
  /** How many of its batches have their segment. */
  readonly batches: number;
  /** False when a document was changing: what is behind it is listed again, its vectors with it. */
  readonly isWhole: boolean;
}

/**
 * All batches are embedded at once and staged in their order, each as soon as it can be. Where one fails the vectors of those behind it
 * are still kept, since they are paid for; then the failure is thrown.
 */
async function stagePage(
  page: readonly UnmovedChunk[],
  { claim, embedder }: { readonly claim: ReembedClaim; readonly embedder: Embedder },
  deps: ReembedDeps,
): Promise<StagedPage | "lease_lost" | "token_limit"> {
  const underWay = new Map<string, Promise<Float32Array>>();
  const batches = batchesOf(page).map((chunks) => ({
    chunks,
    embedding: settle(embedBatch(chunks, { embedder, underWay })),
  }));
  let staged = 0;
  let isLimited = false;
  let failed: { readonly error: unknown } | null = null;
  for (const { chunks, embedding } of batches) {
    const result = await embedding;
    if ("error" in result) {
      failed ??= result;
      continue;
    }
    const outcome = await deps.store.stageBatch(batchOf(chunks, { claim, ...result }, deps));
    if (outcome === "lease_lost") return outcome;
    if (outcome === "token_limit") isLimited = true;
    if (outcome === "staged") staged += 1;
  }
  if (failed !== null) throw failed.error;
  if (isLimited) return "token_limit";
  return { batches: staged, isWhole: staged === batches.length };
}

/** A failure as a value: it is looked at when its turn has come. */
async function settle<T>(work: Promise<T>): Promise<T | { readonly error: unknown }> {
  try {
    return await work;
  } catch (error) {
    return { error };
  }
}

function batchesOf(page: readonly UnmovedChunk[]): readonly (readonly UnmovedChunk[])[] {
  const batches: UnmovedChunk[][] = [];
  for (let start = 0; start < page.length; start += BATCH_CHUNKS)
    batches.push(page.slice(start, start + BATCH_CHUNKS));
  return batches;
}

interface EmbeddedBatch {
  /** By content hash, of all the batch's chunks. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Those that were made now. */
  readonly made: readonly StagedVector[];
  readonly tokens: number;
}

/** Each text of a page once, by the first batch that has it, and none that has a vector already. */
async function embedBatch(
  chunks: readonly UnmovedChunk[],
  {
    embedder,
    underWay,
  }: { readonly embedder: Embedder; readonly underWay: Map<string, Promise<Float32Array>> },
): Promise<EmbeddedBatch> {
  const vectors = new Map<string, Float32Array>();
  const missing = new Map<string, Promise<Float32Array>>();
  let tokens = 0;
  for (const chunk of chunks) {
    const { contentHash, vector } = chunk;
    if (vector !== null) vectors.set(contentHash, vector);
    else if (!underWay.has(contentHash)) {
      tokens += chunk.tokenCount;
      underWay.set(contentHash, embedder.embed(indexedText(chunk)));
    }
    const embedding = underWay.get(contentHash);
    if (vector === null && embedding !== undefined) missing.set(contentHash, embedding);
  }
  // Those of another batch, too: that one may fail, and this one's segment has them.
  const made = await Promise.all(
    [...missing].map(async ([contentHash, embedding]) => ({ contentHash, vector: await embedding })),
  );
  for (const { contentHash, vector } of made) vectors.set(contentHash, vector);
  return { vectors, made, tokens };
}

function batchOf(
  chunks: readonly UnmovedChunk[],
  { claim, vectors, made, tokens }: EmbeddedBatch & { readonly claim: ReembedClaim },
  deps: ReembedDeps,
): StageBatch {
  const { move, leaseToken } = claim;
  const now = deps.now();
  const indexable = chunks.map((chunk) => {
    const { versionId, sourceDocId, metadata, position } = chunk;
    const vector = vectors.get(chunk.contentHash)!; // One for each of them, by `embedBatch`.
    return { versionId, sourceDocId, metadata, position, indexedText: indexedText(chunk), vector };
  });
  return {
    ...{ projectId: move.projectId, leaseToken, now, leaseUntil: now + deps.leaseMs },
    ...{ vectorSet: move.vectorSet, vectors: made, tokens, segment: buildSegment(indexable) },
    places: placesOf(chunks),
    tokenLimit: deps.tokenLimit,
    month: deps.monthOf(now),
  };
}

/** Each run of a version's chunks; one with a gap in it fits nowhere. */
function placesOf(chunks: readonly UnmovedChunk[]): readonly StagedPlace[] {
  const places: { versionId: number; from: number; count: number }[] = [];
  for (const { versionId, position } of chunks) {
    const last = places.at(-1);
    if (last?.versionId === versionId && last.from + last.count === position) last.count += 1;
    else places.push({ versionId, from: position, count: 1 });
  }
  return places;
}
