/** Starts the service from top to bottom, and closes it in the reverse order. Services and HTTP are put together next door. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import type { OpenedStore } from "./adapters/database/open-store.ts";
import type { CallTimes } from "./adapters/database/postgres-pool.ts";
import { silenceRuntime } from "./adapters/models/runtime/silence-runtime.ts";
import { withSegmentStore } from "./adapters/segments/open-outside.ts";
import { createWebhookSender } from "./adapters/webhooks/http-sender.ts";
import { createBoundedLog } from "./bounded-log.ts";
import { outgoing, startQueries, superviseIngest } from "./compose-threads.ts";
import type { Config } from "./config.ts";
import { describeProcess } from "./describe-process.ts";
import { type ServiceProcess, serves, works } from "./domain/service-process.ts";
import { recordEmbedding } from "./embedding-status.ts";
import { type OpenedDatabase, openAccounts, openDatabase } from "./foundation.ts";
import { withPort } from "./free-port.ts";
import { presentEvent } from "./http/present-events.ts";
import { checkLocalReader, withLocalModels } from "./local-models.ts";
import { SERVER } from "./mcp/server.ts";
import { createMonitoring, createOperations, type Monitoring } from "./metrics.ts";
import { createOutageLog, type OutageLog } from "./outage-log.ts";
import { type ActAs, type CurrentWork, ownWork } from "./ports/current-work.ts";
import type { Log } from "./ports/log.ts";
import { keepCompiledCode } from "./process-environment.ts";
import { createWatch } from "./rpc/watch.ts";
import { openSegmentStore } from "./segment-store.ts";
import { registerProcess } from "./services/processes.ts";
import type { Started } from "./services/set-up.ts";
import { createWebhookDelivery } from "./services/webhook-delivery.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";
import { createThreadBoard, stuckFault } from "./threads/board.ts";
import { watchDatabaseThreads } from "./threads/database-threads.ts";
import { NO_INGEST } from "./threads/ingest-supervisor.ts";
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
  /** Of calls to PostgreSQL; tests shorten them. */
  readonly times?: CallTimes;
}

/** Starts the service and returns when it listens. If a step fails, the steps before it are undone. */
export async function composeService(given: Config, deps: ComposeDeps): Promise<RunningService> {
  silenceRuntime();
  const outages = createOutageLog(deps.log);
  const config = await withLocalModels(await withPort(given), outages.log);
  return startService(config, { ...deps, log: outages.log, outages });
}

