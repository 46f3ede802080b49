/** Starts the service from top to bottom, and closes it in the reverse order. Services and HTTP are put together next door. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type OpenedStore, portsOf } from "./adapters/database/open-store.ts";
import { silenceRuntime } from "./adapters/models/runtime/silence-runtime.ts";
import { createWebhookSender } from "./adapters/webhooks/http-sender.ts";
import { createBoundedLog } from "./bounded-log.ts";
import { closeHttp, createHttp } from "./compose-http.ts";
import { accountLimits, createServices, outgoing } from "./compose-services.ts";
import type { Config } from "./config.ts";
import { localEmbedders, localReader, localReranker } from "./configured-models.ts";
import { openDashboardFiles } from "./dashboard-files.ts";
import { describeProcess } from "./describe-process.ts";
import type { ServiceProcess } from "./domain/service-process.ts";
import { openFoundation } from "./foundation.ts";
import { withPort } from "./free-port.ts";
import { presentEvent } from "./http/present-events.ts";
import { checkLocalReader, withLocalModels } from "./local-models.ts";
import { createMonitoring, createOperations, type Monitoring } from "./metrics.ts";
import { remoteEmbeddings } from "./open-embedders.ts";
import { type ActAs, type CurrentWork, ownWork } from "./ports/current-work.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import type { Log } from "./ports/log.ts";
import { keepCompiledCode } from "./process-environment.ts";
import { createWatch } from "./rpc/watch.ts";
import { isUpkeepDue } from "./services/merging.ts";
import { createLeftWork, registerProcess } from "./services/processes.ts";
import { createQueryMeter } from "./services/query-meter.ts";
import type { Started } from "./services/set-up.ts";
import { createWebhookDelivery } from "./services/webhook-delivery.ts";
import { createThreadBoard, stuckFault } from "./threads/board.ts";
import { createBodyThread } from "./threads/body-client.ts";
import { watchDatabaseThreads } from "./threads/database-threads.ts";
import { type IngestSupervisor, superviseIngestThread } from "./threads/ingest-supervisor.ts";
import { type QueryPool, queryCrew, startQueryPool } from "./threads/query-pool.ts";
import { createSuggestThread } from "./threads/suggest-client.ts";
import type { ThreadDeps } from "./threads/thread.ts";
import { startWebhookLoop } from "./worker/webhook-loop.ts";

export interface RunningService {
  readonly baseUrl: string;
  readonly port: number;
  /** Requests are still taken, but `/ready` answers 503, so that a load balancer sends its requests elsewhere; no more jobs are begun. */
  beginStop(): void;
  /** Drains: no new requests and claims, running ones finish; then everything is closed. */
  stop(): Promise<void>;
  /** Threads that hang in native code would keep the process from exiting. */
  hasStuckThreads(): boolean;
}

export interface ComposeDeps {
  readonly log: Log;
  /** Shows the operator the texts that are shown once: the first key and the set-up link. */
  readonly print: (text: string) => void;
}

const DAY_MS = 24 * 60 * 60_000;

