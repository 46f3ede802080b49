/** The threads of a process that ingest and that answer questions. They load their code while the main thread loads what serves callers. */
import { join } from "node:path";
import { type OpenedStore, portsOf } from "./adapters/database/open-store.ts";
import type { AdoptedStore } from "./adapters/segments/open-outside.ts";
import type { Config } from "./config.ts";
import { localEmbedders, localReader, localReranker, modelDirOf } from "./configured-models.ts";
import { type AccountLimits, CLOSED_SIGN_UP_LIMITS, OPEN_SIGN_UP_LIMITS } from "./domain/limits.ts";
import type { ServiceProcess } from "./domain/service-process.ts";
import { recordEmbedding } from "./embedding-status.ts";
import type { Monitoring } from "./metrics.ts";
import { remoteEmbeddings } from "./open-embedders.ts";
import type { OutageLog } from "./outage-log.ts";
import type { Tracer } from "./ports/tracing.ts";
import { isUpkeepDue } from "./services/merging.ts";
import { createLeftWork, isWorkReady } from "./services/processes.ts";
import { type IngestSupervisor, superviseIngestThread } from "./threads/ingest-supervisor.ts";
import { type QueryPool, queryCrew, startQueryPool } from "./threads/query-pool.ts";
import type { ThreadDeps } from "./threads/thread.ts";

const DAY_MS = 24 * 60 * 60_000;

export function accountLimits({ signUp }: Pick<Config, "signUp">): AccountLimits {
  return signUp === "open" ? OPEN_SIGN_UP_LIMITS : CLOSED_SIGN_UP_LIMITS;
}

/** For requests to addresses that users name. */
export function outgoing({ webhookPrivate }: Config) {
  return { allowPrivate: webhookPrivate === "allow", userAgent: "Knowledge-Context-Service" };
}

export function superviseIngest(
  opened: OpenedStore,
  config: Config,
  own: {
    readonly threads: ThreadDeps;
    readonly monitoring: Monitoring;
    readonly process: ServiceProcess;
    readonly outages: Pick<OutageLog, "tell">;
    readonly segmentStore: AdoptedStore | null;
  },
): IngestSupervisor {
  const { store } = opened;
  const { threads, monitoring, process, segmentStore } = own;
  const findLeftWork = createLeftWork({ store, own: process, now: store.now });
  return superviseIngestThread({
    prepare() {
      const database = opened.connectThread();
      const data = {
        ...{ database, segmentStore },
        modelDir: modelDirOf(config),
        embedThreads: config.ingestThreads,
        tokenLimit: config.tokenLimit,
        jobLifeMs: config.jobRetentionDays * DAY_MS,
        endedJobs: accountLimits(config).endedJobs,
        files: {
          folder: join(config.dataDir, "files"),
          maxTextBytes: config.maxTextBytes,
          maxFileBytes: config.maxFileBytes,
          ocrLanguages: config.ocrLanguages,
          limits: accountLimits(config),
          outgoing: outgoing(config),
        },
        languageModel: config.languageModel,
        embeddings: remoteEmbeddings(config),
        localModels: localEmbedders(config),
        reader: localReader(config),
        own: process,
        logLevel: config.logLevel,
        isTraced: config.telemetry !== null,
      };
      return { data, transfer: portsOf(database) };
    },
    hasWork: async () => isWorkReady(store, { now: store.now(), left: await findLeftWork() }),
    hasUpkeep: () => isUpkeepDue(store, store.now()),
    onDamage: () => monitoring.damagedSegments.inc(),
    onCommit: () => monitoring.storeStatus.wrote(),
    onFailedCall(call) {
      monitoring.storeStatus.failed(call, store.now());
      own.outages.tell(call);
    },
    onActivity(activity) {
      if ("measured" in activity) monitoring.work.record(activity);
      else if ("kind" in activity) recordEmbedding(activity, { monitoring, log: threads.log });
      else monitoring.modelStatus?.record("ingest", activity);
    },
    threads,
  });
}

export function startQueries(
  opened: OpenedStore,
  config: Config,
  own: {
    readonly threads: ThreadDeps;
    readonly monitoring: Monitoring;
    /** null = nothing is recorded. */
    readonly tracer: Tracer | null;
    /** null: the bytes of segments are in the database. */
    readonly segmentStore: AdoptedStore | null;
  },
): QueryPool {
  const { threads, monitoring, tracer, segmentStore } = own;
  const rerankModel = localReranker(config);
  const crew = queryCrew({
    threads: config.queryThreads,
    cacheBytes: config.cacheBytes,
    segmentStore,
    modelDir: modelDirOf(config),
    localModels: localEmbedders(config),
    modelIdleMs: config.modelsIdleMinutes === 0 ? null : config.modelsIdleMinutes * 60_000,
    reranker: rerankModel === null ? null : { model: rerankModel, limitMs: config.rerankMs },
    answerFinder: config.answer?.files ? { model: config.answer.files, limitMs: config.answerMs } : null,
    connect(thread) {
      const database = opened.connectThread(thread);
      return { database, transfer: portsOf(database) };
    },
  });
  const { log } = threads;
  return startQueryPool(crew, {
    ...threads,
    tracer,
    onActivity(activity) {
      if ("measured" in activity) monitoring.work.record(activity);
      else recordEmbedding(activity, { monitoring, log });
    },
  });
}
