/**
 * One ingest, from claimed jobs to committed batches. The functions stand in the order in which they run:
 * next batch → chunk → reuse or embed → read for the graph → build the segment → commit.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Chunk, type EmbeddedChunk, indexedText } from "../../domain/document.ts";
import { type EmbeddingSpace, isSameSpace, spaceOf } from "../../domain/embedding-space.ts";
import type { ClaimedJob } from "../../domain/job.ts";
import type { FindReadingNames, ReadingNames } from "../../domain/ontology/read-names.ts";
import { estimateChunks } from "../../domain/progress.ts";
import type { Embedder, EmbeddingMeter } from "../../ports/embedder.ts";
import type { PassageReader } from "../../ports/passage-reader.ts";
import {
  type CommitOutcome,
  type CommittedPart,
  type Store,
  StoreUnavailableError,
} from "../../ports/store.ts";
import type { Period, WorkActivity } from "../../ports/work-activity.ts";
import { buildSegment, type IndexableChunk } from "../index/build.ts";
import { chunkDocument } from "./chunk.ts";
import type { ModelExtractor } from "./extract/model/create-model-extractor.ts";
import { LeaseLostError } from "./lease-lost.ts";
import { createModelCalls, type ModelCalls } from "./model-calls.ts";
import { type ChunkOutline, outlineDocument } from "./outline.ts";
import { prefetch } from "./prefetch.ts";
import {
  type ChunkError,
  type ReadablePart,
  readGraph,
  type StartedReadings,
  startReadings,
} from "./read-graph.ts";

export interface IngestDeps {
  readonly store: Pick<Store, "applyVersionChanges" | "commitBatch" | "findVectorsByHash">;
  /** The embedder of a project. @throws EmbeddingError "missing" where its model is not configured */
  readonly embedderFor: (space: EmbeddingSpace, meter: EmbeddingMeter) => Embedder;
  /** With the space of the vectors that it reads. */
  readonly passages: PassageReader & EmbeddingSpace;
  /** null where neither a language model nor a local reader is configured; then the built-in engine alone reads for the graph. */
  readonly extractor: ModelExtractor | null;
  readonly namesOf: FindReadingNames;
  /** Limit of the embedding model, without its special tokens. */
  readonly maxTokens: number;
  readonly batchChunks: number;
  readonly tokenLimit: number | null;
  readonly leaseMs: number;
  readonly now: () => number;
  /** The month in which tokens that are used at `now` are counted. */
  readonly monthOf: (now: number) => string;
  readonly onBatch?: (batch: Omit<Extract<WorkActivity, { measured: "batch" }>, "measured">) => void;
}

export interface IngestClaim {
  readonly leaseToken: string;
  /** All of one project. */
  readonly jobs: readonly ClaimedJob[];
  /** Called before each batch is committed; true ends the work after that batch and those already started. */
  readonly shouldYield: () => Promise<boolean>;
  readonly onCommitted: (parts: readonly CommittedPart[]) => void;
  /** Aborted with a LeaseLostError when the claim no longer holds the job, or with another reason at shutdown. */
  readonly signalOf: (jobId: string) => AbortSignal;
}

/** "done": all jobs completed. "yielded": some jobs may be unfinished. The others say why the store refused a batch. */
export type IngestOutcome = "done" | "yielded" | Exclude<CommitOutcome, "committed" | "changes_left">;

export interface FailedJob {
  readonly jobId: string;
  readonly error: ChunkError;
}

/** The language model failed for a chunk of each of these jobs, or their lease is lost. Earlier chunks are committed. */
export class JobsFailedError extends Error {
  readonly failedJobs: readonly FailedJob[];

  constructor(failedJobs: readonly FailedJob[]) {
    super(`${failedJobs.length} jobs cannot continue`, { cause: failedJobs[0]?.error });
    this.name = "JobsFailedError";
    this.failedJobs = failedJobs;
  }
}

/** Batches under way where a language model reads them: the model is asked about the next while it answers for one. */
const MODEL_PREFETCH = 2;
/** After so long something else than other commits is in the way, and the jobs are postponed. */
const BUSY_LIMIT_MS = 60_000;
/** At most; each try has waited for seconds itself. */
const BUSY_PAUSE_MS = 250;
/** Committed chunks that are skipped before the event loop gets a turn: tens of milliseconds. */
const SKIPPED_PER_TURN = 128;

