import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { newRequestId, requestId } from "./request-id.ts";

const JSON_TYPE = "application/json; charset=utf-8";

/** `request-turns.ts` has refused a request. The response to it closes the connection, after those to the requests before it. */
const PARSER_STOPPED = "HPE_CB_HEADERS_COMPLETE";

const REFUSALS: Readonly<Record<string, { status: string; detail: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    detail: "The path and headers are too long.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", detail: "The request took too long to arrive." },
};

/**
 * Writes a raw response to input that is not a valid HTTP request and so reaches
 * no route, then closes the connection.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || error.code === PARSER_STOPPED || socket.destroyed) return;
  const { status, detail } = REFUSALS[error.code ?? ""] ?? {
    status: "400 Bad Request",
    detail: "The request is not valid HTTP.",
  };
  if (socket.writable) socket.write(responseOf(status, detail));
  socket.destroy(error);
}

/** `CONNECT` asks for a tunnel. Node passes it to no route, and would close the connection without a response. */
export function refuseTunnel(_request: unknown, socket: Duplex): void {
  socket.on("error", () => undefined); // The client has disconnected.
  socket.end(responseOf("400 Bad Request", "CONNECT is not supported."), () => socket.destroy());
}

/** The caller closes the connection. */
export function refuseChunks(socket: Socket): void {
  if (socket.writable)
    socket.write(responseOf("400 Bad Request", "body: has too many chunks of a few bytes"));
}

/** Node would refuse an expectation that it does not know without a body. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ detail: 'Expect: expected "100-continue" or no header' });
  response.writeHead(417, {
    "content-type": JSON_TYPE,
    "x-request-id": requestId(request),
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  response.end(body);
}

/** Why the `Host` headers of a request are invalid (RFC 9112, section 3.2), or null. Node would refuse it without a body, or take the first of several. */
export function describeHostFault({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts > 1) return "Host: got several headers, expected one";
  return hosts === 0 && httpVersion === "1.1" ? "Host: is missing" : null;
}

function responseOf(status: string, detail: string): string {
  const body = JSON.stringify({ detail });
  const headers = [
    `content-type: ${JSON_TYPE}`,
    `x-request-id: ${newRequestId()}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  return `HTTP/1.1 ${status}\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
}
