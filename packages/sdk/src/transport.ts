/** Sends requests: credentials, time limits, retries, and errors as errors. */
import { apiError, ConnectionError, KcsError, TimeoutError } from "./errors.ts";
import { type RetryPolicy, readRetryAfter, retryDelayMs, sleep } from "./retry.ts";

/** What every method takes last. */
export interface CallOptions {
  /** Ends the call, its retries and its waiting; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Of one attempt, not of all together. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** For a request that creates something: made up where it is left out, the same for all attempts. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An attempt that failed and will be repeated. */
export interface Retry {
  readonly error: KcsError;
  /** How many attempts have failed, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Below `/api/v1`, its parts encoded; see `pathOf`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | null | undefined>> | undefined;
  readonly body?: unknown;
  /** Whether it creates something, which must not happen twice. */
  readonly creates?: boolean;
  readonly accept?: string;
  readonly options?: CallOptions | undefined;
}

export interface Transport {
  /** The parsed body of a success. */
  json<T>(request: ApiRequest): Promise<T>;
  /** For a success without a body. */
  empty(request: ApiRequest): Promise<void>;
  /** The answer as soon as its head is there: the body is the caller's, without a time limit. */
  open(request: ApiRequest): Promise<Response>;
}

export interface TransportDeps {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** Asked for each attempt; null sends none. */
  readonly apiKey: () => string | null | Promise<string | null>;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly headers: Readonly<Record<string, string>>;
  readonly onRetry: (retry: Retry) => void;
}

const API_PREFIX = "/api/v1";

/** A path with its parameters encoded: pathOf`/projects/${id}`. */
export function pathOf(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts
    .map((part, at) => part + (at < values.length ? encodeURIComponent(values[at] ?? "") : ""))
    .join("");
}

export function createTransport(deps: TransportDeps): Transport {
  async function send<T>(
    request: ApiRequest,
    read: (response: Response) => Promise<T>,
    isStream: boolean,
  ): Promise<T> {
    const { signal, maxRetries = deps.retry.maxRetries } = request.options ?? {};
    const policy = { ...deps.retry, maxRetries };
    const idempotencyKey =
      request.creates === true ? (request.options?.idempotencyKey ?? randomKey()) : undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(deps, { request, idempotencyKey, isStream }, read);
      } catch (error) {
        if (!(error instanceof KcsError) || signal?.aborted === true) throw error;
        // The answer to the attempt before was lost, not the deletion.
        if (attempt > 1 && request.method === "DELETE" && "status" in error && error.status === 404)
          return undefined as T; // A deletion answers nothing.
        const delayMs = retryDelayMs(error, { attempt, policy, random: Math.random() });
        if (delayMs === null) throw error;
        deps.onRetry({ error, attempt, delayMs });
        await sleep(delayMs, signal);
      }
    }
  }

  return {
    // The contract's type of this very endpoint; the service's tests hold it to that.
    json: <T>(request: ApiRequest) => send(request, readJson as (response: Response) => Promise<T>, false),
    empty: (request) => send(request, async (response) => void (await response.body?.cancel()), false),
    open: (request) => send(request, async (response) => response, true),
  };
}

interface Attempt {
  readonly request: ApiRequest;
  readonly idempotencyKey: string | undefined;
  readonly isStream: boolean;
}

async function sendOnce<T>(
  deps: TransportDeps,
  { request, idempotencyKey, isStream }: Attempt,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs = deps.timeoutMs } = request.options ?? {};
  const url = urlOf(deps.baseUrl, request);
  const limit = new AbortController();
  const timer = setTimeout(
    () => limit.abort(new TimeoutError(`No answer from ${url} within ${timeoutMs} ms.`)),
    timeoutMs,
  );
  try {
    const response = await deps.fetch(url, {
      method: request.method,
      headers: await headersOf(deps, request, idempotencyKey),
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
    });
    if (isStream && response.ok) clearTimeout(timer);
    if (!response.ok) throw await errorOf(response);
    return await read(response);
  } catch (error) {
    if (error instanceof KcsError) throw error;
    if (signal?.aborted === true) throw signal.reason;
    if (limit.signal.aborted) throw limit.signal.reason;
    throw new ConnectionError(`Cannot reach ${url}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function urlOf(baseUrl: string, { path, query = {} }: ApiRequest): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return `${baseUrl}${API_PREFIX}${path}${text === "" ? "" : `?${text}`}`;
}

async function headersOf(
  deps: TransportDeps,
  request: ApiRequest,
  idempotencyKey: string | undefined,
): Promise<Record<string, string>> {
  const apiKey = await deps.apiKey();
  return {
    accept: request.accept ?? "application/json",
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...deps.headers,
    ...request.options?.headers,
  };
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const start = text.slice(0, 80);
    throw new KcsError(`${response.url} answered ${response.status} with what is no JSON: ${start}`, {
      cause,
    });
  }
}

async function errorOf(response: Response): Promise<KcsError> {
  const text = await response.text();
  return apiError({
    status: response.status,
    detail: detailOf(text) ?? (text.trim().slice(0, 200) || response.statusText || "no explanation"),
    requestId: response.headers.get("x-request-id"),
    retryAfterSeconds: readRetryAfter(response.headers.get("retry-after"), Date.now()),
  });
}

function detailOf(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("detail" in body)) return null;
    return typeof body.detail === "string" ? body.detail : null;
  } catch {
    return null; // A proxy's page, say: the caller shows its beginning.
  }
}

/** Node hides why a connection failed in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ("code" in cause ? String(cause.code) : error.message);
}

/** 128 random bits. `crypto.randomUUID` is missing from pages that came over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