/** What the jobs of one claim share. */
interface IngestRun {
  readonly claim: IngestClaim;
  readonly deps: IngestDeps;
  readonly projectId: string;
  readonly embedder: Embedder;
  readonly modelCalls: ModelCalls;
  /** null without an ontology. */
  readonly names: ReadingNames | null;
}

/**
 * Ingests the claimed jobs batch by batch. The next batch is embedded while the current one is committed.
 * @throws JobsFailedError; errors of the embedder and the store. Committed batches stay.
 */
export async function ingestJobs(claim: IngestClaim, deps: IngestDeps): Promise<IngestOutcome> {
  const [first] = claim.jobs;
  if (first === undefined) return "done";
  const { projectId, config } = first;
  const embedder = deps.embedderFor(spaceOf(config), first);
  const modelCalls = createModelCalls({ extractor: deps.extractor, signalOf: claim.signalOf });
  const usesModel = deps.extractor !== null && config.extraction === "model";
  const names = first.ontology === null ? null : deps.namesOf(first.ontology);
  try {
    const depth = usesModel ? MODEL_PREFETCH : 1;
    return await ingestBatches({ claim, deps, projectId, embedder, modelCalls, names }, depth);
  } finally {
    // Unneeded calls end before the jobs are released: the next worker would otherwise make the same calls in parallel.
    await modelCalls.end();
  }
}

async function ingestBatches(run: IngestRun, depth: number): Promise<IngestOutcome> {
  const { claim } = run;
  const batches = prefetch(takeBatches(run), {
    depth,
    prepare: (batch) => timed(run.deps.now, () => Promise.all(batch.map((part) => preparePart(part, run)))),
  });
  const failedJobs = new Map<string, FailedJob>();
  let isStopping = false;
  for (let batch = await batches.take(); batch !== null; batch = await batches.take()) {
    const committable = selectCommittable(batch.result, failedJobs, claim);
    // Decided before the next batch is started, so that nothing is embedded and then thrown away.
    isStopping ||= failedJobs.size > 0 || (await claim.shouldYield());
    if (!isStopping) batches.fill();
    if (committable.length > 0) {
      const committed = await timed(run.deps.now, () => commitParts(committable, run));
      const outcome = committed.result;
      if (outcome !== "committed" && outcome !== "changes_left") return outcome;
      claim.onCommitted(committable.map(({ part }) => part));
      tellBatch(run, committable, { prepared: batch.period, committed: committed.period });
      if (outcome === "changes_left" && !(await applyChanges(run))) isStopping = true;
    }
    if (isStopping && batches.isEmpty()) break;
  }
  if (failedJobs.size > 0) throw new JobsFailedError([...failedJobs.values()]);
  return isStopping ? "yielded" : "done";
}

async function timed<Result>(now: () => number, work: () => Promise<Result>) {
  const startedAt = now();
  const result = await work();
  return { result, period: { startedAt, endedAt: now() } };
}

function tellBatch(
  { deps }: IngestRun,
  parts: readonly PreparedPart[],
  periods: { readonly prepared: Period; readonly committed: Period },
): void {
  const jobIds = [...new Set(parts.map(({ job }) => job.jobId))];
  const chunks = parts.reduce((sum, { part }) => sum + part.chunks.length, 0);
  deps.onBatch?.({ jobIds, chunks, ...periods });
}

// ---- Next batch, chunk

interface HashedChunk extends Chunk {
  readonly contentHash: string;
}

/** The chunks that one batch takes from one job. */
interface BatchPart extends ReadablePart {
  readonly chunks: readonly HashedChunk[];
  /** True when the job's text has no more chunks. */
  readonly finished: boolean;
}

/**
 * Splits the jobs' texts, one after the other, into batches of at most `batchChunks` chunks, each job from its next position.
 * Lazy: nothing is chunked before it is taken. Each job ends with a finished part, which may be empty. Yields null between
 * skipped chunks, so that the caller can give the event loop a turn.
 */
