/** Requests with the session cookie: to `/api/auth`, which is not part of the API, and those that outlive the page. */
import { ApiError, ConnectionError } from "@kcs/sdk";
import { serviceUrl } from "./address.ts";
import { watchedFetch } from "./watched-fetch.ts";

export interface RequestOptions {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The request goes on when the page is left. */
  readonly keepalive?: boolean;
}

/**
 * Resolves to the JSON of the response.
 * @throws ApiError for an error status, ConnectionError when there is no response
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = "GET", body, signal, keepalive = false } = options;
  const response = await watchedFetch(serviceUrl(path), {
    method,
    credentials: "same-origin",
    keepalive,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new ConnectionError("No answer", { cause });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer; // The service's tests check these shapes.
  throw new ApiError({
    status: response.status,
    detail: detailOf(answer, response.status),
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: retryAfterOf(response),
  });
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
