/** `/mcp`: who may reach it and with how much; what is said there is another layer's. */
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Caller } from "../../domain/account.ts";
import { errors } from "../../domain/errors.ts";
import { jsonBody } from "../body.ts";
import { addBodyBudget, DEFAULT_BODY_BUDGET } from "../body-budget.ts";
import { createPlaceFault } from "../place-fault.ts";
import { requireCaller } from "./endpoint.ts";

/** What answers the protocol: a request of the web's standard in, an answer out. */
export interface McpAnswerer {
  answer(input: {
    readonly request: Request;
    readonly body: unknown;
    readonly caller: Caller;
    readonly requestId: string;
  }): Promise<Response>;
  /** Ends what is under way. */
  close(): Promise<void>;
}

const PATH = "/mcp";
const MIB = 1024 * 1024;
/** A text of 256 KiB whose every byte JSON spells in six, and what is around it. */
const BODY_BYTES = 2 * MIB;
const BODY_BUDGET = { ...DEFAULT_BODY_BUDGET, totalBytes: 32 * MIB };
/** Of one request, as clients of 2025 may send them together. */
const MAX_MESSAGES = 16;

export function addMcpRoute(
  app: FastifyInstance,
  deps: {
    readonly mcp: McpAnswerer;
    readonly authenticate: onRequestAsyncHookHandler;
    readonly publicUrl: string;
    readonly corsOrigins: readonly string[];
  },
): void {
  const placeFault = createPlaceFault(deps);
  app.register((scope, _options, done) => {
    // Before the key is looked at: a page that was led here by a false name learns nothing of it.
    scope.addHook("onRequest", async (request) => {
      const fault = placeFault(request);
      if (fault !== null) throw errors.originRefused(fault);
    });
    scope.addHook("onRequest", deps.authenticate);
    scope.addHook("onRequest", async (request) => {
      // Programs have keys; a session is a browser's, and would let pages act through it.
      if (requireCaller(request).via !== "api_key") throw errors.invalidApiKey();
    });
    addBodyBudget(scope, BODY_BUDGET);
    // Before connections are waited for: a wait for a job is open for as long as the job takes.
    scope.addHook("preClose", () => deps.mcp.close());
    scope.route({
      method: ["GET", "POST", "DELETE"],
      url: PATH,
      bodyLimit: BODY_BYTES,
      exposeHeadRoute: false,
      handler: (request, reply) => answer(request, reply, deps.mcp),
    });
    done();
  });
}

async function answer(request: FastifyRequest, reply: FastifyReply, mcp: McpAnswerer): Promise<FastifyReply> {
  const { value: body } = jsonBody(request);
  if (Array.isArray(body) && body.length > MAX_MESSAGES) {
    throw errors.invalidInput(`body: has ${body.length} messages, expected at most ${MAX_MESSAGES}`);
  }
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  const response = await mcp.answer({
    request: toRequest(request, gone.signal),
    ...{ body, caller: requireCaller(request), requestId: request.id },
  });
  reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .header("cache-control", "no-store");
  if (response.body === null) return reply.send();
  // The two declarations of the same stream, of the web and of Node, do not know each other.
  return reply.send(Readable.fromWeb(response.body as ReadableStream<Uint8Array>));
}

/** Without the credentials, which are nobody's business behind this, and without the body, which is parsed. */
function toRequest({ method, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    name === "authorization" || name === "cookie" || value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(`http://localhost${PATH}`, { method, headers: kept, signal });
}