function* takeBatches({ claim, deps, embedder }: IngestRun): Generator<readonly BatchPart[] | null> {
  const limits = { maxTokens: deps.maxTokens, countTokens: (text: string) => embedder.countTokens(text) };
  let parts: BatchPart[] = [];
  let size = 0;
  for (const job of claim.jobs) {
    for (const part of takeParts(job, limits, () => deps.batchChunks - size)) {
      if (part === null) {
        yield null;
        continue;
      }
      parts.push(part);
      size += part.chunks.length;
      if (size < deps.batchChunks) continue;
      yield parts;
      parts = [];
      size = 0;
    }
  }
  if (parts.length > 0) yield parts;
}

function* takeParts(
  job: ClaimedJob,
  limits: { readonly maxTokens: number; readonly countTokens: (text: string) => number },
  room: () => number,
): Generator<BatchPart | null> {
  const { chunkTokens: targetTokens, chunkOverlapTokens: overlapTokens } = job.config;
  let outline: ((chunk: Chunk) => ChunkOutline) | null = null;
  const outlineOf = (chunk: Chunk): ChunkOutline => {
    outline ??= outlineDocument(job.text, job);
    return outline(chunk);
  };
  let chunks: HashedChunk[] = [];
  for (const chunk of chunkDocument(job.text, { ...limits, targetTokens, overlapTokens })) {
    if (chunk.position < job.nextPosition) {
      if (chunk.position % SKIPPED_PER_TURN === SKIPPED_PER_TURN - 1) yield null;
      continue;
    }
    // A full part is yielded when one more chunk is seen: only then is it known that it is not the last.
    if (chunks.length >= room()) {
      yield { job, chunks, finished: false, outlineOf };
      chunks = [];
    }
    chunks.push({ ...chunk, contentHash: hashOf(chunk) });
  }
  yield { job, chunks, finished: true, outlineOf };
}

/** 128 bits of SHA-256 over the text that is embedded and indexed. */
function hashOf(chunk: Chunk): string {
  return createHash("sha256").update(indexedText(chunk)).digest("base64url").slice(0, 22);
}

interface PreparedPart {
  readonly job: ClaimedJob;
  readonly part: CommittedPart;
  readonly error: ChunkError | null;
  /** A language model was paid for at least one chunk. */
  readonly isPaid: boolean;
}

/** Embeds the chunks of a part and reads them for the graph, in parallel; the part ends before the first failed chunk. */
async function preparePart(batchPart: BatchPart, run: IngestRun): Promise<PreparedPart> {
  const { job, finished } = batchPart;
  const { names, modelCalls } = run;
  const read = names === null ? job : { ...job, ontology: names.ontology };
  const started = startReadings({ ...batchPart, job: read }, run.deps.passages);
  const [embedded, graph] = await Promise.all([
    embedChunks(batchPart, run, started),
    started === null ? null : readGraph(read, { started, modelCalls, names }),
  ]);
  const error = graph?.error ?? null;
  const kept = error === null ? embedded : embedded.slice(0, graph?.chunks.length);
  const last = finished ? undefined : kept.at(-1)?.chunk;
  const part: CommittedPart = {
    jobId: job.jobId,
    versionId: job.versionId,
    chunks: kept.map(({ chunk }) => chunk),
    tokens: kept.reduce((sum, { tokens }) => sum + tokens, 0),
    finished: finished && error === null,
    ...(last === undefined
      ? {}
      : { chunksTotal: estimateChunks(job.text.length, { count: last.position + 1, end: last.end }) }),
    ...(graph === null ? {} : { graph: graph.chunks }),
  };
  return { job, part, error, isPaid: graph?.isPaid === true };
}

// ---- Reuse or embed

/** Each chunk with its vector, and the tokens that were embedded for it: 0 where the vector is reused. */
async function embedChunks(
  part: BatchPart,
  run: IngestRun,
  started: StartedReadings | null,
): Promise<readonly { readonly chunk: EmbeddedChunk; readonly tokens: number }[]> {
  const known = await findKnownVectors(part, run);
  // Where the graph is read by the model that embeds, its reading of a chunk brings the vector.
  const read = isSameSpace(run.embedder, run.deps.passages) ? started : null;
  return Promise.all(
    part.chunks.map(async (chunk) => {
      const reused = known.get(chunk.contentHash);
      if (reused !== undefined) return { chunk: { ...chunk, vector: reused }, tokens: 0 };
      const vector =
        (await read?.get(chunk)?.reading)?.vector ?? (await run.embedder.embed(indexedText(chunk)));
      return { chunk: { ...chunk, vector }, tokens: chunk.tokenCount };
    }),
  );
}

