/** A local server that speaks the OpenAI protocol over HTTP and misbehaves when a script says so. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Behaviour, type Refusing, refuse, type Saying, say, type ToolCalling } from "./behaviour.ts";
import { DELTA_LENGTH, presentCompletion, presentStream } from "./completion.ts";
import { presentEmbeddings } from "./embeddings.ts";
import {
  type ChatRequest,
  type EmbeddingRequest,
  isRecord,
  RequestFault,
  type RerankRequest,
  readChatRequest,
  readEmbeddingRequest,
  readRerankRequest,
} from "./request.ts";
import { presentRerank } from "./rerank.ts";
import { sampleOf } from "./sample.ts";

export interface ModelServer {
  /** Ends with `/v1`. */
  readonly baseUrl: string;
  /** Chat requests that could be read, in the order of their arrival. */
  readonly requests: readonly ChatRequest[];
  readonly embeddingRequests: readonly EmbeddingRequest[];
  readonly rerankRequests: readonly RerankRequest[];
  /** Milliseconds from a request's arrival to its answer, over all chat requests. */
  readonly busyMs: number;
  /** Most chat requests that were open at once. */
  readonly mostAtOnce: number;
  /** Chat requests that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

export interface ModelServerOptions {
  /** What happens to a chat request; without a script it gets the simplest value that fits its schema, or "Fine." */
  readonly chat?: (request: ChatRequest) => Behaviour | Promise<Behaviour>;
  /** What happens to an embedding request instead of vectors; null = vectors. */
  readonly embeddings?: (request: EmbeddingRequest) => Behaviour | null | Promise<Behaviour | null>;
  /** What happens to a rerank request instead of scores; null = scores. */
  readonly rerank?: (request: RerankRequest) => Behaviour | null | Promise<Behaviour | null>;
  /** Other keys are refused with 401; every key, and none, is accepted when left out. */
  readonly apiKey?: string;
  readonly models?: readonly string[];
}

const BODY_LIMIT_BYTES = 16 * 1024 * 1024;

