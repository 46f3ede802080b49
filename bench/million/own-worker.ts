/** The service's ingest thread in a process of its own: the same loop, jobs, commits and merges, but vectors from elsewhere. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type OpenedStore, openStore } from "../../packages/server/src/adapters/database/open-store.ts";
import {
  MINILM_MAX_TOKENS,
  openMiniLmTokenCounter,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import { loadConfig } from "../../packages/server/src/config.ts";
import { createReadingNames } from "../../packages/server/src/domain/ontology/read-names.ts";
import { createLog } from "../../packages/server/src/log.ts";
import type { Log } from "../../packages/server/src/ports/log.ts";
import type { Store } from "../../packages/server/src/ports/store.ts";
import { createWatch } from "../../packages/server/src/rpc/watch.ts";
import { monthOf } from "../../packages/server/src/services/ingestion.ts";
import { createMergingService, isUpkeepDue } from "../../packages/server/src/services/merging.ts";
import { nothingLeft } from "../../packages/server/src/services/processes.ts";
import { createProcessingService } from "../../packages/server/src/services/processing.ts";
import { createThreadBoard } from "../../packages/server/src/threads/board.ts";
import { createEmbedPool, type EmbedPool } from "../../packages/server/src/threads/embed-pool.ts";
import { createMergeThread, type MergeThread } from "../../packages/server/src/threads/merge-client.ts";
import { startWorkerLoop, type WorkerLoop } from "../../packages/server/src/worker/loop.ts";
import { type CountedJobs, countJobs } from "./count-jobs.ts";

export interface OwnWorker {
  readonly store: Store;
  /** The service's embedder, in its threads. */
  readonly embedder: EmbedPool;
  /** Resolves when at most `jobs` of the accepted jobs have not ended. @throws when one failed */
  waitForJobs(jobs: number): Promise<void>;
  accept(target: { projectId: string; accountId: string }, documents: readonly AcceptedText[]): Promise<void>;
  /** Resolves when nothing is left to merge. */
  waitForUpkeep(): Promise<void>;
  close(): Promise<void>;
}

interface AcceptedText {
  readonly source_doc_id: string;
  readonly text: string;
}

/** Values of `threads/ingest-thread.ts`. */
const BATCH_CHUNKS = 64;
const SPECIAL_TOKENS = 2;
const LEASE_MS = 20_000;
const SLICE_MS = 2_000;
const MORE_LANES = 2;
const DAY_MS = 24 * 60 * 60_000;
const POLL_MS = 100;

export interface OwnWorkerOptions {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly modelDir: string;
  /** The vector of an accepted text's chunk: of header and text. */
  readonly vectorOf: (text: string) => Float32Array;
}

export async function openOwnWorker(options: OwnWorkerOptions): Promise<OwnWorker> {
  silenceRuntime();
  const { databaseUrl, dataDir } = options;
  const opened = await openStore({
    databaseUrl,
    dataDir,
    wasUsed: true,
    connections: { total: loadConfig({}).databaseConnections, queryThreads: 1 },
  });
  return startWorker(opened, options);
}

async function startWorker({ store }: OpenedStore, options: OwnWorkerOptions): Promise<OwnWorker> {
  const log = createLog("warn");
  const threads = { watch: createWatch(), board: createThreadBoard(), log };
  const { ingestThreads } = loadConfig({});
  const countTokens = await openMiniLmTokenCounter();
  const embedder = createEmbedPool(
    { threads: ingestThreads, modelDir: options.modelDir, logLevel: "warn", countTokens },
    threads,
  );
  const merger = createMergeThread(threads);
  const jobs = countJobs();
  const ending = new AbortController();
  const parts = { store, log, embedder, merger, jobs, ending, ingestThreads };
  const loop = startLoop(parts, options.vectorOf);
  return {
    store,
    embedder,
    waitForJobs: jobs.wait,
    async accept({ projectId, accountId }, documents) {
      const now = store.now();
      const outcome = await store.acceptDocuments({
        ...{ projectId, accountId, now, month: monthOf(now) },
        ...{ tokenLimit: null, requestsPerMinute: null, maxPendingJobs: null, maxStoredBytes: null },
        documents: documents.map(({ source_doc_id: sourceDocId, text }) => ({
          ...{ jobId: jobs.accept(), sourceDocId, text, metadata: {} },
        })),
      });
      if (outcome.kind !== "accepted") throw new Error(`The documents were not accepted: ${outcome.kind}.`);
      loop.wake();
    },
    async waitForUpkeep() {
      while (await isUpkeepDue(store, store.now())) {
        loop.wake();
        await sleep(POLL_MS);
      }
    },
    async close() {
      await loop.drain();
      ending.abort();
      await Promise.all([embedder.close(), merger.close()]);
      await store.close();
    },
  };
}

interface Parts {
  readonly store: Store;
  readonly log: Log;
  readonly embedder: EmbedPool;
  readonly merger: MergeThread;
  readonly jobs: CountedJobs;
  readonly ending: AbortController;
  readonly ingestThreads: number;
}

function startLoop(parts: Parts, vectorOf: (text: string) => Float32Array): WorkerLoop {
  const { store, log, embedder, merger, jobs, ending } = parts;
  const { model, dimensions, countTokens } = embedder;
  const lanes = parts.ingestThreads + MORE_LANES;
  const deps = { store, log, now: store.now };
  return startWorkerLoop({
    processing: createProcessingService({
      ...deps,
      findLeftWork: nothingLeft,
      lanes,
      isQueueShared: false,
      sliceMs: SLICE_MS,
      newLeaseToken: () => randomBytes(16).toString("hex"),
      onJobEnded: jobs.ended,
      ending: ending.signal,
      ingest: {
        store,
        embedderFor: () => ({ model, dimensions, countTokens, embed: async (text) => vectorOf(text) }),
        passages: embedder,
        namesOf: createReadingNames(),
        extractor: null,
        maxTokens: MINILM_MAX_TOKENS - SPECIAL_TOKENS,
        batchChunks: BATCH_CHUNKS,
        tokenLimit: null,
        leaseMs: LEASE_MS,
        now: store.now,
        monthOf,
      },
    }),
    merging: createMergingService({
      ...deps,
      work: merger,
      jobLifeMs: loadConfig({}).jobRetentionDays * DAY_MS,
      onDamage: () => log.error("segment_damaged"),
    }),
    lanes,
    idleMs: Number.POSITIVE_INFINITY,
    onIdle: () => undefined,
    log,
    now: Date.now,
  });
}
