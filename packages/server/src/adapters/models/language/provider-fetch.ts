/** `fetch` as the providers' libraries are given it: every failure becomes a ProviderFault, and nothing is unbounded. */
import { ProviderFault } from "./provider-fault.ts";
import { readRetryAfter } from "./retry-after.ts";

const DETAIL_LENGTH = 500;

export function createProviderFetch(options: {
  readonly maxReplyBytes: number;
  readonly now: () => number;
}): typeof globalThis.fetch {
  return async (input, init) => {
    // Followed blindly, a redirect would take the key along to wherever it leads.
    const response = await connect(input, { ...init, redirect: "manual" });
    const bytes = await readBody(response, { ...options, signal: init?.signal ?? null });
    if (!response.ok)
      throw refusalOf(response, { body: new TextDecoder().decode(bytes), now: options.now() });
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
      if (length > options.maxReplyBytes) break; // Leaving the loop cancels the rest.
      parts.push(part);
    }
  } catch (error) {
    throw connectionFault(error, options.signal);
  }
  if (length > options.maxReplyBytes) {
    throw new ProviderFault("refused", `its answer is longer than ${options.maxReplyBytes} bytes`);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** An abort by the caller, or by a deadline, stays what it is. */
function connectionFault(error: unknown, signal: AbortSignal | null): unknown {
  if (signal?.aborted === true) return signal.reason;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "dropped";
  return new ProviderFault("unavailable", `the connection failed (${code})`, { cause: error });
}

function refusalOf(response: Response, { body, now }: { body: string; now: number }): ProviderFault {
  const { status, headers } = response;
  const options = {
    detail: body.slice(0, DETAIL_LENGTH),
    retryAfterMs: readRetryAfter(headers, now),
    isOverload: status === 429 || status === 503 || status === 529,
    isBadRequest: status === 400 || status === 422,
  };
  const told = `it answered ${status}`;
  if (status === 429) return new ProviderFault("rate_limited", told, options);
  if (status === 408) return new ProviderFault("timeout", told, options);
  if (status === 409 || status >= 500) return new ProviderFault("unavailable", told, options);
  const isRedirect = status >= 300 && status < 400;
  return new ProviderFault(
    "refused",
    isRedirect ? `${told}, a redirect, which is not followed` : told,
    options,
  );
}

/** The body is decoded already. */
function withoutEncoding(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) kept.delete(name);
  return kept;
}
