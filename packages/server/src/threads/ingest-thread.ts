/** The thread that works on jobs: it cuts chunks and builds the segments of batches; other threads embed and merge. */
import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { openThreadStore, type ThreadDatabase } from "../adapters/database/open-store.ts";
import { openFileConverter } from "../adapters/files/file-converter.ts";
import { openFileWorkspace } from "../adapters/files/file-workspace.ts";
import type { OcrLanguage } from "../adapters/files/ocr/recogniser.ts";
import type { EmbeddingSettings } from "../adapters/models/embedding/settings.ts";
import { createLanguageModel } from "../adapters/models/language/create-language-model.ts";
import type { LanguageModelSettings } from "../adapters/models/language/settings.ts";
import type { IdentifiedModel } from "../adapters/models/local/identify-model.ts";
import { MINILM_MAX_TOKENS, openMiniLmTokenCounter } from "../adapters/models/minilm-embedder.ts";
import { type AdoptedStore, withSegmentStore } from "../adapters/segments/open-outside.ts";
import { createPageFetcher, type FetcherOptions } from "../adapters/webhooks/page-fetcher.ts";
import { createBoundedLog } from "../bounded-log.ts";
import type { LogLevel } from "../config.ts";
import { isSameSpace } from "../domain/embedding-space.ts";
import { createReadingNames } from "../domain/ontology/read-names.ts";
import type { ServiceProcess } from "../domain/service-process.ts";
import type { SegmentWork } from "../engine/index/segment-work.ts";
import {
  createModelExtractor,
  type ModelExtractor,
} from "../engine/ingest/extract/model/create-model-extractor.ts";
import { createReaderExtractor } from "../engine/ingest/extract/reader/create-reader-extractor.ts";
import { createLog } from "../log.ts";
import { createEmbedderFor } from "../open-embedders.ts";
import { type FailedCall, withoutFailedCalls } from "../outage-log.ts";
import type { EmbeddingActivity } from "../ports/embedding-activity.ts";
import type { FileConverter } from "../ports/file-converter.ts";
import type { Log } from "../ports/log.ts";
import type { ModelActivity } from "../ports/model-activity.ts";
import type { Store } from "../ports/store.ts";
import type { WorkActivity } from "../ports/work-activity.ts";
import { sendEvent } from "../rpc/rpc.ts";
import { createWatch } from "../rpc/watch.ts";
import { createConvertingService } from "../services/converting.ts";
import { monthOf } from "../services/ingestion.ts";
import { createMergingService } from "../services/merging.ts";
import { createMovingService } from "../services/moving.ts";
import { createLeftWork } from "../services/processes.ts";
import { createProcessingService } from "../services/processing.ts";
import { startWorkerLoop, type WorkerLoop } from "../worker/loop.ts";
import { createThreadBoard } from "./board.ts";
import { createEmbedPool, type EmbedPool } from "./embed-pool.ts";
import { THREAD_KINDS } from "./kinds.ts";
import { createMergeThread } from "./merge-client.ts";
import { serveThread } from "./serve-thread.ts";
import type { ThreadDeps } from "./thread.ts";

export interface IngestThreadData {
  readonly database: ThreadDatabase;
  /** null: the bytes of segments are in the database. */
  readonly segmentStore: AdoptedStore | null;
  readonly modelDir: string;
  readonly embedThreads: number;
  /** How long ended jobs are kept. */
  readonly jobLifeMs: number;
  /** Of an account; null = all, for so long. */
  readonly endedJobs: number | null;
  readonly tokenLimit: number | null;
  readonly files: FileWork;
  /** null = none. */
  readonly languageModel: LanguageModelSettings | null;
  /** Of models at providers; the bundled model is always available. */
  readonly embeddings: readonly EmbeddingSettings[];
  /** Embedding models that run in the embedding threads. */
  readonly localModels: readonly IdentifiedModel[];
  /** Reads entities and relations in the embedding threads; null = none. */
  readonly reader: IdentifiedModel | null;
  /** What this process can do. */
  readonly own: ServiceProcess;
  readonly logLevel: LogLevel;
  /** Whether batches are reported, too. */
  readonly isTraced: boolean;
  /** Of the thread board. */
  readonly board: SharedArrayBuffer;
  /** Passed by the embedding threads before each native call: they end with this thread. */
  readonly gate: SharedArrayBuffer;
}