/** Listens on a free port of this machine. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: ChatRequest[] = [];
  const embeddingRequests: EmbeddingRequest[] = [];
  const rerankRequests: RerankRequest[] = [];
  const load = { busyMs: 0, atOnce: 0, mostAtOnce: 0 };

  async function chat(incoming: Incoming): Promise<void> {
    const request = readChatRequest(incoming.body, { index: requests.length, headers: incoming.headers });
    requests.push(request);
    const began = performance.now();
    load.atOnce += 1;
    load.mostAtOnce = Math.max(load.mostAtOnce, load.atOnce);
    try {
      const behaviour = (await options.chat?.(request)) ?? defaultSaying(request);
      await behave(incoming.response, behaviour, (said) => answerChat(incoming.response, request, said));
    } finally {
      load.atOnce -= 1;
      load.busyMs += performance.now() - began;
    }
  }

  async function embed(incoming: Incoming): Promise<void> {
    const context = { index: embeddingRequests.length, headers: incoming.headers };
    const request = readEmbeddingRequest(incoming.body, context);
    embeddingRequests.push(request);
    const body = JSON.stringify(presentEmbeddings(request));
    const behaviour = (await options.embeddings?.(request)) ?? say("");
    await behave(incoming.response, behaviour, () => send(incoming.response, 200, body));
  }

  async function rerank(incoming: Incoming): Promise<void> {
    const context = { index: rerankRequests.length, headers: incoming.headers };
    const request = readRerankRequest(incoming.body, context);
    rerankRequests.push(request);
    const body = JSON.stringify(presentRerank(request));
    const behaviour = (await options.rerank?.(request)) ?? say("");
    await behave(incoming.response, behaviour, () => send(incoming.response, 200, body));
  }

  const server = createServer((request, response) => {
    const key = request.headers.authorization?.replace(/^Bearer /, "");
    if (options.apiKey !== undefined && key !== options.apiKey) {
      return sendFault(response, refuse(401, "Incorrect API key provided."), "invalid_api_key");
    }
    if (request.method === "GET" && request.url === "/v1/models") {
      const data = (options.models ?? ["test-model"]).map((id) => ({
        id,
        object: "model",
        owned_by: "test",
      }));
      return send(response, 200, JSON.stringify({ object: "list", data }));
    }
    const handle = { "/v1/chat/completions": chat, "/v1/embeddings": embed, "/v1/rerank": rerank }[
      request.url ?? ""
    ];
    if (handle === undefined || request.method !== "POST") {
      return sendFault(response, refuse(404, `Invalid URL (${request.method} ${request.url})`));
    }
    void receive(request, response, handle);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, // It listens on a port.
    requests,
    embeddingRequests,
    rerankRequests,
    get busyMs() {
      return load.busyMs;
    },
    get mostAtOnce() {
      return load.mostAtOnce;
    },
    get open() {
      return load.atOnce;
    },
    close: () => closeServer(server),
  };
}

interface Incoming {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage["headers"];
  readonly response: ServerResponse;
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  handle: (incoming: Incoming) => Promise<void>,
): Promise<void> {
  try {
    const body = await readBody(request);
    await handle({ body, headers: request.headers, response });
  } catch (error) {
    if (error instanceof RequestFault) sendFault(response, refuse(400, error.message), null, error.parameter);
    // A script that throws is a fault of the test: the client sees it at once.
    else sendFault(response, refuse(500, `The script failed: ${String(error)}`));
  }
}

async function readBody(request: IncomingMessage): Promise<Incoming["body"]> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    parts.push(part as Buffer); // The stream has no encoding set.
    length += (part as Buffer).length;
    if (length > BODY_LIMIT_BYTES) throw new RequestFault("The request is too large.", null);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString());
    if (isRecord(body)) return body;
  } catch {
    // Told below, like a body that is no object.
  }
  throw new RequestFault("We could not parse the JSON body of your request.", null);
}

function defaultSaying(request: ChatRequest): Saying {
  return say(request.schema === null ? "Fine." : sampleOf(request.schema));
}

/** Does what the script says; `answer` is called where that is to answer properly. */
async function behave(
  response: ServerResponse,
  behaviour: Behaviour,
  answer: (said: Saying | ToolCalling) => Promise<void> | void,
): Promise<void> {
  switch (behaviour.kind) {
    case "hang":
      return new Promise((resolve) => response.once("close", resolve));
    case "drop":
      return drop(response, behaviour.afterBytes);
    case "babble":
      await pause(response, behaviour.delayMs);
      return send(response, 200, behaviour.body, { "content-type": behaviour.contentType ?? "text/html" });
    case "refuse":
      await pause(response, behaviour.delayMs);
      return sendFault(response, behaviour);
    case "say":
      await pause(response, behaviour.delayMs);
      return answer(behaviour);
    case "call_tool":
      return answer(behaviour);
  }
}

/** Waits, but no longer than the client does. */
async function pause(response: ServerResponse, delayMs = 0): Promise<void> {
  if (delayMs === 0) return;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await sleep(delayMs, undefined, { signal: gone.signal }).catch(() => undefined);
}

async function answerChat(
  response: ServerResponse,
  request: ChatRequest,
  said: Saying | ToolCalling,
): Promise<void> {
  if (!request.isStream) return send(response, 200, presentCompletion(request, said));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const rest = said.kind === "say" ? said.rest : undefined;
  // The first event has no text.
  const restAt = rest === undefined ? -1 : 1 + Math.ceil(rest.after / DELTA_LENGTH);
  for (const [at, event] of presentStream(request, said).entries()) {
    if (at === restAt) {
      const closed = new Promise<"break off">((resolve) =>
        response.once("close", () => resolve("break off")),
      );
      if ((await Promise.race([rest?.until, closed])) === "break off") return void response.destroy();
    }
    response.write(event);
  }
  response.end();
}

/** The head promises more than is sent. */
function drop(response: ServerResponse, afterBytes: number): void {
  if (afterBytes === 0) {
    response.socket?.destroy();
    return;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": String(afterBytes + 1) });
  response.write(`{"id":"${"x".repeat(afterBytes)}`.slice(0, afterBytes), () => response.socket?.destroy());
}

function send(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body);
}

function sendFault(
  response: ServerResponse,
  { status, message, headers }: Refusing,
  code: string | null = null,
  parameter: string | null = null,
): void {
  const type = status === 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error";
  send(response, status, JSON.stringify({ error: { message, type, param: parameter, code } }), headers);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
