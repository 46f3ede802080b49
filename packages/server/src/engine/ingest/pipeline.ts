/** One document after the other into chunks, vectors and an index segment; one transaction per batch. */
import { setImmediate } from "node:timers/promises";
import { type EmbeddedChunk, indexedText } from "../../domain/document.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { PassageReader } from "../../ports/passage-reader.ts";
import type { CommitOutcome, CommittedPart, Store } from "../../ports/store.ts";
import { buildSegment, type IndexableChunk } from "../index/build.ts";
import { type BatchPart, type HashedChunk, takeBatches } from "./batches.ts";
import { createGraphReading, type GraphReading } from "./chunk-graphs.ts";

export interface IngestDeps {
  readonly store: Pick<Store, "commitBatch" | "findVectorsByHash">;
  readonly embedder: Embedder;
  readonly passages: PassageReader;
  /** Limit of the embedding model, without its special tokens. */
  readonly maxTokens: number;
  readonly batchChunks: number;
  readonly tokenLimit: number | null;
  readonly leaseMs: number;
  readonly now: () => number;
  /** The meter's month at a time. */
  readonly monthOf: (now: number) => string;
}

export interface Claim {
  readonly leaseToken: string;
  /** All of one project. */
  readonly jobs: readonly ClaimedJob[];
  /** Asked before each batch is committed; true ends the work with that batch. */
  readonly shouldYield: () => Promise<boolean>;
  readonly onCommitted: (parts: readonly CommittedPart[]) => void;
}

/** "done": all jobs completed. "yielded": there may be more to do. Otherwise the store refused the batch and why. */
export type IngestOutcome = "done" | "yielded" | Exclude<CommitOutcome, "committed">;

/**
 * Ingests the claimed jobs batch by batch. While one batch is committed the next is already embedded.
 * @throws what the embedder or the store throws; committed batches stay.
 */
export async function ingestJobs(claim: Claim, deps: IngestDeps): Promise<IngestOutcome> {
  const batches = takeBatches(claim.jobs, {
    maxTokens: deps.maxTokens,
    countTokens: (text) => deps.embedder.countTokens(text),
    batchChunks: deps.batchChunks,
  });
  const graph = createGraphReading(deps.passages);
  let prepared = prepareNext(batches, graph, deps);
  for (;;) {
    const parts = await prepared;
    if (parts === null) return "done";
    // Asked before the next batch is begun, so that nothing is embedded in vain.
    const yielding = await claim.shouldYield();
    if (!yielding) {
      prepared = prepareNext(batches, graph, deps);
      prepared.catch(() => undefined); // Awaited above in the next round; here only while the commit runs.
    }
    const outcome = await commit(parts, claim, deps);
    if (outcome !== "committed") return outcome;
    claim.onCommitted(parts);
    if (yielding) return "yielded";
  }
}

async function prepareNext(
  batches: Generator<readonly BatchPart[] | null>,
  graph: GraphReading,
  deps: IngestDeps,
): Promise<readonly CommittedPart[] | null> {
  for (;;) {
    const next = batches.next();
    if (next.done === true) return null;
    if (next.value !== null) return Promise.all(next.value.map((part) => readPart(part, graph, deps)));
    await setImmediate(); // Other lanes, heartbeats and the drain get their turn.
  }
}

/** The chunks of a part with their vectors and what they contribute to the graph. */
async function readPart(part: BatchPart, graph: GraphReading, deps: IngestDeps): Promise<CommittedPart> {
  const reading = graph.read(part.job, part.chunks);
  reading?.catch(() => undefined); // Awaited below, unless the embedder fails first.
  if (part.finished) graph.forget(part.job.jobId);
  const { chunks, tokens } = await embedChunks(part, deps);
  const graphs = await reading;
  return {
    ...{ jobId: part.job.jobId, versionId: part.job.versionId, chunks, tokens, finished: part.finished },
    ...(graphs === undefined ? {} : { graph: graphs }),
  };
}

async function embedChunks(
  part: BatchPart,
  deps: IngestDeps,
): Promise<Pick<CommittedPart, "chunks" | "tokens">> {
  const known = await findKnownVectors(part, deps);
  let tokens = 0;
  const embed = async (chunk: HashedChunk): Promise<EmbeddedChunk> => {
    const vector = known.get(chunk.contentHash);
    if (vector !== undefined) return { ...chunk, vector };
    tokens += chunk.tokenCount;
    return { ...chunk, vector: await deps.embedder.embed(indexedText(chunk)) };
  };
  return { chunks: await Promise.all(part.chunks.map(embed)), tokens };
}

/** Unchanged chunks of a replaced document keep their vectors. */
async function findKnownVectors(
  part: BatchPart,
  deps: IngestDeps,
): Promise<ReadonlyMap<string, Float32Array>> {
  const { projectId, replacesVersionId } = part.job;
  if (replacesVersionId === null || part.chunks.length === 0) return new Map();
  const hashes = [...new Set(part.chunks.map((chunk) => chunk.contentHash))];
  return deps.store.findVectorsByHash({ projectId, versionId: replacesVersionId, hashes });
}

async function commit(
  parts: readonly CommittedPart[],
  claim: Claim,
  deps: IngestDeps,
): Promise<CommitOutcome> {
  const now = deps.now();
  const [first] = claim.jobs;
  if (first === undefined) return "committed";
  const jobs = new Map(claim.jobs.map((job) => [job.jobId, job]));
  const chunks = parts.flatMap((part) => indexable(part, jobs.get(part.jobId)!)); // Parts are of the claim's jobs.
  return deps.store.commitBatch({
    projectId: first.projectId,
    leaseToken: claim.leaseToken,
    now,
    leaseUntil: now + deps.leaseMs,
    segment: chunks.length === 0 ? null : buildSegment(chunks),
    parts,
    tokenLimit: deps.tokenLimit,
    month: deps.monthOf(now),
  });
}

function indexable(part: CommittedPart, job: ClaimedJob): readonly IndexableChunk[] {
  return part.chunks.map((chunk) => ({
    versionId: part.versionId,
    sourceDocId: job.sourceDocId,
    metadata: job.metadata,
    position: chunk.position,
    indexedText: indexedText(chunk),
    vector: chunk.vector,
  }));
}
