/** Starts the service from top to bottom, and closes it in the reverse order. Services and HTTP are put together next door. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Auth, createAuth } from "./adapters/auth/auth.ts";
import { makeDataDirectory } from "./adapters/database/data-directory.ts";
import { type OpenedStore, openStore, portsOf } from "./adapters/database/open-store.ts";
import type { DatabaseThreads } from "./adapters/database/sqlite-store.ts";
import { silenceModelRuntime } from "./adapters/models/minilm-embedder.ts";
import { createWebhookSender } from "./adapters/webhooks/http-sender.ts";
import { closeHttp, createHttp } from "./compose-http.ts";
import { createServices } from "./compose-services.ts";
import { type Config, keepCompiledCode } from "./config.ts";
import { openDashboardFiles } from "./dashboard-files.ts";
import { withPort } from "./free-port.ts";
import type { ActAs } from "./http/authenticate.ts";
import { presentEvent } from "./http/present-events.ts";
import { createMonitoring, createOperations, type Monitoring } from "./metrics.ts";
import { remoteEmbeddings } from "./open-embedders.ts";
import type { Log } from "./ports/log.ts";
import { createWatch } from "./rpc/watch.ts";
import { readOrCreateSecret } from "./secrets.ts";
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

/** Starts the service and returns when it listens. If a step fails, the steps before it are undone. */
export async function composeService(given: Config, { log, print }: ComposeDeps): Promise<RunningService> {
  silenceModelRuntime();
  const config = await withPort(given);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    keepCompiledCode(config);
    const threads: ThreadDeps = { watch: createWatch(), board: createThreadBoard(), log };
    const acting = new AsyncLocalStorage<string>();
    const databaseThreads = watchDatabaseThreads(threads, () => acting.getStore() ?? "");
    const { opened, auth, setUp } = await openFoundation(config, log, databaseThreads);
    const { store } = opened;
    closers.push(() => store.close());
    closers.push(() => auth.authenticator.close());

    const monitoring = createMonitoring(config, threads.board);
    const queries = startQueries(opened, config, threads);
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
    const queryMeter = createQueryMeter({ store, log, now: Date.now });
    closers.push(() => queryMeter.flush());

    const { sender: webhookSender } = webhooks;
    const own = { config, store, queries, ingest, suggester, webhookSender, queryMeter, monitoring, log };
    const services = createServices(own);
    let isSetUp = false;
    const faults = () => [
      isSetUp ? null : "The service is starting.",
      queries.fault(),
      ingest.fault(),
      stuckFault(threads.board),
    ];
    const operations = createOperations({ store, faults, monitoring, log });
    const { toolCalls } = monitoring;
    const readLargeBody = bodies.read;
    const actAs: ActAs = (accountId, work) => acting.run(accountId, work);
    const edge = { config, auth, setUp, services, operations, toolCalls, readLargeBody, dashboard, log };
    const app = await createHttp({ ...edge, actAs });
    // All at once: none may use up the time that the others need.
    const closeQueries = () => closeHttp(app).then(() => queries.close());
    closers.push(() => Promise.all([closeQueries(), ingest.drain(), webhooks.loop.close()]));
    await app.listen({ host: config.host, port: config.port });
    // After the port is ours: a text that is printed once must not be lost to a start that fails.
    const started = await setUp.start({ bootstrapApiKey: config.bootstrapApiKey });
    isSetUp = true;
    log.info("listening", { host: config.host, port: config.port, database: opened.kind });
    print(welcome(config, started));
    const hasStuckThreads = () => stuckFault(threads.board, 1) !== null;
    return { baseUrl: config.publicUrl, port: config.port, stop: close, hasStuckThreads };
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

interface Foundation {
  readonly opened: OpenedStore;
  readonly auth: Auth;
  readonly setUp: SetUp;
}

/** The data directory, the migrated database and the accounts in it, which every command needs. */
async function openFoundation(config: Config, log: Log, threads?: DatabaseThreads): Promise<Foundation> {
  const { databaseUrl, dataDir, publicUrl } = config;
  makeDataDirectory(dataDir);
  const opened = await openStore({ databaseUrl, dataDir, ...(threads === undefined ? {} : { threads }) });
  const { store } = opened;
  try {
    // The embedded database is locked for this process, so every lease belongs to a dead one.
    if (opened.kind === "sqlite") await store.expireAllLeases();
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

function modelDirOf(config: Config): string {
  return join(config.dataDir, "models");
}

function startQueries(opened: OpenedStore, config: Config, threads: ThreadDeps): QueryPool {
  const crew = queryCrew({
    threads: config.queryThreads,
    cacheBytes: config.cacheBytes,
    modelDir: modelDirOf(config),
    connect() {
      const database = opened.connectThread();
      return { database, transfer: portsOf(database) };
    },
  });
  return startQueryPool(crew, threads);
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
        languageModel: config.languageModel,
        embeddings: remoteEmbeddings(config),
        logLevel: config.logLevel,
      };
      return { data, transfer: portsOf(database) };
    },
    async hasWork() {
      const now = Date.now();
      if ((await store.nextWork({ now })).readyNow) return true;
      return (await store.nextReembedding({ now })).readyNow;
    },
    hasUpkeep: () => isUpkeepDue(store, Date.now()),
    onDamage: () => monitoring.damagedSegments.inc(),
    onModelActivity(activity) {
      if ("kind" in activity) monitoring.embeddingStatus.record(activity);
      else monitoring.modelStatus?.record("ingest", activity);
    },
    threads,
  });
}

/** Starts to deliver waiting events. `sender` is also used for the test deliveries that callers request. */
function startWebhooks({ store }: OpenedStore, config: Config, log: Log) {
  const sender = createWebhookSender({
    allowPrivate: config.webhookPrivate === "allow",
    userAgent: "Knowledge-Context-Service",
  });
  const delivery = createWebhookDelivery({
    store,
    sender,
    log,
    present: presentEvent,
    now: Date.now,
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