/** By content hash, the vectors of the version that the job replaces. */
async function findKnownVectors(
  { job, chunks }: BatchPart,
  { deps, embedder: { model, dimensions } }: IngestRun,
): Promise<ReadonlyMap<string, Float32Array>> {
  const { projectId, replacesVersionId: versionId } = job;
  if (versionId === null || chunks.length === 0) return new Map();
  const hashes = [...new Set(chunks.map((chunk) => chunk.contentHash))];
  return deps.store.findVectorsByHash({ projectId, versionId, space: { model, dimensions }, hashes });
}

// ---- Build the segment, commit

/** Leaves out parts of jobs whose lease is lost, and parts after the chunk for which a job failed; records those jobs. */
function selectCommittable(
  batch: readonly PreparedPart[],
  failedJobs: Map<string, FailedJob>,
  claim: IngestClaim,
): readonly PreparedPart[] {
  return batch.filter(({ part, error }) => {
    const { jobId } = part;
    if (failedJobs.has(jobId)) return false;
    const reason: unknown = claim.signalOf(jobId).reason;
    if (reason instanceof LeaseLostError) {
      failedJobs.set(jobId, { jobId, error: reason });
      return false;
    }
    if (error !== null) failedJobs.set(jobId, { jobId, error });
    // Empty where the job failed at the first chunk of the part.
    return part.finished || part.chunks.length > 0;
  });
}

async function commitParts(parts: readonly PreparedPart[], run: IngestRun): Promise<CommitOutcome> {
  const { claim, deps, projectId, embedder } = run;
  const chunks = parts.flatMap(toIndexable);
  const segment = chunks.length === 0 ? null : buildSegment(chunks);
  return whileBusy(parts, run, () => {
    const now = deps.now();
    return deps.store.commitBatch({
      projectId,
      space: { model: embedder.model, dimensions: embedder.dimensions },
      leaseToken: claim.leaseToken,
      now,
      leaseUntil: now + deps.leaseMs,
      segment,
      parts: parts.map(({ part }) => part),
      // The same limit admitted the model's call just before, so what was paid for is committed in any case.
      tokenLimit: parts.some(({ isPaid }) => isPaid) ? null : deps.tokenLimit,
      month: deps.monthOf(now),
    });
  });
}

/**
 * Tries a commit again where others hold the project's row, as other workers do, or all connections: what was embedded for it is kept. The leases
 * are renewed meanwhile.
 */
async function whileBusy(
  parts: readonly PreparedPart[],
  { claim }: IngestRun,
  commit: () => Promise<CommitOutcome>,
): Promise<CommitOutcome> {
  const began = performance.now();
  for (;;) {
    try {
      return await commit();
    } catch (error) {
      const isBusy = error instanceof StoreUnavailableError && error.reason === "busy";
      const isHeld = parts.some(({ job }) => !claim.signalOf(job.jobId).aborted);
      if (!isBusy || !isHeld || performance.now() - began > BUSY_LIMIT_MS) throw error;
    }
    await delay(BUSY_PAUSE_MS * Math.random());
  }
}

/** Lets the graph follow, step by step. False when the work was to end before: upkeep, or the next claim, then goes on. */
async function applyChanges({ claim, deps, projectId }: IngestRun): Promise<boolean> {
  while (await deps.store.applyVersionChanges({ projectId, now: deps.now() })) {
    if (await claim.shouldYield()) return false;
  }
  return true;
}

function toIndexable({ job, part }: PreparedPart): readonly IndexableChunk[] {
  return part.chunks.map((chunk) => ({
    versionId: part.versionId,
    sourceDocId: job.sourceDocId,
    metadata: job.metadata,
    position: chunk.position,
    indexedText: indexedText(chunk),
    vector: chunk.vector,
  }));
}
