/**
 * The `fetch` for the providers' libraries: converts every failure to a ProviderFault and limits the size of
 * replies.
 */
import { countJsonValues } from "../../../domain/json-size.ts";
import { hasTooManyChunks } from "../../../domain/short-chunks.ts";
import { ProviderFault } from "./provider-fault.ts";
import { createReadEvents, type EventLimits } from "./read-events.ts";
import { createReadTurns, replyTooLong, tooManyParts } from "./read-in-turns.ts";
import { readRetryAfter } from "./retry-after.ts";

const DETAIL_LENGTH = 500;
/** Codes of Node's `fetch` for connections that were not made. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function createProviderFetch(options: {
  readonly maxReplyBytes: number;
  /** Values of a reply in JSON, since the main thread parses it. */
  readonly maxReplyValues: number;
  /** Where a stream of events is asked for, which is read while it arrives; else such a reply is bounded like others. */
  readonly events?: EventLimits;
  readonly now: () => number;
}): typeof globalThis.fetch {
  const { events } = options;
  const readInTurns = createReadTurns(options.maxReplyBytes);
  return async (input, init) => {
    // Following a redirect would send the API key to its target.
    const response = await connect(input, { ...init, redirect: "manual" });
    const signal = init?.signal ?? null;
    const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (response.ok && events !== undefined && isEvents && response.body !== null) {
      const body = response.body.pipeThrough(readInTurns()).pipeThrough(createReadEvents(events));
      return new Response(body, { status: response.status, headers: withoutEncoding(response.headers) });
    }
    const bytes = await readBody(response, { ...options, signal });
    if (!response.ok)
      throw refusalOf(response, { body: new TextDecoder().decode(bytes), now: options.now() });
    const values = countJsonValues(bytes, options.maxReplyValues);
    if (values === null || values > options.maxReplyValues)
      throw new ProviderFault("refused", "its reply has too many values or levels");
    return new Response(bytes, { status: response.status, headers: withoutEncoding(response.headers) });
  };
}

async function connect(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit): Promise<Response> {
  try {
    return await globalThis.fetch(input, init);
  } catch (error) {
    throw connectionFault(error, init.signal ?? null);
  }
}

async function readBody(
  response: Response,
  options: { readonly maxReplyBytes: number; readonly signal: AbortSignal | null },
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      length += part.byteLength;
      if (length > options.maxReplyBytes) break; // Leaving the loop cancels the rest of the body.
      parts.push(part);
      if (hasTooManyChunks(parts.length, length)) throw tooManyParts();
    }
  } catch (error) {
    throw error instanceof ProviderFault ? error : connectionFault(error, options.signal);
  }
  if (length > options.maxReplyBytes) throw replyTooLong(options.maxReplyBytes);
  return new Uint8Array(Buffer.concat(parts));
}

/** Returns the reason of an abort by the caller or a deadline unchanged. */
function connectionFault(error: unknown, signal: AbortSignal | null): unknown {
  if (signal?.aborted === true) return signal.reason;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "dropped";
  const isUnreachable = NOT_CONNECTED.has(code);
  return new ProviderFault("unavailable", `the connection failed (${code})`, { cause: error, isUnreachable });
}

function refusalOf(response: Response, { body, now }: { body: string; now: number }): ProviderFault {
  const { status, headers } = response;
  const options = {
    detail: body.slice(0, DETAIL_LENGTH),
    retryAfterMs: readRetryAfter(headers, now),
    isOverload: status === 429 || status === 503 || status === 529,
    isBadRequest: status === 400 || status === 422,
  };
  const message = `it answered ${status}`;
  if (status === 429) return new ProviderFault("rate_limited", message, options);
  if (status === 408) return new ProviderFault("timeout", message, options);
  if (status === 409 || status >= 500) return new ProviderFault("unavailable", message, options);
  const isRedirect = status >= 300 && status < 400;
  return new ProviderFault(
    "refused",
    isRedirect ? `${message}, a redirect, which is not followed` : message,
    options,
  );
}

/** Removes headers that no longer apply, since the body is already decoded. */
function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) kept.delete(name);
  return kept;
}
