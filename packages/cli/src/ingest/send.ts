/** Sends documents batch after batch and follows their jobs; the journal knows at every moment what is where. */
import {
  BadRequestError,
  type Client,
  type Job,
  type JobsProgress,
  NotFoundError,
  TooLargeError,
} from "@kcs/sdk";
import { batchesOf } from "./batches.ts";
import type { FoundDocument, Unfit } from "./find-documents.ts";
import type { Entry, Journal } from "./journal.ts";

export interface Outcome {
  readonly completed: number;
  readonly failed: readonly Unfit[];
}

export interface SendOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly journal: Journal;
  readonly signal: AbortSignal;
  readonly maxBatchDocuments: number;
  /** false: done as soon as all is accepted. */
  readonly wait: boolean;
  /** Told after each step. */
  readonly onProgress: (progress: SendProgress) => void;
}

export interface SendProgress {
  readonly accepted: number;
  readonly completed: number;
  readonly failed: number;
  /** Of documents that are being processed. */
  readonly chunks: number;
  /** What has failed since the last call. */
  readonly newlyFailed: readonly Unfit[];
}

/**
 * @param open jobs of an earlier run that had not ended
 * @throws the signal's reason, or the service's error; the journal then has what was accepted
 */
export async function sendDocuments(
  documents: readonly FoundDocument[],
  open: readonly (readonly [id: string, entry: Entry])[],
  options: SendOptions,
): Promise<Outcome> {
  const tally = createTally(options);
  const following: Promise<void>[] = [];
  /** One group of jobs after the other: one poller, and the service takes them in this order anyway. */
  const follow = (group: readonly (readonly [string, Entry])[]) => {
    if (!options.wait || group.length === 0) return;
    const before = following.at(-1) ?? Promise.resolve();
    const next = before.then(() => followJobs(group, tally, options));
    next.catch(() => undefined); // It is awaited below; until then its error waits.
    following.push(next);
  };
  tally.accept(open.length);
  follow(open);
  for (const batch of batchesOf(documents, { maxDocuments: options.maxBatchDocuments })) {
    const accepted = await acceptBatch(batch, tally, options);
    await options.journal.write(accepted);
    tally.accept(accepted.length);
    follow(accepted);
  }
  await Promise.all(following);
  return tally.outcome();
}

type Tally = ReturnType<typeof createTally>;

function createTally(options: SendOptions) {
  let accepted = 0;
  let completed = 0;
  let chunks = 0;
  const failed: Unfit[] = [];
  const tell = (newlyFailed: readonly Unfit[], runningChunks = 0) =>
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
      tell([]);
    },
    refuse(unfit: Unfit) {
      failed.push(unfit);
      tell([unfit]);
    },
    end(ended: readonly Job[], runningChunks: number) {
      const bad = ended.filter((job) => job.status === "failed").map(unfitOf);
      completed += ended.length - bad.length;
      failed.push(...bad);
      tell(bad, runningChunks);
    },
    addChunks(count: number) {
      chunks += count;
    },
    outcome: (): Outcome => ({ completed, failed }),
  };
}

function unfitOf(job: Job): Unfit {
  return { id: job.source_doc_id, reason: job.error_message ?? "failed" };
}

/**
 * What the service took, with the jobs. A batch is taken whole or not at all: one that is refused is halved until the
 * document at fault stands alone.
 */
async function acceptBatch(
  batch: readonly FoundDocument[],
  tally: Tally,
  options: SendOptions,
): Promise<readonly (readonly [string, Entry])[]> {
  const { client, projectId, signal } = options;
  const bodies = await Promise.all(batch.map((document) => document.read()));
  try {
    const [only] = bodies;
    const jobs =
      bodies.length === 1 && only !== undefined
        ? [await client.documents.ingest(projectId, only, { signal })]
        : (await client.documents.ingestBatch(projectId, bodies, { signal })).jobs;
    return batch.map(
      ({ id, hash }, at) => [id, { hash, job: jobs[at]?.job_id ?? "", state: "sent" }] as const,
    );
  } catch (error) {
    if (!(error instanceof BadRequestError || error instanceof TooLargeError)) throw error;
    const [first] = batch;
    if (batch.length === 1 && first !== undefined) {
      tally.refuse({ id: first.id, reason: error.detail });
      return [];
    }
    const middle = Math.ceil(batch.length / 2);
    const head = await acceptBatch(batch.slice(0, middle), tally, options);
    return [...head, ...(await acceptBatch(batch.slice(middle), tally, options))];
  }
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

/** The jobs of an earlier run that the service still knows, and the ids of the documents whose job is gone. */
export async function findOpenJobs(
  client: Client,
  { projectId, journal, signal }: { projectId: string; journal: Journal; signal: AbortSignal },
): Promise<{ readonly known: readonly (readonly [string, Entry])[]; readonly gone: readonly string[] }> {
  const open = journal.open();
  const known: (readonly [string, Entry])[] = [];
  const gone: string[] = [];
  if (open.length === 0) return { known, gone };
  const listed = new Set<string>();
  for await (const job of client.jobs.each(projectId, { signal })) listed.add(job.job_id);
  for (const [id, entry] of open) {
    if (listed.has(entry.job) || (await exists(client, { projectId, jobId: entry.job, signal })))
      known.push([id, entry]);
    else gone.push(id);
  }
  return { known, gone };
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
