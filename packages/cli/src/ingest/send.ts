/** Sends documents in batches and follows their jobs. The journal is updated after each step. */
import {
  BadRequestError,
  type Client,
  type Job,
  type JobsProgress,
  KcsError,
  NotFoundError,
  ServerError,
  TooLargeError,
} from "@kcs/sdk";
import { batchesOf } from "./batches.ts";
import type { FoundDocument, RejectedDocument } from "./find-documents.ts";
import type { Entry, Journal } from "./journal.ts";
import { type ReadDocument, withBatch } from "./read-batch.ts";

/** The service takes no request that arrives for longer than two minutes. */
const UPLOAD_TIMEOUT_MS = 150_000;

/** Of a document that was sent and not answered. No document has this hash, so that it is sent again. */
const UNANSWERED: Entry = { hash: "", job: "", state: "sent" };

/** Whether the service has nothing of what was sent. */
function isRefusal(error: unknown): boolean {
  return error instanceof KcsError && !error.mayBeDone && !(error instanceof ServerError);
}

/** Records again what was recorded before the documents were sent. */
async function restore(
  journal: Journal,
  earlier: readonly (readonly [id: string, entry: Entry | undefined])[],
): Promise<void> {
  await journal.write(earlier.flatMap(([id, entry]) => (entry === undefined ? [] : [[id, entry] as const])));
  await journal.forget(earlier.flatMap(([id, entry]) => (entry === undefined ? [id] : [])));
}

export interface Outcome {
  readonly completed: number;
  readonly failed: readonly RejectedDocument[];
}

export interface SendOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly maxBatchDocuments: number;
  /** false: resolve as soon as everything is accepted. */
  readonly wait: boolean;
  /** Is told the hash of each document that the service refuses, by its id, until the service accepts the document. */
  readonly refused?: Map<string, string>;
  /** Called after each step. */
  readonly onProgress: (progress: SendProgress) => void;
}

export interface SendProgress {
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  /** Chunks processed so far. */
  readonly chunks: number;
  /** Documents that have failed since the last call. */
  readonly newlyFailed: readonly RejectedDocument[];
}

/**
 * @param open jobs of an earlier run that had not ended
 * @throws the signal's reason, or the service's error; the journal then contains everything that was accepted
 */
export async function sendDocuments(
  documents: readonly FoundDocument[],
  open: readonly (readonly [id: string, entry: Entry])[],
  options: SendOptions,
): Promise<Outcome> {
  const tally = createTally(options);
  const following: Promise<void>[] = [];
  /** Follows one group of jobs after the other: a single poller is enough, as the service processes them in this order. */
  const follow = (group: readonly (readonly [string, Entry])[]) => {
    if (!options.wait || group.length === 0) return;
    const previous = following.at(-1) ?? Promise.resolve();
    const next = previous.then(() => followJobs(group, tally, options));
    next.catch(() => undefined); // Prevents an unhandled rejection before the await below, which throws the error.
    following.push(next);
  };
  tally.accept(open.length);
  follow(open);
  const onAccepted = async (accepted: readonly (readonly [string, Entry])[]) => {
    await options.journal.write(accepted);
    for (const [id] of accepted) options.refused?.delete(id);
    tally.accept(accepted.length);
    follow(accepted);
  };
  for (const batch of batchesOf(documents, { maxDocuments: options.maxBatchDocuments }))
    await withBatch(batch, tally.refuse, (read) => acceptBatch(read, { ...options, onAccepted, ...tally }));
  await Promise.all(following);
  return tally.outcome();
}

type Tally = ReturnType<typeof createTally>;

function createTally(options: SendOptions) {
  let accepted = 0;
  let completed = 0;
  let chunks = 0;
  const failed: RejectedDocument[] = [];
  const notify = (newlyFailed: readonly RejectedDocument[], runningChunks = 0) =>
    options.onProgress({
      accepted,
      completed,
      failed: failed.length,
      chunks: chunks + runningChunks,
      newlyFailed,
    });
  return {
    accept(count: number) {
      accepted += count;
      notify([]);
    },
    refuse(document: RejectedDocument) {
      failed.push(document);
      notify([document]);
    },
    end(ended: readonly Job[], runningChunks: number) {
      const newlyFailed = ended.filter((job) => job.status === "failed").map(failureOf);
      completed += ended.length - newlyFailed.length;
      failed.push(...newlyFailed);
      notify(newlyFailed, runningChunks);
    },
    addChunks(count: number) {
      chunks += count;
    },
    outcome: (): Outcome => ({ completed, failed }),
  };
}

function failureOf(job: Job): RejectedDocument {
  return { id: job.source_doc_id, reason: job.error_message ?? "failed" };
}

