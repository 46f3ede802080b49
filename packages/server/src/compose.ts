/** Configuration → adapters → services → edges. The only place, with `threads/`, where things are joined. */
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Auth } from "./adapters/auth/auth.ts";
import { type OpenedStore, portsOf } from "./adapters/database/open-store.ts";
import { embeddingModelName } from "./adapters/models/embedding/settings.ts";
import { silenceModelRuntime } from "./adapters/models/minilm-embedder.ts";
import { openFoundation } from "./compose-foundation.ts";
import { createMcp } from "./compose-mcp.ts";
import { createServices } from "./compose-services.ts";
import { startWebhooks } from "./compose-webhooks.ts";
import { type Config, keepCompiledCode } from "./config.ts";
import { type DashboardFiles, openDashboardFiles } from "./dashboard-files.ts";
import { CLOSED_SIGN_UP_LIMITS, OPEN_SIGN_UP_LIMITS } from "./domain/limits.ts";
import { createEmbeddingStatusBoard, type EmbeddingStatusBoard } from "./embedding-status.ts";
import { withPort } from "./free-port.ts";
import { createApp } from "./http/app.ts";
import { createAuthenticate, createIsStillAllowed } from "./http/authenticate.ts";
import { createClientAddress } from "./http/client-address.ts";
import { presentEvent } from "./http/present-events.ts";
import { addAuthRoutes } from "./http/routes/auth.ts";
import { addDashboardRoutes } from "./http/routes/dashboard.ts";
import { addSetUpRoutes } from "./http/routes/set-up.ts";
import { createDamageCounter, createOperations, createToolCallCounter } from "./metrics.ts";
import type { ModelStatusBoard } from "./model-status.ts";
import { openQuestionVectors, remoteEmbeddings } from "./open-embedders.ts";
import { createModelStatus, openLanguageModel } from "./open-language-model.ts";
import type { Log } from "./ports/log.ts";
import type { Suggester } from "./ports/suggester.ts";
import type { WebhookSender } from "./ports/webhook-sender.ts";
import { isUpkeepDue } from "./services/merging.ts";
import { createModelAllowance } from "./services/model-allowance.ts";
import { createOntologyService } from "./services/ontologies.ts";
import { createQueryMeter, type QueryMeter } from "./services/query-meter.ts";
import type { SetUp, Started } from "./services/set-up.ts";
import { createSuggest } from "./services/suggestions.ts";
import { createWebhookService } from "./services/webhooks.ts";
import { type BodyThread, createBodyThread } from "./threads/body-client.ts";
import { type IngestSupervisor, superviseIngestThread } from "./threads/ingest-supervisor.ts";
import { startQueryCrew } from "./threads/query-crew.ts";
import { type QueryPool, startQueryPool } from "./threads/query-pool.ts";
import { createSuggestThread } from "./threads/suggest-client.ts";

const HTTP_CLOSE_LIMIT_MS = 3_000;
const IDLE_CHECK_MS = 50;
export interface RunningService {
  readonly baseUrl: string;
  readonly port: number;
  /** Drains: no new requests and claims, running ones finish; then everything is closed. */
  stop(): Promise<void>;
}

export interface ComposeDeps {
  readonly log: Log;
  /** Shows the operator what is shown once: the first key and the set-up link. */
  readonly print: (text: string) => void;
}

