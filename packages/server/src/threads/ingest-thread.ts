/** The thread that works on jobs: chunking and segments of batches here, embedding and merging on threads of their own. */
import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { openThreadStore, type ThreadDatabase } from "../adapters/database/open-store.ts";
import type { EmbeddingSettings } from "../adapters/models/embedding/settings.ts";
import { createLanguageModel } from "../adapters/models/language/create-language-model.ts";
import type { LanguageModelSettings } from "../adapters/models/language/settings.ts";
import { MINILM_MAX_TOKENS, openMiniLmTokenCounter } from "../adapters/models/minilm-embedder.ts";
import type { LogLevel } from "../config.ts";
import { isSameSpace } from "../domain/embedding-space.ts";
import {
  createModelExtractor,
  type ModelExtractor,
} from "../engine/ingest/extract/model/create-model-extractor.ts";
import { createLog } from "../log.ts";
import { createEmbedderFor } from "../open-embedders.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { Log } from "../ports/log.ts";
import type { ModelActivity } from "../ports/model-activity.ts";
import type { ModelStore } from "../ports/model-store.ts";
import { monthOf } from "../services/ingestion.ts";
import { createMergingService } from "../services/merging.ts";
import { createMovingService } from "../services/moving.ts";
import { createProcessingService } from "../services/processing.ts";
import { startWorkerLoop, type WorkerLoop } from "../worker/loop.ts";
import { createEmbedPool } from "./embed-pool.ts";
import { createMergeThread } from "./merge-client.ts";

export interface IngestThreadData {
  readonly database: ThreadDatabase;
  readonly modelDir: string;
  readonly embedThreads: number;
  readonly tokenLimit: number | null;
  /** null = none. */
  readonly languageModel: LanguageModelSettings | null;
  /** At providers, beside the bundled one. */
  readonly embeddings: readonly EmbeddingSettings[];
  readonly logLevel: LogLevel;
}

/** "check": jobs that are worked on may have been cancelled or deleted. */
export type IngestThreadRequest = "wake" | "check" | "drain";
/** "damaged": a damaged segment was found and marked. An activity: a language model or an embedding model was used. */
export type IngestThreadEvent = "idle" | "drained" | "damaged" | ModelActivity | EmbeddingActivity;

const BATCH_CHUNKS = 64;
/** The model puts one before and one behind every text. */
const SPECIAL_TOKENS = 2;
/** How long a job waits after its worker was killed, where another process may hold it. */
const LEASE_MS = 20_000;
const SLICE_MS = 2_000;
/** Of the moves of projects to other vector spaces among themselves. */
const MOVE_SLICE_MS = 10_000;
/** Calls of a provider that are under way for one move; the bundled model has a queue that jobs stand in, too. */
const BATCHES_AT_ONCE = 4;
const IDLE_MS = 10_000;
/** Leaves enough of the ten seconds that the process has. */
const DRAIN_LIMIT_MS = 2_500;

interface Running {
  readonly loop: WorkerLoop;
  checkLeases(): Promise<void>;
  close(): Promise<void>;
}

async function run(data: IngestThreadData, tell: (event: IngestThreadEvent) => void): Promise<Running> {
  const log = createLog(data.logLevel, { thread: "ingest" });
  const store = await openThreadStore(data.database);
  const countTokens = await openMiniLmTokenCounter();
  const ending = new AbortController();
  const pool = createEmbedPool({
    threads: data.embedThreads,
    modelDir: data.modelDir,
    logLevel: data.logLevel,
    countTokens,
  });
  const newLeaseToken = () => randomBytes(16).toString("hex");
  const embedding = createEmbedderFor(data.embeddings, {
    ...{ bundled: pool, store, log, signal: ending.signal, onActivity: tell },
  });
  const processing = createProcessingService({
    ...{ store, sliceMs: SLICE_MS, newLeaseToken, ending: ending.signal, log },
    ingest: {
      store,
      embedderFor: embedding,
      passages: pool,
      extractor: openExtractor(data, { store, log, tell }),
      maxTokens: MINILM_MAX_TOKENS - SPECIAL_TOKENS,
      batchChunks: BATCH_CHUNKS,
      tokenLimit: data.tokenLimit,
      leaseMs: LEASE_MS,
      now: Date.now,
      monthOf,
    },
  });
  const work = createMergeThread();
  const merging = createMergingService({
    store,
    work,
    log,
    now: Date.now,
    onDamage: () => tell("damaged"),
  });
  const moving = createMovingService({
    ...{ store, work, log, newLeaseToken, sliceMs: MOVE_SLICE_MS, leaseMs: LEASE_MS },
    embedderFor: embedding,
    onDamage: () => tell("damaged"),
    batchesAtOnce: (space) => (isSameSpace(space, pool) ? 1 : BATCHES_AT_ONCE),
    ...{ tokenLimit: data.tokenLimit, now: Date.now, monthOf },
  });
  const loop = startWorkerLoop({
    ...{ processing, merging, moving },
    // One more than embed, so that a core has work while a lane commits.
    lanes: data.embedThreads + 1,
    idleMs: IDLE_MS,
    onIdle: () => tell("idle"),
    log,
    now: Date.now,
  });
  const closeThreads = () => {
    ending.abort();
    return Promise.all([pool.close(), work.close()]);
  };
  return {
    loop,
    checkLeases: processing.checkLeases,
    async close() {
      // What is under way is finished, unless the machine is too slow for that; then batches are given back and a
      // merge is left for the next start.
      const late = setTimeout(() => void closeThreads(), DRAIN_LIMIT_MS);
      await loop.drain();
      clearTimeout(late);
      await closeThreads();
      await store.close();
    },
  };
}

/** null where no language model is configured. */
function openExtractor(
  { languageModel, tokenLimit }: IngestThreadData,
  deps: {
    readonly store: ModelStore;
    readonly log: Log;
    readonly tell: (event: IngestThreadEvent) => void;
  },
): ModelExtractor | null {
  if (languageModel === null) return null;
  const { store, log, tell } = deps;
  const model = createLanguageModel(languageModel, { store, log, tokenLimit, onActivity: tell });
  return createModelExtractor({ model, inFlight: languageModel.maxConcurrent });
}

if (parentPort !== null) {
  const port = parentPort;
  const tell = (event: IngestThreadEvent) => port.postMessage(event);
  const running = await run(workerData as IngestThreadData, tell); // Set by the supervisor.
  let closing = false;
  port.on("message", (request: IngestThreadRequest) => {
    if (request === "check") void running.checkLeases();
    if (request === "wake" || request === "check") running.loop.wake();
    else if (!closing) {
      closing = true;
      void running.close().then(() => tell("drained"));
    }
  });
}
