/** The HTTP side of `/mcp`: access checks and limits. The protocol itself is in `mcp/`. */
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Caller } from "../../domain/account.ts";
import { errors } from "../../domain/errors.ts";
import type { ActAs } from "../../ports/current-work.ts";
import type { HeldAnswers } from "../answer-budget.ts";
import { addActingAccount, addCheckAfterBody, type IsStillAllowed } from "../authenticate.ts";
import { jsonBody } from "../body.ts";
import { addBodyBudget, DEFAULT_BODY_BUDGET } from "../body-budget.ts";
import { disconnectedSignal } from "../disconnected.ts";
import { createHostAndOriginFault } from "../host-and-origin.ts";
import { PIECE_BYTES } from "../long-json.ts";
import { createMessageTurns, type TakeTurns } from "../message-turns.ts";
import { requireCaller } from "./endpoint.ts";

/** Implements the protocol on web-standard requests and responses. */
export interface McpAnswerer {
  answer(input: {
    readonly request: Request;
    readonly body: unknown;
    readonly caller: Caller;
    readonly requestId: string;
    /** Whether the key is still valid. */
    readonly isStillAllowed: () => Promise<boolean>;
    /** Resolved when the next message of a batch may begin. The first one begins at once. */
    readonly nextTurn: () => Promise<void>;
  }): Promise<Response>;
  /** Ends running calls. */
  close(): Promise<void>;
}

const PATH = "/mcp";
const MIB = 1024 * 1024;
/** A text of 256 KiB of which JSON escapes every byte with six, and the message around it. */
const BODY_BYTES = 2 * MIB;
const BODY_BUDGET = { ...DEFAULT_BODY_BUDGET, totalBytes: 32 * MIB };
/** Messages in one request: clients of the 2025 revision may send batches. */
const MAX_MESSAGES = 8;
/** Of JSON-RPC. */
const INVALID_REQUEST = -32_600;
const MAX_ID_CHARACTERS = 40;

export function addMcpRoute(
  app: FastifyInstance,
  deps: {
    readonly mcp: McpAnswerer;
    readonly authenticate: onRequestAsyncHookHandler;
    readonly isStillAllowed: IsStillAllowed;
    readonly actAs: ActAs;
    readonly publicUrl: string;
    readonly corsOrigins: readonly string[];
    readonly answers: Pick<HeldAnswers, "hold">;
  },
): void {
  const hostAndOriginFault = createHostAndOriginFault(deps);
  const takeTurns = createMessageTurns();
  app.register((scope, _options, done) => {
    // Before authentication, so that a page that reaches the service by DNS rebinding cannot test keys.
    scope.addHook("onRequest", async (request) => {
      const fault = hostAndOriginFault(request);
      if (fault !== null) throw errors.originRefused(fault);
    });
    scope.addHook("onRequest", deps.authenticate);
    addActingAccount(scope, deps.actAs);
    addCheckAfterBody(scope, deps.isStillAllowed);
    scope.addHook("onRequest", async (request) => {
      // Sessions are refused, because a browser would send them for any page. Programs use keys.
      if (requireCaller(request).via !== "api_key") throw errors.invalidApiKey();
    });
    addBodyBudget(scope, BODY_BUDGET);
    // Runs before the server waits for open connections: `wait_for_job` would keep its connection open.
    scope.addHook("preClose", () => deps.mcp.close());
    scope.route({
      method: "POST",
      url: PATH,
      bodyLimit: BODY_BYTES,
      handler: (request, reply) => answer(request, reply, { ...deps, takeTurns }),
    });
    done();
  });
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: {
    readonly mcp: McpAnswerer;
    readonly answers: Pick<HeldAnswers, "hold">;
    readonly isStillAllowed: IsStillAllowed;
    readonly takeTurns: TakeTurns;
  },
): Promise<FastifyReply> {
  const { value: body } = jsonBody(request);
  if (Array.isArray(body) && body.length > MAX_MESSAGES) {
    throw errors.invalidInput(`body: has ${body.length} messages, expected at most ${MAX_MESSAGES}`);
  }
  const repeated = repeatedId(body);
  if (repeated !== null) {
    const message = `Invalid Request: two requests have the id ${repeated}, expected one for each`;
    return reply.code(400).send({ jsonrpc: "2.0", error: { code: INVALID_REQUEST, message }, id: null });
  }
  const caller = requireCaller(request);
  const [first, ...others] = deps.takeTurns(
    caller.accountId,
    Array.isArray(body) ? Math.max(1, body.length) : 1,
  );
  await first;
  const response = await deps.mcp.answer({
    request: toRequest(request, disconnectedSignal(reply)),
    body,
    caller,
    requestId: request.id,
    isStillAllowed: () => deps.isStillAllowed(request),
    nextTurn: () => others.shift() ?? Promise.resolve(),
  });
  if (reply.raw.destroyed || reply.raw.closed) {
    await response.body?.cancel();
    throw errors.abandoned();
  }
  reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .header("cache-control", "no-store");
  if (response.body === null) return reply.send();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream) return reply.send(await response.text());
  const hold = (bytes: number) =>
    deps.answers.hold({ request, reply }, { bytes, isRefusable: false, pieceBytes: PIECE_BYTES });
  return reply.send(takeAll(response.body, hold));
}

/** The id that two requests of a batch have, as JSON: both would be carried out, and one answer be lost. null = none. */
function repeatedId(body: unknown): string | null {
  if (!Array.isArray(body)) return null;
  const seen = new Set<unknown>();
  for (const message of body as readonly unknown[]) {
    if (typeof message !== "object" || message === null || !("method" in message && "id" in message))
      continue;
    const { id } = message;
    if (seen.has(id)) return JSON.stringify(typeof id === "string" ? id.slice(0, MAX_ID_CHARACTERS) : id);
    seen.add(id);
  }
  return null;
}

/** Takes everything at once, because what is not taken is in memory all the same, where nobody counts it. */
function takeAll(source: ReadableStream<Uint8Array>, hold: (bytes: number) => void): Readable {
  const reader = source.getReader();
  const taken = new Readable({
    read: () => undefined,
    destroy(error, done) {
      reader.cancel(error).catch(() => undefined); // Fails when the stream has failed, which ends it, too.
      done(error);
    },
  });
  let uncounted = 0;
  const take = async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (taken.destroyed) return;
      if (done) return void taken.push(null);
      uncounted += value.length;
      if (uncounted >= PIECE_BYTES) hold(uncounted);
      if (uncounted >= PIECE_BYTES) uncounted = 0;
      for (let at = 0; at < value.length; at += PIECE_BYTES) taken.push(value.subarray(at, at + PIECE_BYTES));
    }
  };
  take().catch((error: unknown) => taken.destroy(error instanceof Error ? error : new Error(String(error))));
  return taken;
}

/**
 * Without the credentials, which nothing beyond this point needs, and
 * without the body, which is already parsed.
 */
function toRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    name === "authorization" || name === "cookie" || value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(`http://localhost${PATH}`, { method, headers: kept, signal });
}
