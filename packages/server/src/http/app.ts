/** The HTTP application: hooks, limits and routes. */
import cors from "@fastify/cors";
import { API_PREFIX } from "@kcs/contract";
import Fastify, { type FastifyInstance, type FastifyReply, type onRequestAsyncHookHandler } from "fastify";
import { errors } from "../domain/errors.ts";
import type { ActAs } from "../ports/current-work.ts";
import type { BoundedLog } from "../ports/log.ts";
import type { Tracer } from "../ports/tracing.ts";
import type { CorrectionService } from "../services/corrections.ts";
import type { DocumentService } from "../services/documents.ts";
import type { FeedbackService } from "../services/feedback.ts";
import type { FileService } from "../services/files.ts";
import type { GraphService } from "../services/graph.ts";
import type { IngestionService } from "../services/ingestion.ts";
import type { JobQueueService } from "../services/job-queue.ts";
import type { OntologyService } from "../services/ontologies.ts";
import type { OntologyExampleService } from "../services/ontology-examples.ts";
import type { OntologyFileService } from "../services/ontology-files.ts";
import type { OntologyVersionService } from "../services/ontology-versions.ts";
import type { ProgressService } from "../services/progress.ts";
import type { ProjectChangeService } from "../services/project-changes.ts";
import type { ProjectNumbersService } from "../services/project-numbers.ts";
import type { ProjectService } from "../services/projects.ts";
import type { QueryService } from "../services/queries.ts";
import type { ReembeddingService } from "../services/reembedding.ts";
import type { RereadingService } from "../services/rereading.ts";
import type { UsageService } from "../services/usage.ts";
import type { WebhookService } from "../services/webhooks.ts";
import { addAnswerBudget, type HeldAnswers } from "./answer-budget.ts";
import { addActingAccount, addActingCaller, addCheckAfterBody, type IsStillAllowed } from "./authenticate.ts";
import { registerJsonBodies } from "./body.ts";
import { addBodyBudget } from "./body-budget.ts";
import { createErrorHandler, createErrorReader, type ReadError } from "./errors.ts";
import { addEtagAndCompression } from "./etag-and-compression.ts";
import type { ReadLargeBody } from "./large-body.ts";
import { limitChunks } from "./limit-chunks.ts";
import { addLingeringClose, DEFAULT_LINGER_LIMITS } from "./lingering-close.ts";
import { NO_SCHEMAS } from "./no-schemas.ts";
import { describeHostFault, refuseConnection, refuseExpectation, refuseTunnel } from "./refuse-connection.ts";
import { requestId } from "./request-id.ts";
import { addRequestKeys } from "./request-key.ts";
import { addRequestTurns } from "./request-turns.ts";
import { addCorrectionRoutes } from "./routes/corrections.ts";
import { addDocumentRoutes } from "./routes/documents.ts";
import { addFeedbackRoutes } from "./routes/feedback.ts";
import { addFileRoutes, largestUpload } from "./routes/files.ts";
import { addGraphRoutes } from "./routes/graph.ts";
import { addIngestionRoutes } from "./routes/ingestion.ts";
import { addJobQueueRoutes } from "./routes/job-queue.ts";
import { addJobRoutes } from "./routes/jobs.ts";
import { addMcpRoute, type McpAnswerer } from "./routes/mcp.ts";
import { addNumberRoutes } from "./routes/numbers.ts";
import { addOntologyRoutes } from "./routes/ontologies.ts";
import { addOntologyFileRoutes } from "./routes/ontology-files.ts";
import { addOntologyVersionRoutes } from "./routes/ontology-versions.ts";
import { addOperationsRoutes, type Operations } from "./routes/operations.ts";
import { addProjectRoutes } from "./routes/projects.ts";
import { addQueryRoutes } from "./routes/queries.ts";
import { addReembeddingRoutes } from "./routes/reembedding.ts";
import { addReferenceRoutes } from "./routes/reference.ts";
import { addRereadingRoutes } from "./routes/rereading.ts";
import { addWebhookRoutes } from "./routes/webhooks.ts";
import { securityHeaders } from "./security-headers.ts";
import { addTracing } from "./tracing.ts";
import { addUnmatchedRequests, type KnownPaths } from "./unmatched-requests.ts";

export interface AppDeps {
  readonly log: BoundedLog;
  readonly authenticate: onRequestAsyncHookHandler;
  readonly isStillAllowed: IsStillAllowed;
  readonly actAs: ActAs;
  /** Accounts, sessions and set-up of the owner; outside of `/api/v1`. */
  readonly addAccountRoutes: (app: FastifyInstance) => void;
  /** The dashboard. */
  readonly addPages: (app: FastifyInstance) => Promise<void>;
  /** Sends the document of the dashboard's pages. */
  readonly sendPage: (reply: FastifyReply) => Promise<FastifyReply>;
  readonly projects: ProjectService;
  readonly reembedding: ReembeddingService;
  readonly rereading: RereadingService;
  readonly ontologies: OntologyService;
  readonly ontologyVersions: OntologyVersionService;
  readonly ontologyExamples: OntologyExampleService;
  readonly ontologyFiles: OntologyFileService;
  readonly projectChanges: ProjectChangeService;
  readonly ingestion: IngestionService;
  readonly documents: DocumentService;
  readonly files: FileService;
  readonly graph: GraphService;
  readonly numbers: ProjectNumbersService;
  readonly usage: UsageService;
  readonly queries: QueryService;
  readonly progress: ProgressService;
  readonly jobQueue: JobQueueService;
  readonly feedback: FeedbackService;
  readonly corrections: CorrectionService;
  readonly webhooks: WebhookService;
  readonly mcp: McpAnswerer;
  readonly operations: Operations;
  /** null = nothing is recorded. */
  readonly tracer: Tracer | null;
  /** null = metrics are served to this machine only. */
  readonly metricsToken: string | null;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly maxTextBytes: number;
  readonly maxFileBytes: number;
  readonly readLargeBody: ReadLargeBody;
}

