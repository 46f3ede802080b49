/** One document after the other into chunks, vectors and an index segment; one transaction per batch. */
import { type EmbeddedChunk, indexedText } from "../../domain/document.ts";
import { type EmbeddingSpace, spaceOf } from "../../domain/embedding-space.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import { estimateChunks } from "../../domain/progress.ts";
import type { Embedder, EmbeddingMeter } from "../../ports/embedder.ts";
import type { PassageReader } from "../../ports/passage-reader.ts";
import type { CommitOutcome, CommittedPart, Store } from "../../ports/store.ts";
import { buildSegment, type IndexableChunk } from "../index/build.ts";
import { type BatchPart, type HashedChunk, takeBatches } from "./batches.ts";
import { createGraphReading, type GraphReading } from "./chunk-graphs.ts";
import type { ModelExtractor } from "./extract/model/create-model-extractor.ts";
import { JobGoneError } from "./job-gone.ts";
import { prepareAhead } from "./prepare-ahead.ts";

export interface IngestDeps {
  readonly store: Pick<Store, "commitBatch" | "findVectorsByHash">;
  /** The embedder of a project. @throws EmbeddingError "missing" where its model is not configured */
  readonly embedderFor: (space: EmbeddingSpace, meter: EmbeddingMeter) => Embedder;
  readonly passages: PassageReader;
  /** null where no language model is configured. */
  readonly extractor: ModelExtractor | null;
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
  /** Aborted with a JobGoneError when the job is not this claim's any more, or with another reason when all is to end at once. */
  readonly signalOf: (jobId: string) => AbortSignal;
}

/** "done": all jobs completed. "yielded": there may be more to do. Otherwise the store refused the batch and why. */
export type IngestOutcome = "done" | "yielded" | Exclude<CommitOutcome, "committed">;

/** Language models failed for chunks of these jobs, or they are gone; what comes before each is committed. */
export class JobsFailedError extends Error {
  readonly failures: readonly JobFailure[];

  constructor(failures: readonly JobFailure[]) {
    super(`${failures.length} jobs cannot go on`, { cause: failures[0]?.error });
    this.name = "JobsFailedError";
    this.failures = failures;
  }
}

export interface JobFailure {
  readonly jobId: string;
  readonly error: unknown;
}

/** Batches whose chunks a language model reads: while it answers for one, it is asked for the next. */
const MODEL_BATCHES = 2;

/**
 * Ingests the claimed jobs batch by batch. While one batch is committed the next is already embedded.
 * @throws JobsFailedError; what the embedder or the store throws; committed batches stay.
 */
export async function ingestJobs(claim: Claim, given: IngestDeps): Promise<IngestOutcome> {
  const [first] = claim.jobs;
  if (first === undefined) return "done";
  const { passages, extractor } = given;
  const graph = createGraphReading({ passages, extractor, signalOf: claim.signalOf });
  try {
    return await ingestAhead(claim, graph, {
      ...given,
      embedder: given.embedderFor(spaceOf(first.config), first),
    });
  } finally {
    // What was asked ahead in vain is not asked a second time while it is still under way.
    await graph.end();
  }
}

async function ingestAhead(claim: Claim, graph: GraphReading, deps: ProjectDeps): Promise<IngestOutcome> {
  const batches = takeBatches(claim.jobs, {
    maxTokens: deps.maxTokens,
    countTokens: (text) => deps.embedder.countTokens(text),
    batchChunks: deps.batchChunks,
  });
  const hasModel = deps.extractor !== null && claim.jobs[0]?.config.extraction === "model";
  const ahead = prepareAhead(batches, {
    atOnce: hasModel ? MODEL_BATCHES : 1,
    prepare: (batch) => Promise.all(batch.map((part) => readPart(part, graph, deps))),
  });
  const failed = new Map<string, JobFailure>();
  let isStopping = false;
  for (let batch = await ahead.take(); batch !== null; batch = await ahead.take()) {
    const ready = takeReady(batch, failed, claim);
    // Asked before the next batch is begun, so that nothing is embedded in vain.
    isStopping ||= failed.size > 0 || (await claim.shouldYield());
    if (!isStopping) ahead.fill();
    if (ready.length > 0) {
      const outcome = await commit(ready, claim, deps);
      if (outcome !== "committed") return outcome;
      claim.onCommitted(ready.map(({ part }) => part));
    }
    if (isStopping && ahead.isEmpty()) break;
  }
  if (failed.size > 0) throw new JobsFailedError([...failed.values()]);
  return isStopping ? "yielded" : "done";
}

