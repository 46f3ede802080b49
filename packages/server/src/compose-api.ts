/** What a process has towards its callers: the whole API with query threads, or only its health where it is a worker. */
import type { FastifyInstance } from "fastify";
import type { Auth } from "./adapters/auth/auth.ts";
import { type OpenedStore, portsOf } from "./adapters/database/open-store.ts";
import type { AdoptedStore } from "./adapters/segments/open-outside.ts";
import { closeHttp, createHttp } from "./compose-http.ts";
import { createServices } from "./compose-services.ts";
import type { Config } from "./config.ts";
import { localEmbedders, localReranker, modelDirOf } from "./configured-models.ts";
import { openDashboardFiles } from "./dashboard-files.ts";
import { recordEmbedding } from "./embedding-status.ts";
import { createOperationsApp } from "./http/operations-app.ts";
import type { Operations } from "./http/routes/operations.ts";
import type { Monitoring } from "./metrics.ts";
import type { ActAs } from "./ports/current-work.ts";
import type { BoundedLog, Log } from "./ports/log.ts";
import type { Tracer } from "./ports/tracing.ts";
import type { WebhookSender } from "./ports/webhook-sender.ts";
import { createQueryMeter } from "./services/query-meter.ts";
import type { SetUp } from "./services/set-up.ts";
import { createBodyThread } from "./threads/body-client.ts";
import type { IngestSupervisor } from "./threads/ingest-supervisor.ts";
import { type QueryPool, queryCrew, startQueryPool } from "./threads/query-pool.ts";
import { createSuggestThread } from "./threads/suggest-client.ts";
import type { ThreadDeps } from "./threads/thread.ts";

export interface Edge {
  /** By the way that questions take. @throws StoreUnavailableError */
  readonly checkDatabase: () => Promise<void>;
  /** Why questions cannot be answered; null when nothing is wrong. */
  readonly fault: () => string | null;
  open(operations: Operations): Promise<FastifyInstance>;
  /** Running requests end; questions hurry. */
  close(app: FastifyInstance): Promise<void>;
  /** Writes what was only counted. */
  flush(): void;
}

interface Shared {
  readonly config: Config;
  readonly opened: OpenedStore;
  /** null: the bytes of segments are in the database. */
  readonly segmentStore: AdoptedStore | null;
  readonly ingest: IngestSupervisor;
  readonly threads: ThreadDeps;
  readonly monitoring: Monitoring;
  readonly log: Log;
  /** For what requests cause, however many they are. */
  readonly requestLog: BoundedLog;
  /** null = nothing is recorded. */
  readonly tracer: Tracer | null;
}

/** `onClose` takes what ends each part, in the order of their starts. */
export function startApi(
  parts: Shared & {
    readonly auth: Auth;
    readonly setUp: SetUp;
    readonly actAs: ActAs;
    readonly webhookSender: WebhookSender;
  },
  onClose: (closer: () => Promise<unknown>) => void,
): Edge {
  const { config, opened, threads, monitoring, log, requestLog } = parts;
  const { store } = opened;
  const queries = startQueries(opened, config, parts);
  onClose(() => queries.close());
  const bodies = createBodyThread({ maxTextBytes: config.maxTextBytes }, threads);
  onClose(() => bodies.close());
  const suggester = createSuggestThread(threads);
  onClose(() => suggester.close());
  const dashboard = openDashboardFiles({ log });
  onClose(async () => dashboard.close());
  const queryMeter = createQueryMeter({ store, log, now: store.now });
  onClose(() => queryMeter.flush());
  const services = createServices({
    ...parts,
    store,
    queries,
    suggester,
    queryMeter,
    readLargeBody: bodies.read,
  });
  return {
    checkDatabase: queries.checkDatabase,
    fault: queries.fault,
    open: (operations) =>
      createHttp({
        ...{ ...parts, services, operations, dashboard },
        toolCalls: monitoring.toolCalls,
        readLargeBody: bodies.read,
        log: requestLog,
      }),
    async close(app) {
      queries.hurry();
      await closeHttp(app);
      await queries.close();
    },
    flush: () => void queryMeter.flush(),
  };
}

/** It answers no question, so its readiness is that of its database and its ingest thread. */
export function workerEdge({ config, requestLog }: Pick<Shared, "config" | "requestLog">): Edge {
  return {
    checkDatabase: async () => undefined,
    fault: () => null,
    open: async (operations) =>
      createOperationsApp({
        operations,
        log: requestLog,
        metricsToken: config.metricsToken,
        publicUrl: config.publicUrl,
      }),
    close: closeHttp,
    flush: () => undefined,
  };
}

function startQueries(
  opened: OpenedStore,
  config: Config,
  {
    threads,
    monitoring,
    tracer,
    segmentStore,
  }: Pick<Shared, "threads" | "monitoring" | "tracer" | "segmentStore">,
): QueryPool {
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
