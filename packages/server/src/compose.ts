/** Starts the service from top to bottom, and closes it in the reverse order. Services and HTTP are put together next door. */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { type OpenedStore, portsOf } from "./adapters/database/open-store.ts";
import type { CallTimes } from "./adapters/database/postgres-pool.ts";
import { silenceRuntime } from "./adapters/models/runtime/silence-runtime.ts";
import { type AdoptedStore, withSegmentStore } from "./adapters/segments/open-outside.ts";
import { createWebhookSender } from "./adapters/webhooks/http-sender.ts";
import { createBoundedLog } from "./bounded-log.ts";
import { startApi, workerEdge } from "./compose-api.ts";
import { accountLimits, outgoing } from "./compose-services.ts";
import type { Config } from "./config.ts";
import { localEmbedders, localReader, modelDirOf } from "./configured-models.ts";
import { describeProcess } from "./describe-process.ts";
import { type ServiceProcess, serves, works } from "./domain/service-process.ts";
import { recordEmbedding } from "./embedding-status.ts";
import { openFoundation } from "./foundation.ts";
import { withPort } from "./free-port.ts";
import { presentEvent } from "./http/present-events.ts";
import { checkLocalReader, withLocalModels } from "./local-models.ts";
import { SERVER } from "./mcp/endpoint.ts";
import { createMonitoring, createOperations, type Monitoring } from "./metrics.ts";
import { remoteEmbeddings } from "./open-embedders.ts";
import { createOutageLog, type OutageLog } from "./outage-log.ts";
import { type ActAs, type CurrentWork, ownWork } from "./ports/current-work.ts";
import type { Log } from "./ports/log.ts";
import { keepCompiledCode } from "./process-environment.ts";
import { createWatch } from "./rpc/watch.ts";
import { openSegmentStore } from "./segment-store.ts";
import { isUpkeepDue } from "./services/merging.ts";
import { createLeftWork, isWorkReady, registerProcess } from "./services/processes.ts";
import type { Started } from "./services/set-up.ts";
import { createWebhookDelivery } from "./services/webhook-delivery.ts";
import { createTelemetry, type Telemetry } from "./telemetry.ts";
import { createThreadBoard, stuckFault } from "./threads/board.ts";
import { watchDatabaseThreads } from "./threads/database-threads.ts";
import { type IngestSupervisor, NO_INGEST, superviseIngestThread } from "./threads/ingest-supervisor.ts";
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

const DAY_MS = 24 * 60 * 60_000;

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
  try {
    keepCompiledCode(config);
    const outside = AsyncLocalStorage.snapshot();
    const threads: ThreadDeps = { watch: createWatch(), board: createThreadBoard(), log, outside };
    const acting = new AsyncLocalStorage<CurrentWork>();
    const { opened: unrecorded, ...founded } = await openFoundation(config, requestLog, {
      threads: watchDatabaseThreads(threads),
      currentWork: () => acting.getStore() ?? ownWork(),
      times,
    });
    const { auth, setUp, secret } = founded;
    closers.push(unrecorded.store.close, auth.authenticator.close);
    const segments = await openSegmentStore(config, unrecorded.store, log);
    const segmentStore = segments?.adopted ?? null;
    const process = await describeProcess(config, secret);
    const registration = await register(unrecorded, process, log);
    closers.push(async () => registration?.close());

    const store = await withSegmentStore(unrecorded.store, segmentStore);
    const parts = { opened: { ...unrecorded, store }, threads, log: requestLog, instance: process.processId };
    const { opened, monitoring, telemetry } = observe(config, parts);
    closers.push(() => Promise.all([monitoring.memory.close(), telemetry?.close()]));
    const onClose = (closer: () => Promise<unknown>) => void closers.push(closer);
    const ingest = works(config)
      ? superviseIngest(opened, config, { threads, monitoring, process, outages, segmentStore })
      : NO_INGEST;
    closers.push(() => ingest.drain());
    const webhooks = startWebhooks(opened, config, log);
    closers.push(() => webhooks.close());
    void registration?.unusable.then(() => Promise.all([ingest.drain(), webhooks.close()]));
    const actAs: ActAs = (work, run) => acting.run(work, run);
    const tracer = telemetry?.tracer ?? null;
    const shared = { config, opened, segmentStore, ingest, threads, monitoring, log, requestLog, tracer };
    const edge = serves(config)
      ? startApi({ ...shared, auth, setUp, actAs, webhookSender: webhooks.sender }, onClose)
      : workerEdge(shared);

    let phase: "starting" | "stopping" | null = "starting";
    const phaseFault = () => (phase === null ? null : `The service is ${phase}.`);
    const partFaults = () => [registration, edge, ingest].map((part) => part?.fault() ?? null);
    const faults = () => [phaseFault(), ...partFaults(), stuckFault(threads.board)];
    if (works(config))
      await checkLocalReader(config, (activity) => recordEmbedding(activity, { monitoring, log }));
    const operations = createOperations({
      ...{ store, faults, segments, registration, monitoring, log },
      checkQueries: edge.checkDatabase,
      pools: opened.poolBoard,
      now: store.now,
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

function superviseIngest(
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