async function startService(
  config: Config,
  { log, print, times, outages }: ComposeDeps & { readonly outages: OutageLog },
): Promise<RunningService> {
  /** For what requests cause, however many they are. */
  const requestLog = createBoundedLog(log);
  const closers: (() => Promise<unknown>)[] = [async () => outages.flush(), async () => requestLog.flush()];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const onClose = (closer: () => Promise<unknown>) => void closers.push(closer);
  try {
    keepCompiledCode(config);
    const outside = AsyncLocalStorage.snapshot();
    const threads: ThreadDeps = { watch: createWatch(), board: createThreadBoard(), log, outside };
    const acting = new AsyncLocalStorage<CurrentWork>();
    const database = await openDatabase(config, requestLog, {
      threads: watchDatabaseThreads(threads),
      currentWork: () => acting.getStore() ?? ownWork(),
      times,
    });
    onClose(database.opened.store.close);
    const data = await observeData(config, database, { log, requestLog, threads, onClose });
    const { opened, segments, process, registration, monitoring, telemetry } = data;
    const segmentStore = segments?.adopted ?? null;
    const tracer = telemetry?.tracer ?? null;
    const shared = { config, opened, segmentStore, threads, monitoring, log, requestLog, tracer };
    const queries = serves(config) ? startQueries(opened, config, shared) : null;
    if (queries !== null) onClose(queries.close);
    const { auth, setUp } = await openAccounts(config, database, requestLog);
    onClose(auth.authenticator.close);
    const ingest = works(config)
      ? superviseIngest(opened, config, { threads, monitoring, process, outages, segmentStore })
      : NO_INGEST;
    onClose(() => ingest.drain());
    const webhooks = startWebhooks(opened, config, log);
    closers.push(() => webhooks.close());
    void registration?.unusable.then(() => Promise.all([ingest.drain(), webhooks.close()]));
    const actAs: ActAs = (work, run) => acting.run(work, run);
    // The threads load their code meanwhile.
    const { startApi, workerEdge } = await import("./compose-api.ts");
    const parts = { ...shared, ingest, auth, setUp, actAs, webhookSender: webhooks.sender };
    const edge = queries === null ? workerEdge(shared) : startApi({ ...parts, queries }, onClose);

    let phase: "starting" | "stopping" | null = "starting";
    const phaseFault = () => (phase === null ? null : `The service is ${phase}.`);
    const partFaults = () => [registration, edge, ingest].map((part) => part?.fault() ?? null);
    const faults = () => [phaseFault(), ...partFaults(), stuckFault(threads.board)];
    if (works(config))
      await checkLocalReader(config, (activity) => recordEmbedding(activity, { monitoring, log }));
    const operations = createOperations({
      ...{ store: opened.store, faults, segments, registration, monitoring, log },
      checkQueries: edge.checkDatabase,
      pools: opened.poolBoard,
      now: opened.store.now,
    });
    telemetry?.sendMetrics(operations.samples);
    const app = await edge.open(operations);
    // All at once: none may use up the time that the others need.
    closers.push(() => Promise.all([edge.close(app), ingest.drain(), webhooks.close()]));
    await app.listen({ host: config.host, port: config.port });
    // After the port is ours: a text that is printed once must not be lost to a start that fails.
    const started = serves(config) ? await setUp.start({ bootstrapApiKey: config.bootstrapApiKey }) : null;
    phase = null;
    log.info("listening", { host: config.host, port: config.port, database: opened.kind, role: config.role });
    print(welcome(config, started));
    edge.afterStart();
    const beginStop = () => {
      phase = "stopping";
      void ingest.drain();
      edge.flush();
    };
    const hasStuckThreads = () => stuckFault(threads.board, 1) !== null;
    return { baseUrl: config.publicUrl, port: config.port, beginStop, stop: close, hasStuckThreads };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The database with what is measured of it and of the process, and the process's entry among those of its database. */
async function observeData(
  config: Config,
  { opened, secret }: OpenedDatabase,
  {
    log,
    requestLog,
    threads,
    onClose,
  }: {
    readonly log: Log;
    readonly requestLog: Log;
    readonly threads: ThreadDeps;
    readonly onClose: (closer: () => Promise<unknown>) => void;
  },
) {
  const segments = await openSegmentStore(config, opened.store, log);
  const process = await describeProcess(config, secret);
  const registration = await register(opened, process, log);
  onClose(async () => registration?.close());
  const store = await withSegmentStore(opened.store, segments?.adopted ?? null);
  const parts = { opened: { ...opened, store }, threads, log: requestLog, instance: process.processId };
  const observed = observe(config, parts);
  onClose(() => Promise.all([observed.monitoring.memory.close(), observed.telemetry?.close()]));
  return { ...observed, segments, process, registration };
}

/** Metrics and, if a collector is configured, traces: of the boards, and of the calls of the store. */
function observe(
  config: Config,
  parts: {
    readonly opened: OpenedStore;
    readonly threads: ThreadDeps;
    readonly log: Log;
    readonly instance: string;
  },
): {
  readonly opened: OpenedStore;
  readonly monitoring: Monitoring;
  readonly telemetry: Telemetry | null;
} {
  const { opened, threads } = parts;
  const monitoring = createMonitoring(config, threads.board);
  if (config.telemetry === null) return { opened, monitoring, telemetry: null };
  const telemetry = createTelemetry(config.telemetry, {
    ...parts,
    version: SERVER.version,
    role: config.role,
  });
  const store = telemetry.traced(opened.store, opened.kind === "sqlite" ? "sqlite" : "postgresql");
  return { opened: { ...opened, store }, monitoring: telemetry.alsoFrom(monitoring), telemetry };
}

/** null on the embedded database, which has one process. */
async function register({ kind, store }: OpenedStore, own: ServiceProcess, log: Log) {
  return kind === "sqlite" ? null : registerProcess({ store, own, now: store.now, log });
}

/** Delivers waiting events, if the process works. `sender` is also used for the test deliveries that callers request. */
function startWebhooks({ store }: OpenedStore, config: Config, log: Log) {
  const sender = createWebhookSender(outgoing(config));
  if (!works(config)) return { sender, close: async () => undefined };
  const delivery = createWebhookDelivery({
    store,
    sender,
    log,
    present: presentEvent,
    now: store.now,
    random: Math.random,
    newLeaseToken: () => randomBytes(16).toString("hex"),
  });
  return { sender, close: startWebhookLoop({ delivery, log }).close };
}

/** `started`: null of a process that has no accounts. */
function welcome(config: Config, started: Started | null): string {
  const { firstKey, setUpLink } = started ?? { firstKey: null, setUpLink: null };
  const lines = [`Knowledge Context Service listens on ${config.publicUrl}`];
  if (firstKey !== null) lines.push("", "Your API key, shown this once:", "", `  ${firstKey}`);
  if (setUpLink !== null) {
    lines.push("", "Choose the owner's e-mail address and password within an hour:", "", `  ${setUpLink}`);
  }
  return `${lines.join("\n")}\n`;
}
