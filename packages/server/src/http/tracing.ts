/** A span for each request, below which everything that the request causes is recorded. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RequestTrace, Tracer } from "../ports/tracing.ts";

/** Signs of life, which would fill a collector. */
const UNRECORDED: ReadonlySet<string | undefined> = new Set(["/health", "/ready", "/metrics"]);
const SERVER_FAULT = 500;

/** Add it before what is to be recorded. */
export function addTracing(app: FastifyInstance, tracer: Tracer): void {
  const traces = new WeakMap<FastifyRequest, RequestTrace>();
  const within = (request: FastifyRequest, done: () => void) => {
    const trace = traces.get(request);
    if (trace === undefined) done();
    else tracer.run(trace, done);
  };
  app.addHook("onRequest", (request, _reply, done) => {
    const { traceparent } = request.headers;
    const isRecorded = !UNRECORDED.has(request.routeOptions.url);
    const trace = isRecorded ? tracer.begin(typeof traceparent === "string" ? traceparent : undefined) : null;
    if (trace !== null) traces.set(request, trace);
    within(request, done);
  });
  // Again, because the events of a body begin new asynchronous work.
  app.addHook("preHandler", (request, _reply, done) => within(request, done));
  app.addHook("onResponse", async (request, reply) => {
    const trace = traces.get(request);
    if (trace === undefined) return;
    const { method, routeOptions } = request;
    const { statusCode } = reply;
    const route = routeOptions.url;
    tracer.end(trace, {
      name: route === undefined ? method : `${method} ${route}`,
      attributes: {
        "http.request.method": method,
        "http.response.status_code": statusCode,
        ...(route !== undefined && { "http.route": route }),
        "url.scheme": request.protocol,
        "kcs.request.id": request.id,
      },
      error: statusCode >= SERVER_FAULT ? String(statusCode) : null,
    });
  });
}