/**
 * The service accepts all documents of a request or none, so a refused batch is split in half, recursively, until the invalid document
 * is alone. What a request has accepted is told at once: a later one may fail.
 */
async function acceptBatch(
  batch: readonly ReadDocument[],
  options: SendOptions &
    Pick<Tally, "refuse"> & {
      readonly onAccepted: (accepted: readonly (readonly [string, Entry])[]) => Promise<void>;
    },
): Promise<void> {
  if (batch.length === 0) return;
  const { journal } = options;
  const earlier = batch.map(({ id }) => [id, journal.find(id)] as const);
  // The answer may be lost: then nothing else tells that the service has them.
  await journal.write(
    earlier.flatMap(([id, entry]) => (entry?.job === "" ? [] : [[id, UNANSWERED] as const])),
  );
  try {
    const jobs = await sendBatch(batch, options);
    await options.onAccepted(
      batch.map(({ id, hash }, at) => [id, { hash, job: jobs[at]?.job_id ?? "", state: "sent" }] as const),
    );
  } catch (error) {
    if (isRefusal(error)) await restore(journal, earlier);
    if (!(error instanceof BadRequestError || error instanceof TooLargeError)) throw error;
    const [first] = batch;
    if (batch.length === 1 && first !== undefined) {
      options.refused?.set(first.id, first.hash);
      options.refuse({ id: first.id, reason: error.detail });
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await acceptBatch(batch.slice(0, middle), options);
    await acceptBatch(batch.slice(middle), options);
  }
}

/** All of one kind, as `batchesOf` makes them. */
async function sendBatch(
  batch: readonly ReadDocument[],
  { client, projectId, signal }: SendOptions,
): Promise<readonly { readonly job_id: string }[]> {
  const files = batch.filter((document) => "content" in document);
  const [file] = files;
  if (file !== undefined) {
    const uploads = files.map(({ id, content }) => ({ path: id, content }));
    const { metadata } = file; // That of the command line.
    const options = { signal, timeoutMs: UPLOAD_TIMEOUT_MS };
    return (await client.files.upload(projectId, uploads, { metadata }, options)).jobs;
  }
  const bodies = batch.filter((document) => "body" in document).map(({ body }) => body);
  const [only] = bodies;
  return bodies.length === 1 && only !== undefined
    ? [await client.documents.ingest(projectId, only, { signal })]
    : (await client.documents.ingestBatch(projectId, bodies, { signal })).jobs;
}

async function followJobs(
  group: readonly (readonly [string, Entry])[],
  tally: Tally,
  { client, projectId, journal, signal }: SendOptions,
): Promise<void> {
  const entries = new Map(group.map(([id, entry]) => [entry.job, [id, entry] as const]));
  const writing: Promise<void>[] = [];
  const onProgress = ({ ended, chunks }: JobsProgress) => {
    tally.end(ended, chunks);
    const changed = ended.flatMap((job) => {
      const found = entries.get(job.job_id);
      if (found === undefined) return [];
      const state = job.status === "failed" ? "failed" : "completed";
      return [[found[0], { ...found[1], state }] as const];
    });
    if (changed.length > 0) writing.push(journal.write(changed));
  };
  try {
    const jobs = await client.jobs.waitAll(projectId, [...entries.keys()], { signal, onProgress });
    tally.addChunks(jobs.reduce((sum, job) => sum + job.chunks_processed, 0));
  } finally {
    await Promise.all(writing);
  }
}

/** Open jobs of an earlier run: those that the service still knows, and the ids of documents whose job it does not know. */
export async function findOpenJobs(
  client: Client,
  { projectId, journal, signal }: { projectId: string; journal: Journal; signal: AbortSignal },
): Promise<{ readonly known: readonly (readonly [string, Entry])[]; readonly lost: readonly string[] }> {
  const open = journal.open().filter(([, { job }]) => job !== "");
  const known: (readonly [string, Entry])[] = [];
  const lost = journal.open().flatMap(([id, { job }]) => (job === "" ? [id] : []));
  if (open.length === 0) return { known, lost };
  const listed = new Set<string>();
  for await (const job of client.jobs.each(projectId, { signal })) listed.add(job.job_id);
  for (const [id, entry] of open) {
    if (listed.has(entry.job) || (await exists(client, { projectId, jobId: entry.job, signal })))
      known.push([id, entry]);
    else lost.push(id);
  }
  return { known, lost };
}

async function exists(
  client: Client,
  { projectId, jobId, signal }: { projectId: string; jobId: string; signal: AbortSignal },
): Promise<boolean> {
  try {
    await client.jobs.get(projectId, jobId, { signal });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
