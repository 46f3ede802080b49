/** Sends requests with credentials, timeouts and retries, and turns error responses into errors. */
import { apiError, ConnectionError, KcsError, NotFoundError, ServerError, TimeoutError } from "./errors.ts";
import type { MultipartForm } from "./multipart-form.ts";
import { isNeverSent } from "./never-sent.ts";
import { randomHex } from "./random-hex.ts";
import { type RetryPolicy, readRetryAfter, retryDelayMs } from "./retry.ts";
import { requireTime, sleep, startTimeLimit, unlessAborted } from "./time-limit.ts";

/** The last argument of every method. */
export interface CallOptions {
  /** Aborts the call, including its retries and delays. The promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt, not of all attempts together; Infinity: none. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** For a request that creates something. The same for all attempts; a random one by default. */
  readonly idempotencyKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A failed attempt that will be retried. */
export interface Retry {
  readonly error: KcsError;
  /** Number of failed attempts, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/api/v1`, with encoded parameters; see `pathOf`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | null | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** In place of a body. */
  readonly form?: MultipartForm;
  /** Whether the request creates something. It then gets an idempotency key, so that a retry does not create it twice. */
  readonly creates?: boolean;
  /** The answer tells what was changed, which a second attempt does not change again: after a lost answer or a 5xx there is none. */
  readonly tellsChange?: boolean;
  /** JSON by default; any type is a file. */
  readonly accept?: "text/event-stream" | "*/*";
  readonly options?: CallOptions | undefined;
}

export interface Transport {
  /** Resolves to the parsed body of a success response. */
  json<T>(request: ApiRequest): Promise<T>;
  /** Resolves to the body of a success response. */
  text(request: ApiRequest): Promise<string>;
  /** For a success response without a body. */
  empty(request: ApiRequest): Promise<void>;
  /** Resolves when the headers have arrived. The caller reads the body, which has no timeout. */
  open(request: ApiRequest): Promise<Response>;
}

export interface TransportDeps {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Called for each attempt; null sends no key. */
  readonly apiKey: () => string | null | Promise<string | null>;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
  readonly headers: Readonly<Record<string, string>>;
  readonly onRetry: (retry: Retry) => void;
}

const API_PREFIX = "/api/v1";
const JSON_TYPE = "application/json";
/** More than the service answers with; whatever else answers at the address must not fill the memory. */
const MAX_BYTES = { json: 256 * 2 ** 20, error: 2 ** 20 } as const;

const UNREADABLE_FILE =
  "A file could not be read to its end while it was sent: it has changed since it was opened, or is gone.";

/** Tag for a path whose parameters it encodes: pathOf`/projects/${id}`. */
export function pathOf(parts: TemplateStringsArray, ...values: readonly string[]): string {
  try {
    return parts
      .map((part, at) => part + (at < values.length ? encodeURIComponent(values[at] ?? "") : ""))
      .join("");
  } catch (cause) {
    throw new KcsError("An id has half of a character (a lone surrogate), which no address may have.", {
      cause,
    });
  }
}

export function createTransport(deps: TransportDeps): Transport {
  async function send<T>(request: ApiRequest, read: (response: Response) => Promise<T>): Promise<T> {
    const { signal, maxRetries = deps.retry.maxRetries } = request.options ?? {};
    const policy = { ...deps.retry, maxRetries };
    const idempotencyKey =
      request.creates === true ? (request.options?.idempotencyKey ?? randomHex()) : undefined;
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(deps, { request, idempotencyKey }, read);
      } catch (error) {
        if (!(error instanceof KcsError) || signal?.aborted === true) throw error;
        // An earlier attempt deleted it and only its response was lost.
        if (mayBeDone && request.method === "DELETE" && error instanceof NotFoundError) return undefined as T; // The response of a deletion has no body.
        mayBeDone ||= request.method !== "GET" && error.mayBeDone;
        error.mayBeDone = mayBeDone;
        // The service's own 503 can say what is done already.
        if (request.tellsChange === true && (mayBeDone || error instanceof ServerError)) throw error;
        const delayMs = retryDelayMs(error, { attempt, policy, random: Math.random() });
        if (delayMs === null) throw error;
        deps.onRetry({ error, attempt, delayMs });
        await sleep(delayMs, signal);
      }
    }
  }

  return {
    // The callers pass the contract's type of the endpoint; the service's tests check responses against the contract.
    json: <T>(request: ApiRequest) => send(request, readJson as (response: Response) => Promise<T>),
    text: (request) => send(request, (response) => readText(response, MAX_BYTES.json)),
    empty: (request) => send(request, async (response) => void (await response.body?.cancel())),
    open: (request) => send(request, async (response) => response),
  };
}

