/** Sends requests as no well-behaved client does. */
import { request } from "node:http";
import { connect } from "node:net";
import type { StartedService } from "../../evals/service.ts";

export interface HostileRequest {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** With one byte in each HTTP chunk. */
  readonly isByteByByte?: boolean;
}

/** Resolves to the status, 0 without a response; a refused body may be answered before all of it is sent. */
export function send(service: StartedService, path: string, sent: HostileRequest): Promise<number> {
  return sent.isByteByByte === true ? sendByteByByte(service, path, sent) : sendWhole(service, path, sent);
}

function sendWhole(
  { baseUrl, key }: StartedService,
  path: string,
  { method = "POST", query = "", headers, body }: HostileRequest,
): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const sent = request(`${baseUrl}${path}${query}`, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        accept: "application/json, text/event-stream",
        ...(body !== undefined && { "content-type": "application/json", "content-length": body.length }),
        ...headers,
      },
    });
    sent.on("response", (response) => {
      status = response.statusCode ?? 0;
      response.resume();
    });
    sent.on("error", () => undefined); // A refused upload; `close` follows.
    sent.once("close", () => resolve(status));
    sent.end(body);
  });
}

function sendByteByByte(
  { baseUrl, key }: StartedService,
  path: string,
  { method = "POST", body = Buffer.alloc(0), headers }: HostileRequest,
): Promise<number> {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    `authorization: Bearer ${key}`,
    `content-type: ${headers?.["content-type"] ?? "application/json"}`,
    "transfer-encoding: chunked",
    "connection: close",
  ];
  const chunks = body.toString("latin1").replace(/./gs, "1\r\n$&\r\n");
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    let reply = "";
    socket.on("data", (part) => {
      reply += part.toString("latin1");
    });
    socket.on("error", () => undefined); // A refused upload; `close` follows.
    socket.once("close", () => resolve(Number(reply.split(" ", 2)[1] ?? 0)));
    socket.write(`${head.join("\r\n")}\r\n\r\n${chunks}0\r\n\r\n`);
  });
}