/** What can be committed: nothing of a job that is gone, and nothing behind the chunk for which a job failed. */
function takeReady(
  batch: readonly PreparedPart[],
  failed: Map<string, JobFailure>,
  claim: Claim,
): readonly PreparedPart[] {
  return batch.filter(({ part, failure }) => {
    const { jobId } = part;
    if (failed.has(jobId)) return false;
    const reason: unknown = claim.signalOf(jobId).reason;
    const gone = reason instanceof JobGoneError ? reason : null;
    if (gone !== null) failed.set(jobId, { jobId, error: gone });
    else if (failure !== null) failed.set(jobId, failure);
    // A job that failed at its first chunk brings nothing.
    return gone === null && (part.finished || part.chunks.length > 0);
  });
}

/** Of the project that the claimed jobs are of. */
type ProjectDeps = IngestDeps & { readonly embedder: Embedder };

interface PreparedPart {
  readonly part: CommittedPart;
  readonly failure: JobFailure | null;
  /** A language model was paid for it. */
  readonly isPaid: boolean;
}

/** The chunks of a part with their vectors and what they contribute to the graph, up to where a language model failed. */
async function readPart(part: BatchPart, graph: GraphReading, deps: ProjectDeps): Promise<PreparedPart> {
  const { jobId, versionId } = part.job;
  const reading = graph.read(part.job, part.chunks);
  reading?.catch(() => undefined); // Awaited below, unless the embedder fails first.
  if (part.finished) graph.forget(jobId);
  const embedded = await embedChunks(part, deps);
  const read = await reading;
  const hasFailed = read !== undefined && read.failure !== null;
  const kept = hasFailed ? embedded.slice(0, read.graphs.length) : embedded;
  const last = kept.at(-1)?.chunk;
  return {
    part: {
      ...{ jobId, versionId, chunks: kept.map(({ chunk }) => chunk) },
      tokens: kept.reduce((sum, { tokens }) => sum + tokens, 0),
      finished: part.finished && !hasFailed,
      ...(last === undefined || part.finished ? {} : { chunksTotal: totalBehind(last, part.job.text) }),
      ...(read === undefined ? {} : { graph: read.graphs }),
    },
    failure: hasFailed ? { jobId, error: read.failure } : null,
    isPaid: read?.isPaid === true,
  };
}

function totalBehind({ position, end }: EmbeddedChunk, text: string): number {
  return estimateChunks(text.length, { count: position + 1, end });
}

/** Each chunk with the tokens that were embedded for it. */
async function embedChunks(
  part: BatchPart,
  deps: ProjectDeps,
): Promise<readonly { readonly chunk: EmbeddedChunk; readonly tokens: number }[]> {
  const known = await findKnownVectors(part, deps);
  const embed = async (chunk: HashedChunk) => {
    const vector = known.get(chunk.contentHash);
    if (vector !== undefined) return { chunk: { ...chunk, vector }, tokens: 0 };
    return {
      chunk: { ...chunk, vector: await deps.embedder.embed(indexedText(chunk)) },
      tokens: chunk.tokenCount,
    };
  };
  return Promise.all(part.chunks.map(embed));
}

/** Unchanged chunks of a replaced document keep their vectors. */
async function findKnownVectors(
  part: BatchPart,
  deps: ProjectDeps,
): Promise<ReadonlyMap<string, Float32Array>> {
  const { projectId, replacesVersionId } = part.job;
  if (replacesVersionId === null || part.chunks.length === 0) return new Map();
  const hashes = [...new Set(part.chunks.map((chunk) => chunk.contentHash))];
  const { model, dimensions } = deps.embedder;
  const space = { model, dimensions };
  return deps.store.findVectorsByHash({ projectId, versionId: replacesVersionId, space, hashes });
}

async function commit(
  batch: readonly PreparedPart[],
  claim: Claim,
  deps: ProjectDeps,
): Promise<CommitOutcome> {
  const parts = batch.map(({ part }) => part);
  const now = deps.now();
  const [{ projectId }] = claim.jobs as readonly [ClaimedJob]; // Parts are of the claim's jobs.
  const jobs = new Map(claim.jobs.map((job) => [job.jobId, job]));
  const chunks = parts.flatMap((part) => indexable(part, jobs.get(part.jobId)!)); // Parts are of the claim's jobs.
  return deps.store.commitBatch({
    projectId,
    space: { model: deps.embedder.model, dimensions: deps.embedder.dimensions },
    leaseToken: claim.leaseToken,
    now,
    leaseUntil: now + deps.leaseMs,
    segment: chunks.length === 0 ? null : buildSegment(chunks),
    parts,
    // A model's call was let through by the same limit just before: what was paid is not thrown away.
    tokenLimit: batch.some(({ isPaid }) => isPaid) ? null : deps.tokenLimit,
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