/** Whether a request that was sent may have been carried out: neither the service nor a proxy has refused it. */
function isResponseLost(error: KcsError): boolean {
  if ("status" in error) return error.status === 502 || error.status === 504;
  if (error instanceof TimeoutError) return true;
  return error instanceof ConnectionError && !isNeverSent(error.cause);
}

interface Attempt {
  readonly request: ApiRequest;
  readonly idempotencyKey: string | undefined;
}

async function sendOnce<T>(
  deps: TransportDeps,
  { request, idempotencyKey }: Attempt,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs = deps.timeoutMs } = request.options ?? {};
  requireTime("timeoutMs", timeoutMs);
  const url = urlOf(deps.baseUrl, request);
  let [isSent, isCarriedOut] = [false, false];
  const timeout = new AbortController();
  const stop = startTimeLimit(timeoutMs, () => {
    const what = isSent ? `No answer from ${url}` : "No key from the apiKey function";
    timeout.abort(new TimeoutError(`${what} within ${timeoutMs} ms.`));
  });
  const aborted = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  try {
    const headers = await unlessAborted(headersOf(deps, request, idempotencyKey), aborted);
    const body = bodyOf(request);
    isSent = true;
    const response = await deps.fetch(url, {
      method: request.method,
      headers,
      body,
      // Following it would repeat the request, often as a GET: a change would be answered by a read.
      ...(request.method !== "GET" && { redirect: "manual" as const }),
      signal: aborted,
    });
    if (isRedirect(response))
      throw new KcsError(
        `${url} redirects to another address, and nothing was changed there. Use that address.`,
      );
    if (!response.ok) throw await errorOf(response);
    isCarriedOut = true;
    if (!isOwn(response, request)) throw await foreignAnswer(response);
    return await read(response);
  } catch (error) {
    if (!(error instanceof KcsError) && signal?.aborted === true) throw signal.reason;
    const known = error instanceof KcsError ? error : unreached(url, error, timeout.signal);
    known.mayBeDone ||= isCarriedOut || (isSent && isResponseLost(known));
    throw known;
  } finally {
    // Also of a stream, which may take as long as it likes after its head.
    stop();
  }
}

/** @param timeout aborted with the error for it */
function unreached(url: string, error: unknown, timeout: AbortSignal): KcsError {
  if (timeout.aborted) return timeout.reason as KcsError;
  if (isUnreadableFile(error)) return new KcsError(UNREADABLE_FILE, { cause: error });
  return new ConnectionError(`Cannot reach ${url}: ${reasonOf(error)}`, { cause: error });
}

/**
 * Whether the service may have written it. It names each request, sends files as attachments and nothing for a deletion; what is between may
 * answer anything with a page of its own.
 */
function isOwn({ headers, status }: Response, { method, accept }: ApiRequest): boolean {
  if (!headers.has("x-request-id")) return false;
  if (method === "DELETE") return status === 204;
  if (accept === "*/*") return headers.has("content-disposition");
  return headers.get("content-type")?.startsWith(accept ?? JSON_TYPE) === true;
}

async function foreignAnswer(response: Response): Promise<KcsError> {
  const { text } = await readStart(response, MAX_BYTES.error);
  return new KcsError(describeForeign(response, text));
}

