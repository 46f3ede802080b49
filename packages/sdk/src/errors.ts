/** What a call can fail with. Everything that this package throws is a `KcsError`, but for the caller's own abort. */

export class KcsError extends Error {
  override readonly name: string = "KcsError";
}

/** No answer came: the address is wrong, the service is down, or the connection broke. */
export class ConnectionError extends KcsError {
  override readonly name = "ConnectionError";
}

/** No answer came in time. */
export class TimeoutError extends KcsError {
  override readonly name = "TimeoutError";
}

/** What is known of an answer that is an error. */
export interface ErrorAnswer {
  readonly status: number;
  /** The service's own words. */
  readonly detail: string;
  /** Under which the service's log has the request; null where a proxy answered. */
  readonly requestId: string | null;
  /** Seconds until a repetition can succeed; null where the answer does not say. */
  readonly retryAfterSeconds: number | null;
}

/** The service answered with an error. */
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

/** 400: `detail` names every fault with its place. */
export class BadRequestError extends ApiError {
  override readonly name = "BadRequestError";
}

/** 401: the key is missing, unknown, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: another account's project, or the tokens are used up. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: it does not fit the state that things are in. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError";
}

/** 413: the body, or a text in it, is too large. */
export class TooLargeError extends ApiError {
  override readonly name = "TooLargeError";
}

/** 429, after the retries: `retryAfterSeconds` says when to come back. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 500 and above: a bug or an outage; the service's log has it under `requestId`. */
export class ServerError extends ApiError {
  override readonly name: string = "ServerError";
}

/** 503, after the retries: the database or the model cannot be reached, or too much is asked at once. */
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

/** The error of an answer's status. */
export function apiError(answer: ErrorAnswer): ApiError {
  const Kind = BY_STATUS[answer.status] ?? (answer.status >= 500 ? ServerError : ApiError);
  return new Kind(answer);
}
