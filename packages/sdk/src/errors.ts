/** The errors of this package. Every error that it throws is a `KcsError`, except the reason of the caller's own abort. */

export class KcsError extends Error {
  override readonly name: string = "KcsError";
  /** Whether the request may have been carried out all the same: the answer to one of its attempts was lost. */
  mayBeDone = false;
}

/** There was no response: the address is wrong, the service is down, or the connection broke. */
export class ConnectionError extends KcsError {
  override readonly name = "ConnectionError";
}

/** There was no response before the timeout. */
export class TimeoutError extends KcsError {
  override readonly name = "TimeoutError";
}

/** The content of an error response. */
export interface ErrorAnswer {
  readonly status: number;
  /** The error text of the service; of a proxy, that it responded, and the beginning of what it sent. */
  readonly detail: string;
  /** Identifies the request in the service's log; null when a proxy responded. */
  readonly requestId: string | null;
  /** Seconds until a retry can succeed; null when the response does not say. */
  readonly retryAfterSeconds: number | null;
}

/** The service responded with an error, or something between did in its place: then `requestId` is null. */
export class ApiError extends KcsError implements ErrorAnswer {
  override readonly name: string = "ApiError";
  readonly status: number;
  readonly detail: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(answer: ErrorAnswer) {
    super(`${answer.status}: ${answer.detail}`);
    this.status = answer.status;
    this.detail = answer.detail;
    this.requestId = answer.requestId;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** 400: `detail` lists the faults with their places. */
export class BadRequestError extends ApiError {
  override readonly name = "BadRequestError";
}

/** 401: the key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: the project belongs to another account, or the tokens are used up. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: the request conflicts with the current state of the resource. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 413: the body, or a text in it, is too large. */
export class TooLargeError extends ApiError {
  override readonly name = "TooLargeError";
}

/** 429, after the retries: `retryAfterSeconds` says when to try again. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 500 and above: a bug or an outage. The service logs it with `requestId`. */
export class ServerError extends ApiError {
  override readonly name: string = "ServerError";
}

/** 503, after the retries: the database or the model is unavailable, or the service is overloaded. */
export class UnavailableError extends ServerError {
  override readonly name = "UnavailableError";
}

const BY_STATUS: Readonly<Record<number, new (answer: ErrorAnswer) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  429: RateLimitError,
  503: UnavailableError,
};

/** Those that mean the same whoever says so. The others speak of the service's keys and resources, of which nothing between knows. */
const OF_ANYONE: ReadonlySet<number> = new Set([413, 429, 503]);

/** Creates an error of the class that belongs to the status. */
export function apiError(answer: ErrorAnswer): ApiError {
  const { status, requestId } = answer;
  const isKnown = requestId !== null || OF_ANYONE.has(status);
  const ErrorClass = (isKnown ? BY_STATUS[status] : undefined) ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(answer);
}
