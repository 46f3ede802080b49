/** HTTP and MCP over the services. */
import type { FastifyInstance } from "fastify";
import type { Counter } from "prom-client";
import type { Auth } from "./adapters/auth/auth.ts";
import type { Services } from "./compose-services.ts";
import type { Config } from "./config.ts";
import { createApp } from "./http/app.ts";
import { createAuthenticate, createIsStillAllowed } from "./http/authenticate.ts";
import { createClientAddress } from "./http/client-address.ts";
import type { ReadLargeBody } from "./http/large-body.ts";
import { presentCorrection, presentListedCorrection } from "./http/present/corrections.ts";
import { presentChunkContext, presentDocuments } from "./http/present/documents.ts";
import { presentEntities, presentEntityDetail } from "./http/present/graph.ts";
import { presentMatch, toPattern } from "./http/present/graph-match.ts";
import { presentAcceptedJob, presentAnswer, presentJob, presentListedProject } from "./http/present.ts";
import { presentProgress } from "./http/present-events.ts";
import { addAuthRoutes } from "./http/routes/auth.ts";
import { addDashboardRoutes, createPageSender, type Dashboard } from "./http/routes/dashboard.ts";
import type { Operations } from "./http/routes/operations.ts";
import { addSetUpRoutes } from "./http/routes/set-up.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import type { Presenters } from "./mcp/presenters.ts";
import type { ActAs } from "./ports/current-work.ts";
import type { BoundedLog } from "./ports/log.ts";
import type { Tracer } from "./ports/tracing.ts";
import type { SetUp } from "./services/set-up.ts";

export async function createHttp(parts: {
  readonly config: Config;
  readonly auth: Auth;
  readonly setUp: SetUp;
  readonly actAs: ActAs;
  readonly services: Services;
  readonly operations: Operations;
  readonly tracer: Tracer | null;
  readonly toolCalls: Counter<"tool" | "outcome">;
  readonly readLargeBody: ReadLargeBody;
  readonly dashboard: Dashboard;
  readonly log: BoundedLog;
}): Promise<FastifyInstance> {
  const { config, auth, services, log } = parts;
  const publicOrigin = new URL(config.publicUrl).origin;
  const pages = { dashboard: parts.dashboard, ...config };
  const credentials = { authenticator: auth.authenticator, publicOrigin };
  return createApp({
    log,
    authenticate: createAuthenticate(credentials),
    isStillAllowed: createIsStillAllowed(credentials),
    actAs: parts.actAs,
    addAccountRoutes(app) {
      const routes = {
        endpoints: auth.endpoints,
        publicOrigin,
        clientAddress: createClientAddress(config.trustedProxies),
      };
      addAuthRoutes(app, { ...routes, signUp: config.signUp });
      addSetUpRoutes(app, { ...routes, setUp: parts.setUp });
    },
    addPages: (app) => addDashboardRoutes(app, pages),
    sendPage: createPageSender(pages),
    ...services,
    mcp: createMcpEndpoint({
      ...services,
      maxTextBytes: config.maxTextBytes,
      mcpCorrections: config.mcpCorrections,
      present: PRESENTERS,
      onCall: (call) => parts.toolCalls.inc(call),
      actAs: parts.actAs,
      onStoreUnavailable: parts.operations.storeFailed,
      log,
    }),
    metricsToken: config.metricsToken,
    operations: parts.operations,
    tracer: parts.tracer,
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    maxTextBytes: config.maxTextBytes,
    maxFileBytes: config.maxFileBytes,
    readLargeBody: parts.readLargeBody,
  });
}

const HTTP_CLOSE_LIMIT_MS = 3_000;
const IDLE_CHECK_MS = 50;

/** Lets running requests end, but does not wait for a client that is slow or silent. */
export async function closeHttp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), HTTP_CLOSE_LIMIT_MS);
  // A client that keeps its connection alive would hold the server open after its last answer.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(cut);
    clearInterval(idle);
  }
}

/** MCP answers in the shapes of the HTTP API. */
const PRESENTERS: Presenters = {
  listedProject: presentListedProject,
  answer: presentAnswer,
  chunk: presentChunkContext,
  entity: presentEntityDetail,
  entities: presentEntities,
  pattern: toPattern,
  match: presentMatch,
  documents: presentDocuments,
  correction: presentCorrection,
  listedCorrection: presentListedCorrection,
  acceptedJob: presentAcceptedJob,
  job: presentJob,
  progress: presentProgress,
};