/** Starts the service and returns when it listens. If a step fails, the steps before it are undone. */
export async function composeService(given: Config, { log, print }: ComposeDeps): Promise<RunningService> {
  silenceRuntime();
  const config = await withLocalModels(await withPort(given), log);
  /** For what requests cause, however many they are. */
  const requestLog = createBoundedLog(log);
  const closers: (() => Promise<unknown>)[] = [async () => requestLog.flush()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    keepCompiledCode(config);
    const threads: ThreadDeps = { watch: createWatch(), board: createThreadBoard(), log };
    const acting = new AsyncLocalStorage<CurrentWork>();
    const { opened, auth, setUp, secret } = await openFoundation(config, requestLog, {
      threads: watchDatabaseThreads(threads),
      currentWork: () => acting.getStore() ?? ownWork(),
    });
    const { store } = opened;
    closers.push(() => store.close());
    closers.push(() => auth.authenticator.close());
    const process = await describeProcess(config, secret);
    const registration = await register(opened, process, log);
    closers.push(async () => registration?.close());

    const monitoring = createMonitoring(config, threads.board);
    const queries = startQueries(opened, config, { threads, monitoring });
    closers.push(() => queries.close());
    const ingest = superviseIngest(opened, config, { threads, monitoring, process });
    closers.push(() => ingest.drain());
    const bodies = createBodyThread({ maxTextBytes: config.maxTextBytes }, threads);
    closers.push(() => bodies.close());
    const suggester = createSuggestThread(threads);
    closers.push(() => suggester.close());

    const webhooks = startWebhooks(opened, config, log);
    closers.push(() => webhooks.loop.close());
    const dashboard = openDashboardFiles({ log });
    closers.push(async () => dashboard.close());
    const queryMeter = createQueryMeter({ store, log, now: store.now });
    closers.push(() => queryMeter.flush());

    const working = { queries, ingest, suggester, readLargeBody: bodies.read };
    const parts = { config, store, ...working, queryMeter, monitoring, log };
    let phase: "starting" | "stopping" | null = "starting";
    const phaseFault = () => (phase === null ? null : `The service is ${phase}.`);
    const faults = () => [phaseFault(), queries.fault(), ingest.fault(), stuckFault(threads.board)];
    await checkLocalReader(config, (activity) => recordEmbedding(activity, { monitoring, log }));
    const operations = createOperations({
      ...{ store, faults, registration, monitoring, log },
      checkQueries: queries.checkDatabase,
      pools: opened.poolBoard,
      now: Date.now,
    });
    const services = createServices({ ...parts, webhookSender: webhooks.sender });
    const actAs: ActAs = (work, run) => acting.run(work, run);
    const edge = { config, auth, setUp, services, operations, toolCalls: monitoring.toolCalls, dashboard };
    const app = await createHttp({ ...edge, readLargeBody: bodies.read, log: requestLog, actAs });
    // All at once: none may use up the time that the others need.
    closers.push(() => Promise.all([closeEdge(app, queries), ingest.drain(), webhooks.loop.close()]));
    await app.listen({ host: config.host, port: config.port });
    // After the port is ours: a text that is printed once must not be lost to a start that fails.
    const started = await setUp.start({ bootstrapApiKey: config.bootstrapApiKey });
    phase = null;
    log.info("listening", { host: config.host, port: config.port, database: opened.kind });
    print(welcome(config, started));
    const beginStop = () => {
      phase = "stopping";
      void ingest.drain();
      void queryMeter.flush();
    };
    const hasStuckThreads = () => stuckFault(threads.board, 1) !== null;
    return { baseUrl: config.publicUrl, port: config.port, beginStop, stop: close, hasStuckThreads };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeEdge(app: Parameters<typeof closeHttp>[0], queries: QueryPool): Promise<void> {
  queries.hurry();
  await closeHttp(app);
  await queries.close();
}

/** null on the embedded database, which has one process. */
async function register({ kind, store }: OpenedStore, own: ServiceProcess, log: Log) {
  return kind === "sqlite" ? null : registerProcess({ store, own, now: store.now, log });
}

/** Of the bundled model's file. */
export function modelDirOf(config: Config): string {
  return join(config.dataDir, "models");
}

function startQueries(
  opened: OpenedStore,
  config: Config,
  { threads, monitoring }: { readonly threads: ThreadDeps; readonly monitoring: Monitoring },
): QueryPool {
  const rerankModel = localReranker(config);
  const crew = queryCrew({
    threads: config.queryThreads,
    cacheBytes: config.cacheBytes,
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
    onActivity: (activity) => recordEmbedding(activity, { monitoring, log }),
  });
}

function superviseIngest(
  opened: OpenedStore,
  config: Config,
  own: {
    readonly threads: ThreadDeps;
    readonly monitoring: Monitoring;
    readonly process: ServiceProcess;
  },
): IngestSupervisor {
  const { store } = opened;
  const { threads, monitoring, process } = own;
  const findLeftWork = createLeftWork({ store, own: process, now: store.now });
  return superviseIngestThread({
    prepare() {
      const database = opened.connectThread();
      const data = {
        database,
        modelDir: modelDirOf(config),
        embedThreads: config.ingestThreads,
        tokenLimit: config.tokenLimit,
        jobLifeMs: config.jobRetentionDays * DAY_MS,
        files: {
          folder: join(config.dataDir, "files"),
          maxTextBytes: config.maxTextBytes,
          limits: accountLimits(config),
        },
        languageModel: config.languageModel,
        embeddings: remoteEmbeddings(config),
        localModels: localEmbedders(config),
        reader: localReader(config),
        own: process,
        logLevel: config.logLevel,
      };
      return { data, transfer: portsOf(database) };
    },
    async hasWork() {
      const left = await findLeftWork();
      const now = store.now();
      if ((await store.nextWork({ now, left })).readyNow) return true;
      if ((await store.nextConversion({ now })).readyNow) return true;
      return (await store.nextReembedding({ now, left })).readyNow;
    },
    hasUpkeep: () => isUpkeepDue(store, store.now()),
    onDamage: () => monitoring.damagedSegments.inc(),
    onCommit: () => monitoring.storeStatus.wrote(),
    onStoreUnavailable: (fault) => monitoring.storeStatus.failed(fault, Date.now()),
    onModelActivity(activity) {
      if ("kind" in activity) recordEmbedding(activity, { monitoring, log: threads.log });
      else monitoring.modelStatus?.record("ingest", activity);
    },
    threads,
  });
}

/** Shows it in the readiness, and logs a local model that cannot be used. */
function recordEmbedding(
  activity: EmbeddingActivity,
  { monitoring, log }: { readonly monitoring: Monitoring; readonly log: Log },
) {
  const { provider, model, error } = activity;
  monitoring.embeddingStatus.record(activity);
  if (provider === "local" && error !== null) log.error("local_model_unusable", { model, message: error });
}

/** Starts to deliver waiting events. `sender` is also used for the test deliveries that callers request. */
function startWebhooks({ store }: OpenedStore, config: Config, log: Log) {
  const sender = createWebhookSender(outgoing(config));
  const delivery = createWebhookDelivery({
    store,
    sender,
    log,
    present: presentEvent,
    now: store.now,
    random: Math.random,
    newLeaseToken: () => randomBytes(16).toString("hex"),
  });
  return { sender, loop: startWebhookLoop({ delivery, log }) };
}

function welcome(config: Config, { firstKey, setUpLink }: Started): string {
  const lines = [`Knowledge Context Service listens on ${config.publicUrl}`];
  if (firstKey !== null) lines.push("", "Your API key, shown this once:", "", `  ${firstKey}`);
  if (setUpLink !== null) {
    lines.push("", "Choose the owner's e-mail address and password within an hour:", "", `  ${setUpLink}`);
  }
  return `${lines.join("\n")}\n`;
}