/** How the files of jobs are turned into text. */
export interface FileWork {
  /** For temporary files, of all processes with this data directory; nothing else is in it. */
  readonly folder: string;
  readonly maxTextBytes: number;
  readonly maxFileBytes: number;
  /** In which text in pictures is recognised. */
  readonly ocrLanguages: readonly OcrLanguage[];
  /** For pages that are fetched. */
  readonly outgoing: FetcherOptions;
  /** Of an account; null = no limit. */
  readonly limits: { readonly pendingJobs: number | null; readonly storedBytes: number | null };
}

/**
 * "work": answered when the thread has drained. "wake": there may be work. "check": running jobs may have been cancelled or
 * deleted. "rest": nothing is to do, so end. "drain": the service stops, so finish running batches and take no more.
 */
export type IngestThreadRequest = "work" | "wake" | "check" | "rest" | "drain";
/**
 * "damaged": a damaged segment was found and marked. "committed": a batch was written. A failed call: the database could
 * not be used. An activity: a language model or an embedding model was used.
 */
export type IngestThreadEvent =
  | "idle"
  | "damaged"
  | "committed"
  | { readonly failedCall: FailedCall }
  | ModelActivity
  | EmbeddingActivity
  | WorkActivity;

const BATCH_CHUNKS = 64;
/** Chunks that wait for a local reader in each thread; the others can still be skipped. */
const READ_AHEAD = 2;
/** The model adds one before and one after every text. */
const SPECIAL_TOKENS = 2;
/** How long a job waits after its worker was killed, where another process may hold it. */
const LEASE_MS = 20_000;
/** How long one account's jobs run before those of another have their turn. */
const SLICE_MS = 2_000;
/** The same for moves of projects to other vector spaces. */
const MOVE_SLICE_MS = 10_000;
/** Concurrent calls of a provider for one move. Models of this process have one queue, in which jobs wait, too. */
const MOVE_BATCHES = 4;
/** Leaves enough of the ten seconds that the process has to stop. */
const DRAIN_LIMIT_MS = 2_500;

interface Running {
  readonly loop: WorkerLoop;
  checkLeases(): Promise<void>;
  /** The end has little time from now on: batches are released if they take too long, and a merge is left for the next start. */
  hurry(): void;
  /** Finishes running work. */
  close(): Promise<void>;
}

interface Parts {
  readonly data: IngestThreadData;
  readonly store: Store;
  readonly log: Log;
  readonly pool: EmbedPool;
  readonly send: (event: IngestThreadEvent) => void;
  /** Aborted when calls of models must end at once. */
  readonly ending: AbortController;
}

async function start(data: IngestThreadData, send: (event: IngestThreadEvent) => void): Promise<Running> {
  // The main thread tells outages, for all threads together.
  const log = withoutFailedCalls(createLog(data.logLevel, { thread: "ingest" }), (failedCall) =>
    send({ failedCall }),
  );
  /** For the loops, which try again and again. */
  const boundedLog = createBoundedLog(log);
  const store = await withSegmentStore(await openThreadStore(data.database), data.segmentStore);
  const threads: ThreadDeps = {
    watch: createWatch(),
    board: createThreadBoard(data.board),
    log,
    outerGate: data.gate,
  };
  const pool = createEmbedPool(
    {
      threads: data.embedThreads,
      modelDir: data.modelDir,
      logLevel: data.logLevel,
      localModels: data.localModels,
      reader: data.reader,
      onActivity: send,
      countTokens: await openMiniLmTokenCounter(),
    },
    threads,
  );
  const merger = createMergeThread(threads);
  const ending = new AbortController();
  const parts: Parts = { data, store, log, pool, send, ending };
  const { processing, merging, moving } = createServices(parts, merger);
  const converter = openFileConverter({ ocrLanguages: data.files.ocrLanguages });
  const converting = createConverting(parts, converter, () => loop.wake());
  const loop: WorkerLoop = startWorkerLoop({
    processing,
    merging,
    moving,
    converting,
    lanes: lanesOf(data),
    idleMs: THREAD_KINDS.ingest.idleMs ?? Number.POSITIVE_INFINITY,
    onIdle: () => send("idle"),
    log: boundedLog,
    now: Date.now,
  });
  const closeThreads = () => {
    ending.abort();
    return Promise.all([pool.close(), merger.close(), converter.close()]);
  };
  let late: NodeJS.Timeout | undefined;
  return {
    loop,
    async checkLeases() {
      await Promise.all([processing.checkLeases(), converting.checkLeases()]);
    },
    hurry() {
      pool.hurry();
      late ??= setTimeout(() => void closeThreads(), DRAIN_LIMIT_MS);
    },
    async close() {
      await loop.drain();
      clearTimeout(late);
      await closeThreads();
      await store.close();
      boundedLog.flush();
    },
  };
}