const DEFAULT_BODY_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 120_000;
const MAX_PARAMETER_LENGTH = 16 * 1024;
/** Of endpoints that read or write the database. */
const DATA_PATHS = /^\/(?:api\/|mcp)/;
/** Another process may answer then. */
const RETRY_SECONDS = 5;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const readError = createErrorReader(deps.log, deps.operations.storeFailed);
  const handleError = createErrorHandler(deps.log, deps.operations.storeFailed);
  const security = securityHeaders({ isHttps: deps.publicUrl.startsWith("https:") });
  const app = Fastify({
    bodyLimit: DEFAULT_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { requireHostHeader: false }, // `describeHostFault` refuses such requests with a body.
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    forceCloseConnections: "idle",
    // During shutdown, requests on open connections are still answered before the connection is closed.
    return503OnClosing: false,
    genReqId: requestId,
    schemaController: NO_SCHEMAS,
    // These errors occur before any hook has run, so the headers that hooks set are set here.
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.headers({ ...security, "x-request-id": request.id })),
    clientErrorHandler: refuseConnection,
  });
  app.server.on("connect", refuseTunnel).on("checkExpectation", refuseExpectation);
  app.server.prependListener("request", limitChunks);
  if (deps.tracer !== null) addTracing(app, deps.tracer);
  app.decorateRequest("caller", null);
  addRequestTurns(app);
  addActingCaller(app, deps.actAs);
  addRequestKeys(app);
  app.setErrorHandler(handleError);
  registerJsonBodies(app);
  const maxBytes = Math.max(DEFAULT_LINGER_LIMITS.maxBytes, largestUpload(deps.maxFileBytes));
  addLingeringClose(app, { ...DEFAULT_LINGER_LIMITS, maxBytes });
  const answers = addAnswerBudget(app);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...security, "x-request-id": request.id });
    const fault = describeHostFault(request.raw);
    if (fault !== null) throw errors.invalidInput(fault);
    const databaseFault = deps.operations.databaseFault();
    if (databaseFault !== null && DATA_PATHS.test(request.routeOptions.url ?? ""))
      throw errors.unavailable(databaseFault, { retryAfterSeconds: RETRY_SECONDS });
  });
  if (deps.corsOrigins.length > 0) await app.register(cors, corsOptions(deps.corsOrigins));
  const paths = addUnmatchedRequests(app, deps.sendPage);
  observe(app, deps);
  addOperationsRoutes(app, deps.operations, { metricsToken: deps.metricsToken });
  addReferenceRoutes(app, deps);
  deps.addAccountRoutes(app);
  await deps.addPages(app);
  addMcpRoute(app, { ...deps, answers });
  await app.register((api, _options, done) => {
    addApi(api, { ...deps, answers, readError }, paths);
    done();
  });
  return app;
}

function addApi(
  api: FastifyInstance,
  deps: AppDeps & { readonly answers: HeldAnswers; readonly readError: ReadError },
  { byUrl, refuse }: KnownPaths,
): void {
  api.addHook("onRequest", deps.authenticate);
  addActingAccount(api, deps.actAs);
  addCheckAfterBody(api, deps.isStillAllowed);
  addEtagAndCompression(api);
  addBodyBudget(api);
  addProjectRoutes(api, deps);
  addReembeddingRoutes(api, deps.reembedding);
  addRereadingRoutes(api, deps.rereading);
  addOntologyRoutes(api, deps);
  addOntologyVersionRoutes(api, deps);
  addOntologyFileRoutes(api, deps);
  addIngestionRoutes(api, deps);
  addJobRoutes(api, deps);
  addJobQueueRoutes(api, deps.jobQueue);
  addDocumentRoutes(api, deps.documents);
  addFileRoutes(api, deps);
  addGraphRoutes(api, deps);
  addNumberRoutes(api, deps);
  addQueryRoutes(api, deps);
  addFeedbackRoutes(api, deps.feedback);
  addCorrectionRoutes(api, deps);
  addWebhookRoutes(api, deps.webhooks);
  // Routes of this scope, so that only a caller with a key learns which paths there are.
  const refusal = {
    onRequest: async (...args: Parameters<typeof refuse>) => refuse(...args),
    handler: refuse,
  };
  // When the scopes of large bodies have their routes, too.
  api.after(() => {
    // Without these, `GET /ontologies/suggest` would ask for the ontology with the id "suggest".
    for (const [url, { methods }] of byUrl) {
      const others = METHODS.filter((method) => !methods.includes(method));
      if (url.startsWith(API_PREFIX)) api.route({ method: others, url, ...refusal });
    }
    api.route({ method: [...METHODS], url: `${API_PREFIX}/*`, ...refusal });
  });
}

function corsOptions(origins: readonly string[]) {
  return {
    origin: [...origins],
    credentials: false,
    methods: [...METHODS],
    allowedHeaders: [
      "authorization",
      "content-type",
      "x-request-id",
      "idempotency-key",
      "if-none-match",
      "last-event-id",
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
    ],
    exposedHeaders: [
      "retry-after",
      "x-request-id",
      "etag",
      "idempotency-replayed",
      "ratelimit",
      "ratelimit-policy",
      "content-disposition",
      "x-kcs-engine",
    ],
    maxAge: 600,
  };
}

/** Records the request metric, and a log line without body and query string. */
function observe(app: FastifyInstance, deps: AppDeps): void {
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