/** Starts the service and returns when it listens. What was opened before a fault is closed again. */
export async function composeService(given: Config, deps: ComposeDeps): Promise<RunningService> {
  silenceModelRuntime();
  const config = await withPort(given);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    keepCompiledCode(config);
    const foundation = await openFoundation(config, deps.log);
    const { opened, auth, setUp } = foundation;
    closers.push(() => opened.store.close());
    closers.push(() => auth.authenticator.close());
    const queries = startQueries(opened, config, deps.log);
    closers.push(() => queries.close());
    const damagedSegments = createDamageCounter();
    const modelStatus = createModelStatus(config);
    const embeddingStatus = createEmbeddingStatusBoard(remoteEmbeddings(config).map(embeddingModelName));
    const ingest = superviseIngest(opened, config, {
      log: deps.log,
      onDamage: () => damagedSegments.inc(),
      onModelActivity(activity) {
        if ("kind" in activity) embeddingStatus.record(activity);
        else modelStatus?.record("ingest", activity);
      },
    });
    closers.push(() => ingest.drain());
    const webhooks = startWebhooks(opened.store, config, deps.log);
    closers.push(() => webhooks.loop.close());
    const largeBodies = createBodyThread({ maxTextBytes: config.maxTextBytes });
    closers.push(() => largeBodies.close());
    const dashboard = openDashboardFiles({ log: deps.log });
    closers.push(async () => dashboard.close());
    const suggester = createSuggestThread();
    closers.push(() => suggester.close());
    const queryMeter = createQueryMeter({ store: opened.store, log: deps.log, now: Date.now });
    closers.push(() => queryMeter.flush());
    const readiness = { isSetUp: false };
    const app = await createHttp({
      ...{ config, opened, auth, setUp, queries, ingest, largeBodies, dashboard, readiness },
      ...{
        suggester,
        damagedSegments,
        modelStatus,
        embeddingStatus,
        queryMeter,
        webhookSender: webhooks.sender,
      },
      log: deps.log,
    });
    // Both at once: neither may use up the time that the other has.
    closers.push(() => Promise.all([closeHttp(app), ingest.drain(), webhooks.loop.close()]));
    await app.listen({ host: config.host, port: config.port });
    // Once the port is ours: what is printed once must not be lost to a start that fails.
    const started = await setUp.start({ bootstrapApiKey: config.bootstrapApiKey });
    readiness.isSetUp = true;
    deps.log.info("listening", { host: config.host, port: config.port, database: opened.kind });
    deps.print(welcome(config, started));
    return { baseUrl: config.publicUrl, port: config.port, stop: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lets running requests end, but does not wait for a client that is slow or silent. */
async function closeHttp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), HTTP_CLOSE_LIMIT_MS);
  // A client that keeps its connection for more would hold the server open after its last answer.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(idle);
  }
}

function modelDirOf(config: Config): string {
  return join(config.dataDir, "models");
}

function startQueries(opened: OpenedStore, config: Config, log: Log): QueryPool {
  const options = {
    threads: config.queryThreads,
    cacheBytes: config.cacheBytes,
    modelDir: modelDirOf(config),
    connect() {
      const database = opened.connectThread();
      return { database, transfer: portsOf(database) };
    },
  };
  return startQueryPool(() => startQueryCrew(options), log);
}

function superviseIngest(
  opened: OpenedStore,
  config: Config,
  told: Pick<Parameters<typeof superviseIngestThread>[0], "log" | "onDamage" | "onModelActivity">,
): IngestSupervisor {
  return superviseIngestThread({
    start: () => {
      const database = opened.connectThread();
      return {
        data: {
          database,
          modelDir: modelDirOf(config),
          embedThreads: config.ingestThreads,
          tokenLimit: config.tokenLimit,
          languageModel: config.languageModel,
          embeddings: remoteEmbeddings(config),
          logLevel: config.logLevel,
        },
        transfer: portsOf(database),
      };
    },
    hasWork: async () => {
      const now = Date.now();
      if ((await opened.store.nextWork({ now })).readyNow) return true;
      return (await opened.store.nextReembedding({ now })).readyNow;
    },
    hasUpkeep: () => isUpkeepDue(opened.store, Date.now()),
    ...told,
  });
}