function describeForeign({ url, status, headers }: Response, text: string): string {
  const type = headers.get("content-type") ?? "no content type";
  return `Something between answered ${url} instead of the service: ${status}, ${type}: ${text.trim().slice(0, 80)}`;
}

/** Browsers hide the status of one that they do not follow. */
function isRedirect({ type, status }: Response): boolean {
  return type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304);
}

function bodyOf({ body, form }: ApiRequest): string | Blob | null {
  if (form !== undefined) return form.body;
  if (body === undefined) return null;
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new KcsError(`The body cannot be written as JSON: ${reasonOf(cause)}`, { cause });
  }
}

function contentTypeOf({ body, form }: ApiRequest): Readonly<Record<string, string>> {
  if (form !== undefined) return { "content-type": form.contentType };
  return body === undefined ? {} : { "content-type": JSON_TYPE };
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
  const apiKey = await keyOf(deps);
  const headers = {
    accept: request.accept ?? JSON_TYPE,
    ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    ...contentTypeOf(request),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    ...deps.headers,
    ...request.options?.headers,
  };
  for (const [name, value] of Object.entries(headers)) requireSendable(name, value);
  return headers;
}

async function keyOf({ apiKey }: TransportDeps): Promise<string | null> {
  try {
    return await apiKey();
  } catch (cause) {
    throw new KcsError(`The apiKey function failed, so nothing was sent: ${reasonOf(cause)}`, { cause });
  }
}

/** @throws KcsError without the value and without the platform's error, which quotes it: it may be the key */
function requireSendable(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    const what =
      name.toLowerCase() === "authorization" ? "The API key" : `The header ${JSON.stringify(name)}`;
    throw new KcsError(`${what} has a character that no header may have, so nothing was sent.`);
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await readText(response, MAX_BYTES.json);
  const answered = `${response.url} answered ${response.status} with a body that is`;
  const start = text.slice(0, 80);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new KcsError(`${answered} not JSON: ${start}`, { cause });
  }
  // The service answers with nothing else.
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body;
  throw new KcsError(`${answered} no object of JSON: ${start}`);
}

/** @throws KcsError for more than `maxBytes`, after decompression; the rest is not read */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const { text, isWhole } = await readStart(response, maxBytes);
  if (isWhole) return text;
  throw new KcsError(`${response.url} answered ${response.status} with more than ${maxBytes} bytes.`);
}

/** What comes before the piece with which the body exceeds `maxBytes`; the rest is not read. */
async function readStart(
  response: Response,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { text: "", isWhole: true };
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return { text, isWhole: false };
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** The service names each request and says what is wrong in a `detail`. A proxy has answers of its own, of any status, while the service is away. */
async function errorOf(response: Response): Promise<KcsError> {
  const { status, headers } = response;
  const { text } = await readStart(response, MAX_BYTES.error);
  const requestId = headers.get("x-request-id");
  const isJson = headers.get("content-type")?.startsWith(JSON_TYPE) === true;
  const detail = requestId !== null && isJson ? detailOf(text) : null;
  return apiError({
    status,
    detail: detail ?? describeForeign(response, text),
    requestId: detail === null ? null : requestId,
    retryAfterSeconds: readRetryAfter(headers.get("retry-after"), Date.now()),
  });
}

function detailOf(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || !("detail" in body)) return null;
    return typeof body.detail === "string" ? body.detail : null;
  } catch {
    return null;
  }
}

/** Node's `fetch` says so; that of browsers does not tell it from a lost connection. */
function isUnreadableFile(error: unknown): boolean {
  const causes = error instanceof Error ? [error, error.cause] : [];
  return causes.some((each) => each instanceof DOMException && each.name === "NotReadableError");
}

/** Node's `fetch` says why a connection failed only in `cause`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  return cause.message || ("code" in cause ? String(cause.code) : error.message);
}
