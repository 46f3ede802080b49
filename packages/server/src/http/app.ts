/** The HTTP edge: hooks, limits and routes around the services. */
import { randomBytes } from "node:crypto";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import { API_PREFIX, endpoints } from "@kcs/contract";
import Fastify, { type FastifyInstance, type FastifyRequest, type onRequestAsyncHookHandler } from "fastify";
import type { Log } from "../ports/log.ts";
import type { IngestionService } from "../services/ingestion.ts";
import type { OntologyService } from "../services/ontologies.ts";
import type { ProjectService } from "../services/projects.ts";
import type { QueryService } from "../services/queries.ts";
import { registerJsonBodies } from "./body.ts";
import { createErrorHandler } from "./errors.ts";
import { refuseConnection } from "./refuse-connection.ts";
import { addIngestionRoutes } from "./routes/ingestion.ts";
import { addOntologyRoutes } from "./routes/ontologies.ts";
import { addOperationsRoutes, type Operations } from "./routes/operations.ts";
import { addProjectRoutes } from "./routes/projects.ts";
import { addQueryRoutes } from "./routes/queries.ts";

export interface AppDeps {
  readonly log: Log;
  readonly authenticate: onRequestAsyncHookHandler;
  /** Accounts, sessions and the set-up page; mounted outside `/api/v1`. */
  readonly addAccountRoutes: (app: FastifyInstance) => void;
  readonly projects: ProjectService;
  readonly ontologies: OntologyService;
  readonly ingestion: IngestionService;
  readonly queries: QueryService;
  readonly operations: Operations;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly maxTextBytes: number;
}

const DEFAULT_BODY_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 120_000;
const MAX_PARAMETER_LENGTH = 16 * 1024;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const BARE_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
} as const;

export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const handleError = createErrorHandler(deps.log);
  const app = Fastify({
    bodyLimit: DEFAULT_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    forceCloseConnections: "idle",
    genReqId: requestId,
    // No hook has run for these, so what hooks add is added here.
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.headers({ ...BARE_HEADERS, "x-request-id": request.id })),
    clientErrorHandler: refuseConnection,
  });
  app.decorateRequest("caller", null);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => reply.code(404).send(notFound(request)));
  registerJsonBodies(app);
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      useDefaults: false,
    },
    strictTransportSecurity: deps.publicUrl.startsWith("https:"),
  });
  if (deps.corsOrigins.length > 0) await app.register(cors, corsOptions(deps.corsOrigins));
  observe(app, deps);
  addOperationsRoutes(app, deps.operations);
  deps.addAccountRoutes(app);
  await app.register((api, _options, done) => {
    addApi(api, deps);
    done();
  });
  return app;
}

function addApi(api: FastifyInstance, deps: AppDeps): void {
  api.addHook("onRequest", deps.authenticate);
  addProjectRoutes(api, deps.projects);
  addOntologyRoutes(api, deps.ontologies);
  addIngestionRoutes(api, deps);
  addQueryRoutes(api, deps.queries);
  refuseOtherMethods(api);
  api.route({
    method: [...METHODS],
    url: `${API_PREFIX}/*`,
    onRequest: async (request, reply) => reply.code(404).send(notFound(request)),
    handler: () => null,
  });
}

/** 405 with `Allow` for a known path, before its body is read. */
function refuseOtherMethods(api: FastifyInstance): void {
  const allowed = new Map<string, string[]>();
  for (const { method, path } of Object.values(endpoints)) {
    allowed.set(path, [...(allowed.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  }
  for (const [path, methods] of allowed) {
    const allow = methods.join(", ");
    api.route({
      method: METHODS.filter((method) => !methods.includes(method)),
      url: API_PREFIX + path.replace(/\{(\w+)\}/g, ":$1"),
      onRequest: async (request, reply) =>
        reply
          .code(405)
          .header("allow", allow)
          .send({ detail: `${request.method} is not allowed here. Use ${allow}.` }),
      handler: () => null,
    });
  }
}

function notFound(request: FastifyRequest): { detail: string } {
  return { detail: `There is nothing at ${request.method} ${request.url.split("?")[0]}` };
}

/** A client's own id is kept where it is harmless in a log. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,128}$/.test(given)
    ? given
    : `req_${randomBytes(16).toString("hex")}`;
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: [...origins],
    credentials: false,
    methods: [...METHODS],
    allowedHeaders: ["authorization", "content-type", "x-request-id"],
    exposedHeaders: ["retry-after", "x-request-id"],
    maxAge: 600,
  };
}

/** Request ids, logs without bodies or query strings, and the request metric. */
function observe(app: FastifyInstance, deps: AppDeps): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unmatched";
    const seconds = reply.elapsedTime / 1000;
    deps.operations.observeRequest({ method: request.method, route, status: reply.statusCode, seconds });
    deps.log.debug("request", {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
    });
  });
}
