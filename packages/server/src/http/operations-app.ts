/** The HTTP application of a process that only works: liveness, readiness and metrics. */
import Fastify, { type FastifyInstance } from "fastify";
import { errors } from "../domain/errors.ts";
import type { BoundedLog } from "../ports/log.ts";
import { createErrorHandler } from "./errors.ts";
import { NO_SCHEMAS } from "./no-schemas.ts";
import { describeHostFault, refuseConnection, refuseExpectation, refuseTunnel } from "./refuse-connection.ts";
import { addOperationsRoutes, type Operations } from "./routes/operations.ts";
import { securityHeaders } from "./security-headers.ts";

const REQUEST_TIMEOUT_MS = 10_000;
/** It takes no body. */
const BODY_BYTES = 1;

export function createOperationsApp(deps: {
  readonly operations: Operations;
  readonly log: BoundedLog;
  /** null = metrics are served to this machine only. */
  readonly metricsToken: string | null;
  readonly publicUrl: string;
}): FastifyInstance {
  const security = securityHeaders({ isHttps: deps.publicUrl.startsWith("https:") });
  const app = Fastify({
    schemaController: NO_SCHEMAS,
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { requireHostHeader: false }, // `describeHostFault` refuses such requests with a body.
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
  });
  app.server.on("connect", refuseTunnel).on("checkExpectation", refuseExpectation);
  app.setErrorHandler(createErrorHandler(deps.log, deps.operations.storeFailed));
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(security);
    const fault = describeHostFault(request.raw);
    if (fault !== null) throw errors.invalidInput(fault);
  });
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(404)
      .send({ detail: "This process works on jobs and does not serve the API (KCS_ROLE=worker)." }),
  );
  addOperationsRoutes(app, deps.operations, { metricsToken: deps.metricsToken });
  return app;
}
