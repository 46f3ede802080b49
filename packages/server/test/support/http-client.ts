/** A client of the HTTP API that shows everything of an answer and lets a test send anything. */
import assert from "node:assert/strict";
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { API_PREFIX, type EndpointName, endpoints } from "@kcs/contract";
import type { z } from "zod";

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** undefined when the text is no JSON. */
  readonly json: unknown;
}

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array;
  /** Over the defaults; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Only the head of the request is sent, the body never. */
  readonly headOnly?: boolean;
}

export interface EndpointInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** What an endpoint answers on success, as the contract's strict schema reads it. */
export type Success<Name extends EndpointName> = (typeof endpoints)[Name]["response"] extends infer Schema
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : null
  : never;

export interface Client {
  readKey(): Promise<string>;
  /** `path` is below `/api/v1`. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** `path` is below the base URL. */
  root(method: string, path: string, options?: CallOptions): Promise<Reply>;
  endpoint(name: EndpointName, input?: EndpointInput): Promise<Reply>;
  /** Fails unless the answer has the documented status and exactly the documented members. */
  succeed<Name extends EndpointName>(name: Name, input?: EndpointInput): Promise<Success<Name>>;
  close(): void;
}

/** With the key "" no `Authorization` header is sent. A function is called once, before the first request. */
export function createClient(baseUrl: string, key: string | (() => Promise<string>)): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  let reading: Promise<string> | null = null;
  const readKey = () => {
    reading ??= typeof key === "string" ? Promise.resolve(key) : key();
    return reading;
  };
  const root = async (method: string, path: string, options: CallOptions = {}) =>
    send({ baseUrl, agent, method, path, headers: headersOf(await readKey(), options), options });
  const call = (method: string, path: string, options: CallOptions = {}) =>
    root(method, API_PREFIX + path, options);
  const endpoint = (name: EndpointName, input: EndpointInput = {}) =>
    call(endpoints[name].method, endpointPath(name, input), { body: input.body });

  return {
    readKey,
    call,
    root,
    endpoint,
    async succeed<Name extends EndpointName>(name: Name, input: EndpointInput = {}) {
      return readSuccess(name, await endpoint(name, input));
    },
    close: () => agent.destroy(),
  };
}

/** Checks status, media type and members of a success; returns the parsed body. */
export function readSuccess<Name extends EndpointName>(name: Name, reply: Reply): Success<Name> {
  const { success, response } = endpoints[name];
  assert.equal(reply.status, success, `${name} answered ${reply.status} ${reply.text.slice(0, 500)}`);
  if (response === null) {
    assert.equal(reply.text, "");
    return null as Success<Name>; // Such an endpoint has no body.
  }
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  return response.parse(reply.json) as unknown as Success<Name>; // The schema of this very name has read it.
}

/** The answer must be an error with exactly this status and body. */
export function assertFault(reply: Reply, status: number, detail: string | RegExp): void {
  assert.equal(reply.status, status, `answered ${reply.status} ${reply.text.slice(0, 500)}`);
  assert.match(reply.headers["content-type"] ?? "", /^application\/json\b/);
  const body = reply.json as { detail?: unknown }; // Looked at before use.
  assert.deepEqual(Object.keys(body), ["detail"]);
  if (typeof detail === "string") assert.equal(body.detail, detail);
  else assert.match(String(body.detail), detail);
}

export function endpointPath(name: EndpointName, input: EndpointInput = {}): string {
  const path = endpoints[name].path.replace(/\{(\w+)\}/g, (_, parameter: string) =>
    encodeURIComponent(input.params?.[parameter] ?? "missing"),
  );
  const query = Object.entries(input.query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

function headersOf(key: string, options: CallOptions): OutgoingHttpHeaders {
  const hasBody = options.body !== undefined || options.raw !== undefined;
  const headers = {
    ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...options.headers,
  };
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}

const REPLY_LIMIT_MS = 60_000;

function send(input: {
  baseUrl: string;
  agent: Agent;
  method: string;
  path: string;
  headers: OutgoingHttpHeaders;
  options: CallOptions;
}): Promise<Reply> {
  const { hostname, port } = new URL(input.baseUrl);
  const { method, path, options } = input;
  const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const hasLength = bytes !== undefined && !("transfer-encoding" in input.headers);
  const headers = hasLength ? { "content-length": bytes.length, ...input.headers } : input.headers;
  return new Promise((resolve, reject) => {
    const agent = options.headOnly === true ? false : input.agent;
    const outgoing = request({ hostname, port, method, path, headers, agent, timeout: REPLY_LIMIT_MS });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`No answer to ${method} ${path.slice(0, 200)}`)));
    outgoing.on("error", reject);
    outgoing.on("response", (incoming) => {
      const parts: Buffer[] = [];
      incoming.on("data", (part: Buffer) => parts.push(part));
      incoming.on("error", reject);
      incoming.on("end", () => {
        const text = Buffer.concat(parts).toString();
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text,
          json: parseJson(text),
        });
        if (options.headOnly === true) outgoing.destroy();
      });
    });
    if (options.headOnly === true) outgoing.flushHeaders();
    else outgoing.end(bytes);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
