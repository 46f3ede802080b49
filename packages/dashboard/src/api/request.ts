/** Requests to the service, with the session's cookie. */
import { serviceUrl } from "./address.ts";

/** What the service said instead of an answer. */
export class ApiError extends Error {
  /** HTTP status; 0 when the service could not be reached. */
  readonly status: number;
  /** Seconds to wait before the next try; null when the service did not say. */
  readonly retryAfter: number | null;

  constructor(status: number, detail: string, retryAfter: number | null = null) {
    super(detail);
    this.name = "ApiError";
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

const unreachable = "The service cannot be reached. Is it running?";

/**
 * The answer's JSON; null for one without a body.
 * @throws ApiError for every other answer, and for none
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = "GET", body, signal } = options;
  const response = await fetch(serviceUrl(path), {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, unreachable);
  });
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return answer as Answer; // The contract's tests hold the service to its shapes.
  throw new ApiError(response.status, detailOf(answer, response.status), retryAfterOf(response));
}

function detailOf(answer: unknown, status: number): string {
  if (
    typeof answer === "object" &&
    answer !== null &&
    "detail" in answer &&
    typeof answer.detail === "string"
  ) {
    return answer.detail;
  }
  return `The service answered with status ${status}.`;
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