function createConverting({ data, store, log, ending }: Parts, converter: FileConverter, wake: () => void) {
  const { folder, outgoing, ocrLanguages: _, ...files } = data.files;
  return createConvertingService({
    ...files,
    store,
    log,
    converter,
    workspace: openFileWorkspace(folder),
    pages: createPageFetcher(outgoing),
    newLeaseToken,
    leaseMs: LEASE_MS,
    now: store.now,
    ending: ending.signal,
    onStored: wake,
  });
}

function newLeaseToken(): string {
  return randomBytes(16).toString("hex");
}

function createServices(parts: Parts, merger: SegmentWork) {
  const { data, store, log, pool, send, ending } = parts;
  const { tokenLimit, jobLifeMs, endedJobs } = data;
  const embedderFor = createEmbedderFor(data.embeddings, {
    bundled: pool,
    locals: pool.locals,
    store,
    log,
    signal: ending.signal,
    onActivity: send,
  });
  const onDamage = () => send("damaged");
  const findLeftWork = createLeftWork({ store, own: data.own, now: store.now });
  return {
    processing: createProcessingService({
      store,
      findLeftWork,
      lanes: lanesOf(data),
      isQueueShared: data.database.kind === "postgres",
      sliceMs: SLICE_MS,
      newLeaseToken,
      onCommit: () => send("committed"),
      onJobEnded: (ended) => send({ measured: "job", ...ended }),
      ending: ending.signal,
      log,
      ingest: {
        store,
        embedderFor,
        passages: pool,
        namesOf: createReadingNames(),
        extractor: openExtractor(parts),
        maxTokens: MINILM_MAX_TOKENS - SPECIAL_TOKENS,
        batchChunks: BATCH_CHUNKS,
        tokenLimit,
        leaseMs: LEASE_MS,
        now: store.now,
        monthOf,
        ...(data.isTraced && { onBatch: (batch) => send({ measured: "batch", ...batch }) }),
      },
    }),
    merging: createMergingService({
      store,
      work: merger,
      log,
      now: store.now,
      jobLifeMs,
      endedJobs,
      onDamage,
    }),
    moving: createMovingService({
      store,
      findLeftWork,
      work: merger,
      log,
      newLeaseToken,
      sliceMs: MOVE_SLICE_MS,
      leaseMs: LEASE_MS,
      embedderFor,
      onDamage,
      batchesAtOnce: (space) =>
        [pool, ...pool.locals].some((own) => isSameSpace(space, own)) ? 1 : MOVE_BATCHES,
      tokenLimit,
      now: store.now,
      monthOf,
    }),
  };
}

/** One more than embed, so that a core has work while a lane commits; and one that is free for an account that has none. */
function lanesOf({ embedThreads }: IngestThreadData): number {
  return embedThreads + 2;
}

/** A local reader goes before a language model; null where none is configured. */
function openExtractor({ data, store, log, pool, send }: Parts): ModelExtractor | null {
  const { languageModel, tokenLimit } = data;
  if (pool.reader !== null)
    return createReaderExtractor({
      reader: pool.reader,
      atOnce: READ_AHEAD * data.embedThreads,
      onUnread: (unread) => log.warn("reader_types_unread", { ...unread }),
    });
  if (languageModel === null) return null;
  const model = createLanguageModel(languageModel, { store, log, tokenLimit, onActivity: send });
  return createModelExtractor({ model, inFlight: languageModel.maxConcurrent });
}

await serveThread<IngestThreadRequest, null>("ingest", async () => {
  const data = workerData as IngestThreadData; // Set by the supervisor.
  const drained = Promise.withResolvers<null>();
  const running = await start(data, (event) => {
    if (parentPort !== null) sendEvent(parentPort, event);
  });
  let closing = false;
  return {
    async answer(request) {
      if (request === "work") return drained.promise;
      if (request === "check") void running.checkLeases();
      if (request === "drain") running.hurry();
      if (request !== "drain" && request !== "rest") running.loop.wake();
      else if (!closing) {
        closing = true;
        void running.close().then(() => drained.resolve(null));
      }
      return null;
    },
  };
});
