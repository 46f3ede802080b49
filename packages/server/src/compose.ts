/** Starts the service from top to bottom, and closes it in the reverse order. Services and HTTP are put together next door. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Auth, createAuth } from "./adapters/auth/auth.ts";
import { makeDataDirectory } from "./adapters/database/data-directory.ts";
import { type OpenedStore, openStore, portsOf } from "./adapters/database/open-store.ts";
import type { DatabaseThreads } from "./adapters/database/sqlite-store.ts";
import { silenceRuntime } from "./adapters/models/runtime/silence-runtime.ts";
import { createWebhookSender } from "./adapters/webhooks/http-sender.ts";
import { createBoundedLog } from "./bounded-log.ts";
import { closeHttp, createHttp } from "./compose-http.ts";
import { accountLimits, createServices, outgoing } from "./compose-services.ts";
import type { Config } from "./config.ts";
import { localEmbedders, localReader, localReranker } from "./configured-models.ts";
import { openDashboardFiles } from "./dashboard-files.ts";
import { withPort } from "./free-port.ts";
import { presentEvent } from "./http/present-events.ts";
import { checkLocalReader, withLocalModels } from "./local-models.ts";
import { createMonitoring, createOperations, type Monitoring } from "./metrics.ts";
import { remoteEmbeddings } from "./open-embedders.ts";
import { type ActAs, type CurrentWork, ownWork, type ReadCurrentWork } from "./ports/current-work.ts";
import type { EmbeddingActivity } from "./ports/embedding-activity.ts";
import type { Log } from "./ports/log.ts";
import { keepCompiledCode } from "./process-environment.ts";
import { createWatch } from "./rpc/watch.ts";
import { hasSecret, readOrCreateSecret } from "./secrets.ts";
import { isUpkeepDue } from "./services/merging.ts";
import { createQueryMeter } from "./services/query-meter.ts";
import { createSetUp, type SetUp, type Started } from "./services/set-up.ts";
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
    const { opened, auth, setUp } = await openFoundation(config, requestLog, {
      threads: watchDatabaseThreads(threads),
      currentWork: () => acting.getStore() ?? ownWork(),
    });
    const { store } = opened;
    closers.push(() => store.close());
    closers.push(() => auth.authenticator.close());

    const monitoring = createMonitoring(config, threads.board);
    const queries = startQueries(opened, config, { threads, monitoring });
    closers.push(() => queries.close());
    const ingest = superviseIngest(opened, config, { threads, monitoring });
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

    const webhookSender = webhooks.sender;
    const own = { config, store, queries, ingest, suggester, webhookSender, queryMeter, monitoring, log };
    let phase: "starting" | "stopping" | null = "starting";
    const faults = () => [
      phase === null ? null : `The service is ${phase}.`,
      queries.fault(),
      ingest.fault(),
      stuckFault(threads.board),
    ];
    await checkLocalReader(config, (activity) => recordEmbedding(activity, { monitoring, log }));
    const operations = createOperations({ store, faults, monitoring, log, now: Date.now });
    const services = createServices(own);
    const actAs: ActAs = (work, run) => acting.run(work, run);
    const edge = { config, auth, setUp, services, operations, toolCalls: monitoring.toolCalls, dashboard };
    const app = await createHttp({ ...edge, readLargeBody: bodies.read, log: requestLog, actAs });
    // All at once: none may use up the time that the others need.
    const closeQueries = async () => {
      queries.hurry();
      await closeHttp(app);
      await queries.close();
    };
    closers.push(() => Promise.all([closeQueries(), ingest.drain(), webhooks.loop.close()]));
    await app.listen({ host: config.host, port: config.port });
    // After the port is ours: a text that is printed once must not be lost to a start that fails.
    const started = await setUp.start({ bootstrapApiKey: config.bootstrapApiKey });
    phase = null;
    log.info("listening", { host: config.host, port: config.port, database: opened.kind });
    print(welcome(config, started));
    const hasStuckThreads = () => stuckFault(threads.board, 1) !== null;
    const beginStop = () => {
      phase = "stopping";
      void ingest.drain();
      void queryMeter.flush();
    };
    return { baseUrl: config.publicUrl, port: config.port, beginStop, stop: close, hasStuckThreads };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Brings the database up to date and returns. */
export async function composeMigration(config: Config, log: Log): Promise<void> {
  const { opened, auth } = await openFoundation(config, log);
  await auth.authenticator.close();
  await opened.store.close();
}

/** A new one-time link to set the owner's e-mail address and password. */
export async function composeResetLink(config: Config, log: Log): Promise<string> {
  const { opened, auth, setUp } = await openFoundation(config, log);
  const link = await setUp.resetLink({ email: null });
  await auth.authenticator.close();
  await opened.store.close();
  if (link === null) throw new Error("There is no account to make a link for.");
  return link;
}

/** Leases, rates and retries are kept by the database's clock. What this machine shows differs from it in the log. */
function tellClock(now: () => number, log: Log): void {
  const seconds = Math.round((now() - Date.now()) / 1000);
  if (seconds !== 0) log.warn("clock_differs", { databaseAheadSeconds: seconds });
}

interface Foundation {
  readonly opened: OpenedStore;
  readonly auth: Auth;
  readonly setUp: SetUp;
}

/** The data directory, the migrated database and the accounts in it, which every command needs. */
async function openFoundation(
  config: Config,
  log: Log,
  shared: { readonly threads?: DatabaseThreads; readonly currentWork?: ReadCurrentWork } = {},
): Promise<Foundation> {
  const { databaseUrl, dataDir, publicUrl } = config;
  makeDataDirectory(dataDir);
  const opened = await openStore({ databaseUrl, dataDir, wasUsed: hasSecret(dataDir), ...shared });
  const { store } = opened;
  tellClock(store.now, log);
  try {
    // The embedded database is locked for this process, so every lease belongs to a dead one.
    if (opened.kind === "sqlite") await store.expireAllLeases({ now: Date.now() });
    const auth = await createAuth({
      store,
      database: opened.authDatabase(),
      publicUrl,
      secret: config.secret ?? (await readOrCreateSecret(dataDir)),
      signUpOpen: config.signUp === "open",
      log,
    });
    return { opened, auth, setUp: createSetUp({ accounts: auth.accounts, store, publicUrl }) };
  } catch (error) {
    await store.close();
    throw error;
  }
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
    connect() {
      const database = opened.connectThread();
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
  { threads, monitoring }: { readonly threads: ThreadDeps; readonly monitoring: Monitoring },
): IngestSupervisor {
  const { store } = opened;
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
        logLevel: config.logLevel,
      };
      return { data, transfer: portsOf(database) };
    },
    async hasWork() {
      const now = store.now();
      if ((await store.nextWork({ now })).readyNow) return true;
      if ((await store.nextConversion({ now })).readyNow) return true;
      return (await store.nextReembedding({ now })).readyNow;
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
