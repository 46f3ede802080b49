/** Maps errors to HTTP responses; the only place that knows their statuses. */
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errors, ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import type { BoundedLog } from "../ports/log.ts";
import { StoreUnavailableError } from "../ports/store.ts";

const STATUS: Readonly<Record<ServiceErrorKind, number>> = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  too_large: 413,
  unsupported_media: 415,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  // nginx logs this one. Nobody receives it.
  abandoned: 499,
};

const STORE_RETRY_SECONDS = 5;

/** Our texts for errors that Fastify raises before a handler runs. */
const REFUSALS: Readonly<Record<string, { status: number; detail: (error: FastifyError) => string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, detail: () => "body: is too large for this endpoint" },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    detail: () => "Content-Type: expected application/json",
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    detail: () => "body: its length differs from the Content-Length header",
  },
  FST_ERR_BAD_URL: { status: 400, detail: () => "path: has a malformed percent-encoding" },
};

export interface ErrorResponse {
  readonly status: number;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string | number>>;
}

export type ReadError = (error: Error, request: FastifyRequest) => ErrorResponse;

/**
 * What is told to the client of an error. `onStoreUnavailable`: readiness tells it, too. Bugs are logged here, and nowhere else; of an outage, the log writes one line.
 */
export function createErrorReader(
  log: BoundedLog,
  onStoreUnavailable: (error: StoreUnavailableError) => void = () => undefined,
): ReadError {
  return function readError(error, request) {
    if (error instanceof ServiceError) return readServiceError(error, { request, log });
    if (error instanceof StoreUnavailableError) {
      // One that says what is kept of a request is about that request.
      onStoreUnavailable(error.cause instanceof StoreUnavailableError ? error.cause : error);
      log.error("store_unavailable", { requestId: request.id, status: STATUS.unavailable, error });
      const headers = { "retry-after": STORE_RETRY_SECONDS };
      return { status: STATUS.unavailable, detail: error.message, headers };
    }
    const fastifyError = error as FastifyError; // On other errors code and status are undefined.
    const refusal = REFUSALS[fastifyError.code];
    if (refusal !== undefined)
      return { status: refusal.status, detail: refusal.detail(fastifyError), headers: {} };
    const status = fastifyError.statusCode ?? 500;
    if (status < 500) return { status, detail: error.message, headers: {} };
    const isLogged = log.error("request_failed", { requestId: request.id, status: 500, error });
    const place = isLogged ? `under the request id ${request.id}` : "under those of earlier requests";
    return { status: 500, detail: `Internal error. The log has its cause ${place}.`, headers: {} };
  };
}

/** Responds to errors from hooks, parsers and handlers. */
export function createErrorHandler(...args: Parameters<typeof createErrorReader>) {
  const readError = createErrorReader(...args);
  return function handleError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, detail, headers } = readError(
      hasLeft(error, reply) ? errors.abandoned() : error,
      request,
    );
    return reply.code(status).headers(headers).send({ detail });
  };
}

/** Whether a stream was cut off because its client left before the response had begun. */
function hasLeft(error: Error, { raw }: FastifyReply): boolean {
  return (error as FastifyError).code === "ERR_STREAM_PREMATURE_CLOSE" && raw.destroyed;
}

function readServiceError(
  error: ServiceError,
  context: { request: FastifyRequest; log: BoundedLog },
): ErrorResponse {
  const status = STATUS[error.kind];
  if (status >= 500) logServiceError(error, context);
  // The contract fixes a status of its own for the deletion of a project that the database fails.
  const isOutage = error.cause instanceof StoreUnavailableError;
  const retryAfterSeconds = error.retryAfterSeconds ?? (isOutage ? STORE_RETRY_SECONDS : null);
  const headers = {
    ...(error.kind === "unauthenticated" && { "www-authenticate": "Bearer" }),
    ...(retryAfterSeconds !== null && { "retry-after": retryAfterSeconds }),
  };
  return { status, detail: error.message, headers };
}

/**
 * Below severity "error" the service is not at fault, so no stack is logged, and no message
 * either, because it may quote the request.
 */
function logServiceError(
  error: ServiceError,
  { request, log }: { request: FastifyRequest; log: BoundedLog },
): void {
  const { severity, kind } = error;
  const fields = { requestId: request.id, status: STATUS[kind], code: kind };
  if (severity === "error") log.error("request_failed", { ...fields, error });
  else log[severity]("request_refused", { ...fields, route: request.routeOptions.url });
}