async function createHttp(parts: {
  readonly config: Config;
  readonly opened: OpenedStore;
  readonly auth: Auth;
  readonly setUp: SetUp;
  readonly queries: QueryPool;
  readonly ingest: IngestSupervisor;
  readonly largeBodies: BodyThread;
  readonly dashboard: DashboardFiles;
  readonly suggester: Suggester;
  readonly readiness: { readonly isSetUp: boolean };
  readonly damagedSegments: ReturnType<typeof createDamageCounter>;
  readonly webhookSender: WebhookSender;
  readonly modelStatus: ModelStatusBoard | null;
  readonly embeddingStatus: EmbeddingStatusBoard;
  readonly queryMeter: QueryMeter;
  readonly log: Log;
}): Promise<FastifyInstance> {
  const { config, opened, auth, queries, ingest, log } = parts;
  const { store } = opened;
  const publicOrigin = new URL(config.publicUrl).origin;
  const limits = config.signUp === "open" ? OPEN_SIGN_UP_LIMITS : CLOSED_SIGN_UP_LIMITS;
  const shared = { store, limits, now: Date.now };
  const languageModel = openLanguageModel(config, { store, modelStatus: parts.modelStatus, log });
  const allowance = createModelAllowance({
    limit: config.tokenLimit,
    readTokenUse: store.readTokenUse,
    now: Date.now,
  });
  const embedQuestion = openQuestionVectors(config, {
    store,
    log,
    onActivity: parts.embeddingStatus.record,
  });
  const services = createServices({
    ...shared,
    config,
    queryThreads: queries,
    embedQuestion,
    languageModel,
    allowance,
    onDamageReported() {
      parts.damagedSegments.inc();
      ingest.wake();
    },
    queryMeter: parts.queryMeter,
    wake: ingest.wake,
    checkJobs: ingest.check,
    log,
  });
  const toolCalls = createToolCallCounter();
  const credentials = { authenticator: auth.authenticator, publicOrigin };
  return createApp({
    log,
    authenticate: createAuthenticate(credentials),
    isStillAllowed: createIsStillAllowed(credentials),
    addAccountRoutes(app) {
      const routes = {
        endpoints: auth.endpoints,
        publicOrigin,
        clientAddress: createClientAddress(config.trustedProxies),
      };
      addAuthRoutes(app, { ...routes, signUp: config.signUp });
      addSetUpRoutes(app, { ...routes, setUp: parts.setUp });
    },
    addPages: (app) => addDashboardRoutes(app, { dashboard: parts.dashboard, ...config }),
    ...services,
    mcp: createMcp({ ...services, maxTextBytes: config.maxTextBytes, log }, toolCalls),
    ontologies: createOntologyService({
      ...shared,
      signUp: config.signUp,
      suggest: createSuggest({ builtIn: parts.suggester, languageModel, allowance, now: Date.now }),
    }),
    webhooks: createWebhookService({
      ...{ store, sender: parts.webhookSender, present: presentEvent, now: Date.now },
      ...{ maxPerAccount: limits.webhooks, signUp: config.signUp },
    }),
    metricsToken: config.metricsToken,
    operations: createOperations({
      store,
      faults: () => [
        parts.readiness.isSetUp ? null : "The service is starting.",
        queries.fault(),
        ingest.fault(),
      ],
      damagedSegments: parts.damagedSegments,
      toolCalls,
      modelStatus: parts.modelStatus,
      embeddingStatus: parts.embeddingStatus,
      log,
    }),
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    maxTextBytes: config.maxTextBytes,
    readLargeBody: parts.largeBodies.read,
  });
}

function welcome(config: Config, { firstKey, setUpLink }: Started): string {
  const lines = [`Knowledge Context Service listens on ${config.publicUrl}`];
  if (firstKey !== null) lines.push("", "Your API key, shown this once:", "", `  ${firstKey}`);
  if (setUpLink !== null) {
    lines.push("", "Choose the owner's e-mail address and password within an hour:", "", `  ${setUpLink}`);
  }
  return `${lines.join("\n")}\n`;
}
