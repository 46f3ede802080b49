/** Stages vectors of another embedding space for the chunks of a project, while queries use the present ones; then switches. */
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
      | "readIndexState"
      | "readSegment"
      | "listDamagedSegments"
      | "listOutdatedSegments"
      | "replaceSegments"
      | "markMergeChecked"
    >;
  /** @throws EmbeddingError "missing" where the model is not configured */
  readonly embedderFor: (space: EmbeddingSpace, meter: EmbeddingMeter) => Embedder;
  /** How many batches are embedded in parallel. */
  readonly batchesAtOnce: (space: EmbeddingSpace) => number;
  readonly work: SegmentWork;
  /** Merging the staged segments failed. The move continues; they are merged with the other segments after the switch. */
  readonly onMergeFault: (error: unknown) => Promise<void>;
  readonly tokenLimit: number | null;
  readonly leaseMs: number;
  readonly now: () => number;
  /** The month in which tokens that are used at `now` are counted. */
  readonly monthOf: (now: number) => string;
}

export interface ReembedClaim {
  readonly leaseToken: string;
  readonly move: ClaimedReembedding;
  /** Called before each page; true ends the work there. */
  readonly shouldYield: () => boolean;
  /** A batch was staged. */
  readonly onProgress: () => void;
}

export type ReembedOutcome = "switched" | "yielded" | "lease_lost" | "token_limit";

/** Chunks in one call to the model, and in one transaction. */
const BATCH_CHUNKS = 64;
/** Rounds in a row that may stage nothing, because documents change or chunks cannot be read as they are listed. */
const MAX_IDLE_ROUNDS = 20;

/**
 * Stages page after page until every chunk has a vector of the new space. Chunks that are ingested meanwhile are staged last;
 * the switch checks in its own transaction that none is left. Staged segments are merged along the way, like listed ones.
 * @throws errors of the embedder and the store; staged batches stay
 */
export async function reembedProject(claim: ReembedClaim, deps: ReembedDeps): Promise<ReembedOutcome> {
  const { move, leaseToken } = claim;
  const { projectId, vectorSet } = move;
  const embedder = deps.embedderFor(move.to, move);
  const limit = BATCH_CHUNKS * deps.batchesAtOnce(move.to);
  let after: ChunkKey | null = null;
  let idleRounds = 0;
  let unmerged = 0;
  for (;;) {
    if (claim.shouldYield()) return "yielded";
    if (idleRounds > MAX_IDLE_ROUNDS)
      throw new Error(`No chunk of project ${projectId} could be staged in ${idleRounds} rounds.`);
    const page = await deps.store.listUnmovedChunks({ projectId, vectorSet, after, limit });
    if (page.length > 0) {
      const staged = await stagePage(page, { claim, embedder }, deps);
      if (typeof staged === "string") return staged;
      idleRounds = staged.batches > 0 ? 0 : idleRounds + 1;
      after = staged.isComplete ? keyOf(page.at(-1)) : null;
      unmerged += staged.batches;
      if (unmerged < MERGE_FACTOR) continue;
      unmerged = 0;
      await mergeStaged(claim, deps);
    } else if (after !== null) {
      after = null; // Lists again from the beginning, for chunks of earlier versions that were ingested meanwhile.
    } else {
      await mergeStaged(claim, deps);
      const outcome = await deps.store.switchSpace({ projectId, leaseToken, vectorSet, now: deps.now() });
      if (outcome !== "unfinished") return outcome;
      idleRounds += 1;
    }
  }
}

function keyOf(chunk: UnmovedChunk | undefined): ChunkKey | null {
  return chunk === undefined ? null : { versionId: chunk.versionId, position: chunk.position };
}

/** Merges until the staged segments need no merge. */
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
  /** Number of batches whose segment was staged. */
  readonly batches: number;
  /** False when a document changed meanwhile: the chunks are then listed again, with the vectors that were kept. */
  readonly isComplete: boolean;
}

/**
 * Embeds all batches of the page in parallel and stages them in order, each as soon as it is embedded. When one fails, the
 * vectors of the batches after it are still kept, because they are paid for; then the error is thrown.
 */
async function stagePage(
  page: readonly UnmovedChunk[],
  { claim, embedder }: { readonly claim: ReembedClaim; readonly embedder: Embedder },
  deps: ReembedDeps,
): Promise<StagedPage | "lease_lost" | "token_limit"> {
  const embeddings = new Map<string, Promise<Float32Array>>();
  const batches = batchesOf(page).map((chunks) => ({
    chunks,
    embedding: settle(embedBatch(chunks, { embedder, embeddings })),
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
    if (outcome !== "staged") continue;
    staged += 1;
    claim.onProgress();
  }
  if (failed !== null) throw failed.error;
  if (isLimited) return "token_limit";
  return { batches: staged, isComplete: staged === batches.length };
}

/** Turns a rejection into a value, so that it is not unhandled before its batch gets its turn. */
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
  /** Those that the store does not have yet. */
  readonly made: readonly StagedVector[];
  readonly tokens: number;
}

/** Embeds each text of a page once, in the first batch that has it; texts that have a staged vector are not embedded again. */
async function embedBatch(
  chunks: readonly UnmovedChunk[],
  page: { readonly embedder: Embedder; readonly embeddings: Map<string, Promise<Float32Array>> },
): Promise<EmbeddedBatch> {
  const { embedder, embeddings } = page;
  const vectors = new Map<string, Float32Array>();
  const missing = new Map<string, Promise<Float32Array>>();
  let tokens = 0;
  for (const chunk of chunks) {
    const { contentHash, vector } = chunk;
    if (vector !== null) vectors.set(contentHash, vector);
    else if (!embeddings.has(contentHash)) {
      tokens += chunk.tokenCount;
      embeddings.set(contentHash, embedder.embed(indexedText(chunk)));
    }
    const embedding = embeddings.get(contentHash);
    if (vector === null && embedding !== undefined) missing.set(contentHash, embedding);
  }
  // Includes texts that another batch embeds: that batch may fail, and the segment of this one needs their vectors.
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
    const vector = vectors.get(chunk.contentHash)!; // `embedBatch` returns one for each chunk.
    return { versionId, sourceDocId, metadata, position, indexedText: indexedText(chunk), vector };
  });
  return {
    projectId: move.projectId,
    leaseToken,
    now,
    leaseUntil: now + deps.leaseMs,
    vectorSet: move.vectorSet,
    vectors: made,
    tokens,
    segment: buildSegment(indexable),
    places: placesOf(chunks),
    tokenLimit: deps.tokenLimit,
    month: deps.monthOf(now),
  };
}

/** One place for each run of consecutive chunks of a version. The store refuses a batch in which a version has a gap. */
function placesOf(chunks: readonly UnmovedChunk[]): readonly StagedPlace[] {
  const places: { versionId: number; from: number; count: number }[] = [];
  for (const { versionId, position } of chunks) {
    const last = places.at(-1);
    if (last?.versionId === versionId && last.from + last.count === position) last.count += 1;
    else places.push({ versionId, from: position, count: 1 });
  }
  return places;
}
